package schema

import (
	"fmt"
	"strings"
	"time"
)

// RowFault is what is wrong with one key of a catalog row, so that a user's row
// can be laid to its line.
type RowFault struct {
	Key    string
	Reason string
	// Unknown is a name that the catalog does not have, empty for another fault.
	Unknown string
}

// String names the key with the reason.
func (f RowFault) String() string { return f.Key + " " + f.Reason }

// Faults reports everything that is wrong with a model by itself.
func (m Model) Faults() []RowFault {
	var out []RowFault
	add := func(bad bool, key, reason string) {
		if bad {
			out = append(out, RowFault{Key: key, Reason: reason})
		}
	}
	add(strings.TrimSpace(m.ID) == "", "model", "is missing")
	add(m.ParamsB.Rat().Sign() <= 0, "params_b", "must be above zero")
	add(m.Layers <= 0, "layers", "must be above zero")
	add(m.KVBytesPerToken <= 0, "kv_bytes_per_token_fp16", "must be above zero")
	add(m.ActiveParamsB.Rat().Cmp(m.ParamsB.Rat()) > 0, "active_params_b", "must not be above params_b")
	return append(out, provenanceFaults(m.Source, m.Date)...)
}

// ThroughputFaults reports everything that is wrong with a row by itself, class
// and model unknown to the catalog included.
func (c *Catalog) ThroughputFaults(t Throughput) []RowFault {
	var out []RowFault
	add := func(bad bool, key, format string, args ...any) {
		if bad {
			out = append(out, RowFault{Key: key, Reason: fmt.Sprintf(format, args...)})
		}
	}
	add(strings.TrimSpace(t.ID) == "", "id", "is missing")
	if _, ok := c.GPU(t.Class); !ok {
		out = append(out, RowFault{Key: "class", Reason: fmt.Sprintf("%q is not in gpus.toml", t.Class), Unknown: string(t.Class)})
	}
	if _, ok := c.Model(t.Model); !ok {
		out = append(out, RowFault{Key: "model", Reason: fmt.Sprintf("%q is not in models.toml", t.Model), Unknown: t.Model})
	}
	add(t.GPUs <= 0, "gpus", "must be above zero")
	switch {
	case !t.TokensPerSecond.IsSet():
		add(true, "tokens_per_second", "is missing: without a throughput there is no cost")
	case t.TokensPerSecond.Rat().Sign() <= 0:
		add(true, "tokens_per_second", "must be above zero: nothing can be divided by it")
	}
	add(t.Rows < 0, "rows", "must be above zero")
	if err := t.checkLoad(); err != nil {
		out = append(out, RowFault{Key: "load", Reason: err.Error()})
	}
	return append(out, provenanceFaults(t.Source, t.Date)...)
}

func provenanceFaults(source, date string) []RowFault {
	var out []RowFault
	if strings.TrimSpace(source) == "" {
		out = append(out, RowFault{Key: "source", Reason: "is missing: a figure without one can't be checked again"})
	}
	_, monthErr := time.Parse("2006-01", date)
	if _, dayErr := time.Parse(dayLayout, date); dayErr != nil && monthErr != nil {
		out = append(out, RowFault{Key: "date", Reason: fmt.Sprintf("%q is neither a day nor a month", date)})
	}
	return out
}
