package reports

import (
	"fmt"
	"math/big"
	"strings"

	"mtok/schema"
)

// apiDrift is by how much, in per cent of the higher one, two lists may differ of
// one model at one host before it is shown.
const apiDrift = 5

// disagreements are the prices of the workloads' models of which two lists say
// something else, at one host. The list that is nearer to the host is the one that
// counts; the other is kept by hand and lags.
func disagreements(rows, checks []schema.TokenObservation, workloads []Workload) []string {
	var out []string
	seen := map[string]bool{}
	for _, o := range rows {
		if o.MinPromptTokens != 0 || !o.Priced() || !ofWorkload(o, workloads) {
			continue
		}
		for _, c := range checks {
			if c.MinPromptTokens != 0 || !c.Priced() || !sameModel(o.Model, c.Model) || !sameHost(o, c) || !drifts(o.In, c.In) && !drifts(o.Out, c.Out) {
				continue
			}
			line := fmt.Sprintf("Lists disagree by more than %d %% on %s at %s: %s %s in / %s out (used), %s %s / %s.", apiDrift, o.Model,
				hostOf(o), o.Provider, o.In, o.Out, c.Provider, c.In, c.Out)
			if !seen[line] {
				out = append(out, line)
			}
			seen[line] = true
		}
	}
	return out
}

func ofWorkload(o schema.TokenObservation, workloads []Workload) bool {
	for _, w := range workloads {
		if sameModel(o.Model, w.Model) {
			return true
		}
	}
	return false
}

// hostOf is who serves a listed price: the endpoint, else the list itself.
func hostOf(o schema.TokenObservation) string {
	if o.Endpoint == "" {
		return string(o.Provider)
	}
	host, _, _ := strings.Cut(o.Endpoint, "/")
	return host
}

// sameHost compares the letters and digits of two names: "DeepInfra" is
// "deepinfra", "Together" is not "together_ai".
func sameHost(a, b schema.TokenObservation) bool { return bareName(hostOf(a)) == bareName(hostOf(b)) }

func bareName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

func drifts(a, b schema.USD) bool {
	low, high := min(a, b), max(a, b)
	return new(big.Rat).Sub(high.Rat(), low.Rat()).Cmp(new(big.Rat).Mul(high.Rat(), big.NewRat(apiDrift, 100))) > 0
}
