package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The levels of a StockPoint that are not a provider's own word.
const (
	LevelNone      = "none"
	LevelAvailable = "available"
)

// StockPoint is what a provider says of its stock at one GPU count, in one
// region where it names regions.
type StockPoint struct {
	GPUs   int
	Region string // without blanks; empty where not said by region
	Level  string // one lower-case word: "high", "medium", "low", LevelAvailable, LevelNone
}

// Stock is the level without its degree.
func (p StockPoint) Stock() Stock {
	switch p.Level {
	case "":
		return StockUnknown
	case LevelNone:
		return StockSoldOut
	}
	return StockAvailable
}

// StockPoints are what an offer's source says by GPU count and region. As text
// they read "1x high, 2x none, 8x low" or "8x us-west-1 available".
type StockPoints []StockPoint

// String is the text form; empty for none.
func (s StockPoints) String() string {
	parts := make([]string, len(s))
	for i, p := range s {
		parts[i] = strings.Join(strings.Fields(fmt.Sprintf("%dx %s %s", p.GPUs, p.Region, p.Level)), " ")
	}
	return strings.Join(parts, ", ")
}

// MarshalText returns String.
func (s StockPoints) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *StockPoints) UnmarshalText(text []byte) error {
	var points StockPoints
	for part := range strings.SplitSeq(string(text), ", ") {
		words := strings.Fields(part)
		if len(words) != 2 && len(words) != 3 {
			continue
		}
		// A count that is no number gives 0 and fails the comparison below.
		gpus, _ := strconv.Atoi(strings.TrimSuffix(words[0], "x"))
		p := StockPoint{GPUs: gpus, Level: words[len(words)-1]}
		if len(words) == 3 {
			p.Region = words[1]
		}
		points = append(points, p)
	}
	if points.String() != string(text) || slices.ContainsFunc(points, StockPoint.malformed) {
		return fmt.Errorf("stock %q is not like \"1x high, 8x low\"", clip(string(text)))
	}
	*s = points
	return nil
}

func (p StockPoint) malformed() bool {
	return p.GPUs < 1 || strings.Contains(p.Region+p.Level, ",")
}

// StockFor says whether so many GPUs of the offer can be rented now: by the
// points for that count, in any region, else by what is said of the offer as a
// whole. A count that nothing is said of is unknown.
func (o Offer) StockFor(gpus int) Stock {
	stock := StockUnknown
	for _, p := range o.StockPoints {
		switch {
		case p.GPUs != gpus:
		case p.Stock() == StockAvailable:
			return StockAvailable
		case p.Stock() == StockSoldOut:
			stock = StockSoldOut
		}
	}
	if stock == StockUnknown && (!o.PerGPU || gpus == o.GPUCount) {
		return o.Stock
	}
	return stock
}
