package cost_test

import (
	"math/rand/v2"
	"testing"

	"mtok/reports/cost"
	"mtok/schema"
)

func node(count int, hour string) schema.Observation {
	var o schema.Observation
	o.Offer.GPUCount = count
	o.USDPerInstanceHour, _ = schema.ParseUSD(hour)
	o.USDPerGPUHour = o.USDPerInstanceHour / schema.USD(count)
	return o
}

func perGPU(hour string, most int) schema.Observation {
	o := node(1, hour)
	o.Offer.PerGPU, o.Offer.MaxGPUs = true, most
	return o
}

func TestPlace(t *testing.T) {
	lambda := []schema.Observation{node(1, "4.29"), node(2, "8.38"), node(4, "16.36"), node(8, "31.92")}
	tests := []struct {
		name     string
		gpus     int
		offers   []schema.Observation
		shape    cost.Shape
		hour     string
		replicas int
		nodeGPUs int
		note     string
	}{
		{"exact count, not the 8x price", 2, lambda, cost.ShapeExact, "8.38", 1, 2, ""},
		{"exact before a cheaper listing per GPU", 2, append([]schema.Observation{perGPU("1.00", 0)}, lambda...), cost.ShapeExact, "8.38", 1, 2, ""},
		{"listing per GPU", 2, []schema.Observation{perGPU("3.90", 0)}, cost.ShapePerGPU, "7.80", 1, 2, "node size not published"},
		{"listing per GPU, one GPU", 1, []schema.Observation{perGPU("3.90", 0)}, cost.ShapePerGPU, "3.90", 1, 1, "node size not published"},
		{"listing per GPU with its limit", 4, []schema.Observation{perGPU("2.99", 4)}, cost.ShapePerGPU, "11.96", 1, 4, ""},
		{"above the limit", 8, []schema.Observation{perGPU("2.99", 4)}, cost.ShapeNone, "", 0, 0, "needs 8 GPUs, largest offer has 4"},
		{"above an unpublished limit", 16, []schema.Observation{perGPU("2.99", 0)}, cost.ShapeNone, "", 0, 0, "needs 16 GPUs, largest offer has 8"},
		{"share of a larger node", 2, []schema.Observation{node(8, "49.24")}, cost.ShapeLarger, "12.31", 4, 8, "must rent 8: 4 replicas"},
		{"smallest larger node", 2, []schema.Observation{node(8, "20.00"), node(4, "16.36")}, cost.ShapeLarger, "8.18", 2, 4, "must rent 4: 2 replicas"},
		{"whole replicas only", 3, []schema.Observation{node(8, "16.00")}, cost.ShapeLarger, "8.00", 2, 8, "must rent 8: 2 replicas"},
		{"one replica on too large a node", 3, []schema.Observation{node(4, "16.00")}, cost.ShapeLarger, "16.00", 1, 4, "must rent 4: 1 replica"},
		{"never multiplied up", 8, []schema.Observation{node(1, "4.29"), node(4, "16.36")}, cost.ShapeNone, "", 0, 0, "needs 8 GPUs, largest offer has 4"},
		{"cheapest of equal counts", 2, []schema.Observation{node(2, "9.00"), node(2, "8.00")}, cost.ShapeExact, "8.00", 1, 2, ""},
		{"nothing", 2, nil, cost.ShapeNone, "", 0, 0, "no offer"},
		{"no configuration", 0, lambda, cost.ShapeNone, "", 0, 0, "the configuration has no GPUs"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := cost.Place(tt.gpus, pointers(tt.offers))
			hour := ""
			if got.USDPerHour != nil {
				hour = got.USDPerHour.FloatString(2)
			}
			if got.Shape != tt.shape || hour != tt.hour || got.Replicas != tt.replicas || got.NodeGPUs != tt.nodeGPUs || got.Note != tt.note {
				t.Errorf("got %s %q %d replicas on %d %q, want %s %q %d on %d %q", got.Shape, hour, got.Replicas, got.NodeGPUs, got.Note,
					tt.shape, tt.hour, tt.replicas, tt.nodeGPUs, tt.note)
			}
		})
	}
}

func TestPlaceIsExact(t *testing.T) {
	got := cost.Place(2, pointers([]schema.Observation{node(6, "10.00")}))
	if want := "10/3"; got.USDPerHour.RatString() != want {
		t.Errorf("a third of 10.00 is %s, want %s", got.USDPerHour.RatString(), want)
	}
}

func TestPlaceIgnoresOrder(t *testing.T) {
	offers := []schema.Observation{node(2, "8.00"), node(2, "8.00"), node(2, "8.00"), node(4, "9.00"), perGPU("1.00", 8)}
	for i := range offers {
		offers[i].OfferID = int64(10 + i)
	}
	offers[1].Offer.Stock = schema.StockAvailable
	offers[2].Offer.Stock = schema.StockSoldOut
	random := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		random.Shuffle(len(offers), func(i, j int) { offers[i], offers[j] = offers[j], offers[i] })
		if got := cost.Place(2, pointers(offers)); got.Offer.OfferID != 11 {
			t.Fatalf("offer %d, want 11, the one in stock", got.Offer.OfferID)
		}
	}
}

func pointers(offers []schema.Observation) []*schema.Observation {
	out := make([]*schema.Observation, len(offers))
	for i := range offers {
		out[i] = &offers[i]
	}
	return out
}
