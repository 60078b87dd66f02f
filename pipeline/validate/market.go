package validate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mtok/schema"
)

const (
	// marketAsks is how many asks of a model are usual where their number says
	// anything: hosts come and go, and a book of nine fell to one over a night.
	marketAsks = 10
	// marketPercent is the share of the usual asks below which a book is short.
	marketPercent = 30
	// marketMachines is from how many verified machines on a median is compared.
	marketMachines = 3
	// marketTimes is by what a median moves that is not believed at once: of 269
	// nightly moves of medians of three machines or more in 2026, one was larger.
	marketTimes = 3
)

// emptyBook is the rule by which a parser says that a model was asked for and
// that nobody offers it.
const emptyBook = "empty_book"

// market holds the book of each asked model against its last nights. Single
// machines move freely; what a model's verified machines ask in the middle does
// not triple, and a long book does not empty over night.
func market(n Night) []Breach {
	var breaches []Breach
	books := booksOf(listed(n.Seen))
	var past []map[schema.ClassID][]ask
	for _, night := range n.Baseline.Nights[:min(len(n.Baseline.Nights), classNights)] {
		past = append(past, booksOf(known(night, n.ClassOf)))
	}
	if len(past) == 0 {
		return nil
	}
	for _, class := range slices.Sorted(maps.Keys(past[0])) {
		if n.Complete && (len(books[class]) > 0 || n.askedInVain(past[0][class])) {
			breaches = append(breaches, shortBook(class, books[class], past)...)
		}
		breaches = append(breaches, medianMoved(class, books[class], past[0][class])...)
	}
	return breaches
}

// ask is one on-demand ask of a market.
type ask struct {
	key      schema.OfferKey
	name     string // the model as the market calls it
	machine  string
	class    schema.ClassID
	price    schema.USD
	verified bool
}

func listed(seen []schema.Observation) []ask {
	var out []ask
	for _, o := range seen {
		if o.Excluded == "" && o.Offer.Term == schema.TermOnDemand {
			out = append(out, ask{o.Offer.OfferKey, o.Offer.GPURaw, o.Offer.GroupKey, o.Class, o.USDPerGPUHour, o.Offer.Attributes.Tier == schema.TierVerified})
		}
	}
	return out
}

func known(night PastNight, classOf func(schema.Offer) schema.ClassID) []ask {
	var out []ask
	for _, k := range night.Offers {
		if o := k.Offer; o.Excluded == "" && o.Term == schema.TermOnDemand {
			out = append(out, ask{o.OfferKey, o.GPURaw, o.GroupKey, classOf(o), k.USDPerGPUHour, o.Attributes.Tier == schema.TierVerified})
		}
	}
	return out
}

func booksOf(asks []ask) map[schema.ClassID][]ask {
	books := map[schema.ClassID][]ask{}
	for _, a := range asks {
		books[a.class] = append(books[a.class], a)
	}
	return books
}

// askedInVain reports whether the model of a book was asked for tonight and
// nobody offers it: not that it is not asked for any more.
func (n Night) askedInVain(book []ask) bool {
	return slices.ContainsFunc(n.Rejects, func(r schema.Reject) bool {
		return r.Rule == emptyBook && r.Label == strings.ReplaceAll(strings.ToLower(book[0].name), " ", "-")
	})
}

// shortBook finds a book that lost most of its asks.
func shortBook(class schema.ClassID, book []ask, past []map[schema.ClassID][]ask) []Breach {
	var counts []int
	for _, books := range past {
		counts = append(counts, len(books[class]))
	}
	slices.Sort(counts)
	usual := counts[(len(counts)-1)/2]
	if usual < marketAsks || len(book)*100 >= usual*marketPercent {
		return nil
	}
	rule := RuleRows
	if len(book) == 0 {
		rule = RuleClassGone
	}
	return []Breach{{Rule: rule, Detail: fmt.Sprintf("%d asks of %s, usually %d", len(book), class, usual)}}
}

// medianMoved compares what the verified machines of a class ask in the middle.
func medianMoved(class schema.ClassID, now, before []ask) []Breach {
	after, machines := verifiedMedian(now)
	was, wereMachines := verifiedMedian(before)
	if min(machines, wereMachines) < marketMachines || max(after, was) <= marketTimes*min(after, was) {
		return nil
	}
	text := fmt.Sprintf("%s: the median of verified machines went from %s (of %d) to %s (of %d) $/GPU-h", class, was, wereMachines, after, machines)
	rule := RuleMarketJump
	if ratio := UnitRatio(was, after); ratio != 0 {
		rule, text = RuleUnitRatio, fmt.Sprintf("%s, a ratio of %d", text, ratio)
	}
	breach := Breach{Rule: rule, Detail: text}
	for _, a := range now {
		breach.Offers = append(breach.Offers, a.key)
	}
	return []Breach{breach}
}

// verifiedMedian is the lower median of the cheapest ask of each verified machine.
func verifiedMedian(book []ask) (median schema.USD, machines int) {
	cheapest := map[string]schema.USD{}
	for _, a := range book {
		if price, met := cheapest[a.machine]; a.verified && (!met || a.price < price) {
			cheapest[a.machine] = a.price
		}
	}
	if len(cheapest) == 0 {
		return 0, 0
	}
	prices := slices.Sorted(maps.Values(cheapest))
	return prices[(len(prices)-1)/2], len(prices)
}
