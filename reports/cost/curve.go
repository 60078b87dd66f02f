package cost

import "mtok/schema"

// Point is a cost at one utilization.
type Point struct {
	Utilization schema.Decimal
	PerMTok     PerMTok
}

// Curve is the cost over utilization: one point alone misleads, since a half-empty
// machine costs twice as much a token. The cost at each of them is computed by
// the caller's rule; its first error ends the curve.
func Curve(at []schema.Decimal, compute func(utilization schema.Decimal) (PerMTok, error)) ([]Point, error) {
	out := make([]Point, 0, len(at))
	for _, u := range at {
		per, err := compute(u)
		if err != nil {
			return nil, err
		}
		out = append(out, Point{u, per})
	}
	return out, nil
}

// DefaultCurve are the utilizations that a curve shows: dense at the low end,
// where most deployments are and the cost moves most.
func DefaultCurve() []schema.Decimal {
	var out []schema.Decimal
	for _, u := range []string{"0.05", "0.10", "0.15", "0.20", "0.30", "0.40", "0.50", "0.65", "0.80", "1.00"} {
		out = append(out, schema.MustDecimal(u))
	}
	return out
}
