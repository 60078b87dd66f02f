package watch

import (
	"fmt"
	"math/big"
	"strings"

	"mtok/schema"
)

// MoveText is all that the text of a price move says: a value, so that the text is a
// pure function of it. What is zero is left out.
type MoveText struct {
	Word               string // "CUT", "RISE", "MARKET DOWN"
	Seller             string // "RunPod secure"
	Class              schema.ClassID
	Term               schema.Term
	Commitment         schema.Commitment
	GPUs               int // the count that is listed, 0 for any
	From, To           schema.USD
	Day, Since         schema.Day
	Held               int  // days that the old price had held,
	HeldOrMore         bool // or more: so far is looked back
	How                string
	Also               []string // other prices of the list that moved with it
	Stock              schema.Stock
	StockGPUs          int
	Lowest             string // the cheapest seller watched, empty where that is this one
	LowestPrice        schema.USD
	OtherTier          bool // of the same seller
	Effect             *Effect
	Fleets             []string
	Rule, Proof, Event string
	Silence            string // the command
	Sources            []string
}

// Effect is what a move does to a million tokens on one measured configuration.
type Effect struct {
	Model, Precision string
	GPUs             int
	FlatFrom, FlatTo schema.USD
	BusyFrom, BusyTo schema.USD
	Busy             string // "65 %"
	APIIn, APIOut    schema.USD
	EvenFrom, EvenTo *big.Rat // shares of the measured throughput; nil without an API
}

// A rent is shown for a node of so many GPUs and the hours of a mean month.
const (
	nodeGPUs     = 8
	hoursInMonth = 730
)

// Lines is the text: its first line stands alone.
func (t MoveText) Lines() []string {
	out := []string{fmt.Sprintf("[mtok] %s %s, %s, %s: %s -> %s $/GPU-h (%s, %s %%)", t.Word, oneLine(t.Seller), className(t.Class),
		termName(t.Term, t.Commitment), t.From.Fixed(2), t.To.Fixed(2), signed(t.To-t.From), percent(t.From, t.To))}
	out = append(out, t.since())
	if len(t.Also) > 0 {
		out = append(out, "Moved with it: "+oneLine(strings.Join(t.Also, "; ")))
	}
	if line := t.market(); line != "" {
		out = append(out, line)
	}
	out = append(out, t.effect()...)
	for _, f := range t.Fleets {
		out = append(out, oneLine(f))
	}
	last := "Rule " + t.Rule + "."
	if t.Proof != "" {
		last += " Proof: " + t.Proof + "."
	}
	return append(out, last+" Quiet: "+t.Silence+". id "+t.Event)
}

func (t MoveText) since() string {
	parts := []string{"First seen " + t.Since.String() + "."}
	if t.Held > 0 {
		more := ""
		if t.HeldOrMore {
			more = " or more"
		}
		parts = append(parts, fmt.Sprintf("%s had held %d days%s.", t.From.Fixed(2), t.Held, more))
	}
	if t.How != "" {
		parts = append(parts, t.How)
	}
	if len(t.Sources) > 1 {
		parts = append(parts, fmt.Sprintf("Shown by %d sources: %s.", len(t.Sources), oneLine(strings.Join(t.Sources, ", "))))
	}
	return strings.Join(parts, " ")
}

func (t MoveText) market() string {
	var parts []string
	if t.StockGPUs > 0 {
		parts = append(parts, fmt.Sprintf("Stock for %d GPUs: %s.", t.StockGPUs, stockName(t.Stock)))
	}
	switch {
	case t.Lowest != "" && t.LowestPrice < t.To:
		other := ""
		if t.OtherTier {
			other = " (other tier)"
		}
		parts = append(parts, fmt.Sprintf("Not the lowest watched: %s %s%s.", oneLine(t.Lowest), t.LowestPrice.Fixed(2), other))
	case t.Lowest != "":
		parts = append(parts, "The lowest list price watched.")
	}
	return strings.Join(parts, " ")
}

func (t MoveText) effect() []string {
	rent := new(big.Rat).Mul((t.To - t.From).Rat(), big.NewRat(nodeGPUs*hoursInMonth, 1))
	month := fmt.Sprintf("%d GPUs around the clock: %s/month", nodeGPUs, signedDollars(rent))
	e := t.Effect
	if e == nil {
		return []string{month}
	}
	lines := []string{fmt.Sprintf("Effect, %s %s on %dx: %s -> %s $/MTok flat out, %s -> %s at %s", e.Model, e.Precision, e.GPUs,
		e.FlatFrom.Fixed(3), e.FlatTo.Fixed(3), e.BusyFrom.Fixed(3), e.BusyTo.Fixed(3), e.Busy)}
	if e.EvenFrom == nil || e.EvenTo == nil {
		return append(lines, "Break-even: no API price of tonight to compare with. "+month)
	}
	against := "the API"
	if e.APIIn > 0 {
		against = cents(e.APIIn) + "/" + cents(e.APIOut)
	}
	return append(lines, fmt.Sprintf("Break-even against %s: %s -> %s busy. %s", against, share(e.EvenFrom), share(e.EvenTo), month))
}

// share is a break-even as a person reads it.
func share(r *big.Rat) string {
	percent := new(big.Rat).Mul(r, big.NewRat(100, 1)).FloatString(0) + " %"
	if r.Cmp(big.NewRat(1, 1)) > 0 {
		return "never (" + percent + ")"
	}
	return percent
}

// cents prints an API's price with two decimals, or with all where it has more.
func cents(u schema.USD) string {
	if u%10_000 == 0 {
		return u.Fixed(2)
	}
	return u.String()
}

func signed(u schema.USD) string {
	if u > 0 {
		return "+" + u.Fixed(2)
	}
	return u.Fixed(2)
}

// signedDollars is a whole amount with its sign: "-$1,752".
func signedDollars(r *big.Rat) string {
	sign := "+"
	if r.Sign() < 0 {
		sign, r = "-", new(big.Rat).Neg(r)
	}
	digits := r.FloatString(0)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + "$" + digits
}

func percent(from, to schema.USD) string {
	text := new(big.Rat).Mul(big.NewRat(int64(to-from), int64(from)), big.NewRat(100, 1)).FloatString(1)
	if to > from {
		return "+" + text
	}
	return text
}

func stockName(s schema.Stock) string {
	switch s {
	case schema.StockAvailable:
		return "available"
	case schema.StockSoldOut:
		return "sold out"
	}
	return "unknown"
}

// className is a class as people write it: "H100 SXM 80GB".
func className(id schema.ClassID) string {
	name := oneLine(string(id))
	if strings.HasPrefix(name, schema.UnmatchedPrefix) {
		return name
	}
	return strings.ToUpper(strings.ReplaceAll(name, "-", " "))
}

func termName(t schema.Term, c schema.Commitment) string {
	name := strings.ReplaceAll(string(t), "_", "-")
	switch {
	case c == (schema.Commitment{}):
	case c.MinDays == c.MaxDays || c.MaxDays == 0:
		name += fmt.Sprintf(" %d d", c.MinDays)
	default:
		name += fmt.Sprintf(" %d-%d d", c.MinDays, c.MaxDays)
	}
	return name
}

// oneLine keeps a word of a page from making a line of its own.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
