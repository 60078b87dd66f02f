package cost

import (
	"cmp"
	"fmt"
	"math/big"

	"mtok/schema"
)

// Shape says how a configuration is rented from a provider's offers.
type Shape string

// The shapes, in the order in which they are tried.
const (
	ShapeExact  Shape = "exact"   // an offer of exactly that count
	ShapePerGPU Shape = "per_gpu" // a listing per GPU that allows that count
	ShapeLarger Shape = "larger"  // a share of a larger node
	ShapeNone   Shape = "none"
)

// unpublishedMax is how many GPUs a listing per GPU is believed to reach where
// it names no limit: one node of 8.
const unpublishedMax = 8

// Placement is a configuration put on the offer that prices it.
type Placement struct {
	Shape    Shape
	Offer    schema.Observation // zero where Shape is ShapeNone
	Replicas int                // configurations on the rented node, 0 for none
	NodeGPUs int                // GPUs that must be rented
	// USDPerHour is the exact price of one configuration, nil for none.
	USDPerHour *big.Rat
	Note       string // what a reader must know of the shape; empty when exact
}

// Place prices a configuration of so many GPUs from the offers of one provider,
// tier, term, region and commitment: an offer of exactly that count, else a
// listing per GPU, else the smallest larger node divided by the whole replicas
// that fit. The per-GPU price of another node is never multiplied up. Among
// equal shapes the cheapest offer wins, whatever the order of the offers.
func Place(gpus int, offers []*schema.Observation) Placement {
	if gpus < 1 {
		return Placement{Shape: ShapeNone, Note: "the configuration has no GPUs"}
	}
	var exact, perGPU, larger *schema.Observation
	largest := 0
	for _, o := range offers {
		largest = max(largest, reach(&o.Offer))
		switch {
		case o.Offer.PerGPU:
			if gpus <= reach(&o.Offer) {
				perGPU = better(perGPU, o)
			}
		case o.Offer.GPUCount == gpus:
			exact = better(exact, o)
		case o.Offer.GPUCount > gpus:
			larger = smaller(larger, o)
		}
	}
	switch {
	case exact != nil:
		return Placement{Shape: ShapeExact, Offer: *exact, Replicas: 1, NodeGPUs: gpus,
			USDPerHour: exact.USDPerInstanceHour.Rat()}
	case perGPU != nil:
		return onListing(gpus, perGPU)
	case larger != nil:
		return onNode(gpus, larger)
	case largest == 0:
		return Placement{Shape: ShapeNone, Note: "no offer"}
	}
	return Placement{Shape: ShapeNone, Note: fmt.Sprintf("needs %d GPUs, largest offer has %d", gpus, largest)}
}

func onListing(gpus int, o *schema.Observation) Placement {
	p := Placement{Shape: ShapePerGPU, Offer: *o, Replicas: 1, NodeGPUs: gpus}
	p.USDPerHour = new(big.Rat).Mul(o.USDPerGPUHour.Rat(), big.NewRat(int64(gpus), 1))
	if o.Offer.MaxGPUs == 0 {
		p.Note = "node size not published"
	}
	return p
}

func onNode(gpus int, o *schema.Observation) Placement {
	node := o.Offer.GPUCount
	p := Placement{Shape: ShapeLarger, Offer: *o, Replicas: node / gpus, NodeGPUs: node}
	p.USDPerHour = new(big.Rat).Quo(o.USDPerInstanceHour.Rat(), big.NewRat(int64(p.Replicas), 1))
	word := "replicas"
	if p.Replicas == 1 {
		word = "replica"
	}
	p.Note = fmt.Sprintf("must rent %d: %d %s", node, p.Replicas, word)
	return p
}

// reach is the largest configuration that the offer alone can hold.
func reach(o *schema.Offer) int {
	switch {
	case !o.PerGPU:
		return o.GPUCount
	case o.MaxGPUs == 0:
		return unpublishedMax
	}
	return o.MaxGPUs
}

func better(a, b *schema.Observation) *schema.Observation {
	if a == nil || Cheaper(b, a) < 0 {
		return b
	}
	return a
}

func smaller(a, b *schema.Observation) *schema.Observation {
	if a == nil || b.Offer.GPUCount < a.Offer.GPUCount ||
		(b.Offer.GPUCount == a.Offer.GPUCount && Cheaper(b, a) < 0) {
		return b
	}
	return a
}

// Cheaper orders observations by their price per GPU-hour, then known stock
// first, then by identity, so that equal prices give one answer in any order
// and in any database: the ids of rows depend on who was saved first.
func Cheaper(a, b *schema.Observation) int {
	// cmp.Or makes every comparison each time; mostly the price decides.
	if order := cmp.Compare(a.USDPerGPUHour, b.USDPerGPUHour); order != 0 {
		return order
	}
	return cmp.Or(
		cmp.Compare(stockRank(a.Offer.StockFor(a.Offer.GPUCount)), stockRank(b.Offer.StockFor(b.Offer.GPUCount))),
		cmp.Compare(a.Offer.Provider, b.Offer.Provider),
		cmp.Compare(a.Offer.SKU, b.Offer.SKU),
		cmp.Compare(a.Offer.GPUCount, b.Offer.GPUCount),
		cmp.Compare(a.Offer.Region, b.Offer.Region),
		cmp.Compare(a.Offer.Tier, b.Offer.Tier),
		cmp.Compare(a.Offer.Term, b.Offer.Term),
		cmp.Compare(a.Offer.Commitment.MinDays, b.Offer.Commitment.MinDays),
		cmp.Compare(a.Offer.Commitment.MaxDays, b.Offer.Commitment.MaxDays),
		cmp.Compare(a.Source, b.Source),
		cmp.Compare(a.FetchID, b.FetchID),
	)
}

func stockRank(s schema.Stock) int {
	switch s {
	case schema.StockAvailable:
		return 0
	case schema.StockUnknown:
		return 1
	}
	return 2
}
