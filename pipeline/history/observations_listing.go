package history

import "strings"

// listings are what rows say. The words of a listing are read once, and a price once
// as long as it stands.
type listings struct {
	known map[listedCells]*listed
	last  *listed
}

// listedCells are those of a row but for its day and price: most stand on many days.
type listedCells [8]string

func cellsOf(c []string) listedCells {
	return listedCells{c[1], c[2], c[3], c[4], c[5], c[7], c[8], c[9]}
}

// listed is what such cells come to, with the price that they had last.
type listed struct {
	cells  listedCells
	bare   Listing // without a price
	price  string
	priced *Listing
	next   *listed // the one that came behind it last: mostly it does again
}

func (k *listings) of(f Format, c []string) *Listing {
	l := k.listed(f, c)
	k.last = l
	if l.priced != nil && l.price == c[6] {
		return l.priced
	}
	l.price = strings.Clone(c[6])
	made := l.bare
	amount, ok := amountOf(l.price)
	if !ok && made.Refused == "" {
		made.Rule, made.Refused = "amount", "no plain number"
	}
	made.Offer = priced(made.Offer, l.price, amount)
	l.priced = &made
	return l.priced
}

// listed finds the listing of a row, most often without hashing its cells.
func (k *listings) listed(f Format, c []string) *listed {
	cells := cellsOf(c)
	if k.last != nil && k.last.next != nil && k.last.next.cells == cells {
		return k.last.next
	}
	l := k.known[cells]
	if l == nil {
		if k.known == nil {
			k.known = map[listedCells]*listed{}
		}
		l = &listed{cells: cells, bare: bareListing(f, c)}
		k.known[cells] = l
	}
	if k.last != nil {
		k.last.next = l
	}
	return l
}
