package schema

import (
	"fmt"
	"math/big"
	"slices"
)

// Scenario is the load under which a throughput was measured. Figures of two
// scenarios are not compared.
type Scenario string

// The scenarios.
const (
	ScenarioMaxLoad     Scenario = "max-load"           // every request queued at once
	ScenarioOffline     Scenario = "mlperf-offline"     // likewise, by MLPerf's rules
	ScenarioServer      Scenario = "mlperf-server"      // Poisson arrivals under a latency bound
	ScenarioInteractive Scenario = "mlperf-interactive" // the same under a tighter bound
	ScenarioRate        Scenario = "request-rate"       // requests sent at a chosen rate
	ScenarioConcurrency Scenario = "concurrency"        // a chosen number of requests in flight
)

// scenarios lists them all.
func scenarios() []Scenario {
	return []Scenario{ScenarioMaxLoad, ScenarioOffline, ScenarioServer, ScenarioInteractive, ScenarioRate, ScenarioConcurrency}
}

func (s Scenario) known() bool { return s == "" || slices.Contains(scenarios(), s) }

// The bases of a latency.
const (
	LatencyPromise = "promise" // held by 99 of 100 requests
	LatencyMean    = "mean"    // seen on average, promised to nobody
)

// Latency is what the requests of a measurement waited, in milliseconds.
type Latency struct {
	TTFTms Decimal `toml:"ttft_ms"`       // to the first token
	TPOTms Decimal `toml:"tpot_ms"`       // for each further token
	Basis  string  `toml:"latency_basis"` // LatencyPromise or LatencyMean
}

// IsSet reports whether any latency is known.
func (l Latency) IsSet() bool { return l.TTFTms.IsSet() && l.TPOTms.IsSet() }

// String prints "first token 450 ms, then 40 ms a token".
func (l Latency) String() string {
	if !l.IsSet() {
		return "no latency stated"
	}
	return fmt.Sprintf("first token %s ms, then %s ms a token", l.TTFTms, l.TPOTms)
}

// Within reports whether this latency is at most the bound, both known.
func (l Latency) Within(bound Latency) bool {
	return l.IsSet() && bound.IsSet() &&
		l.TTFTms.Rat().Cmp(bound.TTFTms.Rat()) <= 0 && l.TPOTms.Rat().Cmp(bound.TPOTms.Rat()) <= 0
}

func (l Latency) check() error {
	switch {
	case l.TTFTms.IsSet() != l.TPOTms.IsSet():
		return fmt.Errorf("ttft_ms and tpot_ms come together")
	case l.IsSet() && (l.TTFTms.Rat().Sign() <= 0 || l.TPOTms.Rat().Sign() <= 0):
		return fmt.Errorf("ttft_ms and tpot_ms must be above zero")
	case l.IsSet() != (l.Basis != ""):
		return fmt.Errorf("latency_basis belongs to ttft_ms and tpot_ms")
	case l.Basis != "" && l.Basis != LatencyPromise && l.Basis != LatencyMean:
		return fmt.Errorf("latency_basis must be %q or %q, is %q", LatencyPromise, LatencyMean, l.Basis)
	}
	return nil
}

// Latency is what the requests of this measurement waited.
func (t Throughput) Latency() Latency { return Latency{t.TTFTms, t.TPOTms, t.LatencyBasis} }

// Ceiling reports whether the row is a maximum under full load that promises no
// latency, so that real traffic stays below it.
func (t Throughput) Ceiling() bool {
	return t.Scenario == ScenarioMaxLoad || t.Scenario == ScenarioOffline
}

// Promises reports whether the row held a latency bound while it was measured,
// the bound's figures known or not.
func (t Throughput) Promises() bool {
	return t.LatencyBasis == LatencyPromise || t.Scenario == ScenarioServer || t.Scenario == ScenarioInteractive
}

// Load says in a few words what a reader may expect of the figure.
func (t Throughput) Load() string {
	switch {
	case t.Ceiling():
		return "ceiling: all requests queued, no latency promise"
	case t.Promises() && !t.Latency().IsSet():
		return "under the latency bound of " + string(t.Scenario)
	case t.Promises():
		return "promise: " + t.Latency().String() + " (99th percentile)"
	case t.Concurrency > 0 && t.Latency().IsSet():
		return fmt.Sprintf("%d requests in flight, mean %s", t.Concurrency, t.Latency())
	case t.Latency().IsSet():
		return "chosen load, mean " + t.Latency().String()
	case t.Concurrency > 0:
		return fmt.Sprintf("%d requests in flight, no latency stated", t.Concurrency)
	}
	return "load not stated: may be a ceiling"
}

// checkLoad checks what says under which load a row was measured.
func (t Throughput) checkLoad() error {
	one := big.NewRat(1, 1)
	switch {
	case !t.Scenario.known():
		return fmt.Errorf("scenario %q is none of %q", t.Scenario, scenarios())
	case t.Concurrency < 0:
		return fmt.Errorf("concurrency must be above zero, or left out where it is not known")
	case t.Ceiling() && t.LatencyBasis == LatencyPromise:
		return fmt.Errorf("scenario %q promises no latency", t.Scenario)
	case t.AcceptedPerStep.IsSet() && t.AcceptedPerStep.Rat().Cmp(one) < 0:
		return fmt.Errorf("accepted_tokens_per_step must be 1 or more, is %s", t.AcceptedPerStep)
	case t.PrefixCacheShare.Rat().Cmp(one) >= 0:
		return fmt.Errorf("prefix_cache_share must be below 1, is %s", t.PrefixCacheShare)
	}
	for _, d := range []Decimal{t.InputTokens, t.OutputTokens} {
		if d.IsSet() && d.Rat().Sign() <= 0 {
			return fmt.Errorf("input_tokens and output_tokens must be above zero, or left out where they are not known")
		}
	}
	return t.Latency().check()
}
