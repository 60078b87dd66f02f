package reports

import (
	"fmt"
	"strconv"
	"strings"

	"mtok/schema"
)

// madeFrom is what token costs were made with, read back from the body of their
// inputs.
type madeFrom struct {
	workload Workload
	row      schema.Throughput
	settings Settings
}

// readInputs reads a body back. It is false where the body does not hold all that a
// cost is made of: what was read, written down again, must be the very body, so that
// no part of one of another version is passed over.
func readInputs(in schema.CostInputs) (madeFrom, bool) {
	var m madeFrom
	ok := true
	for line := range strings.Lines(in.Body) {
		word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		ok = m.read(word, rest) && ok
	}
	ok = ok && costInputs(m.workload, m.row, m.settings) == in
	if !m.settings.Overhead.IsSet() { // items stand in its place
		m.settings.Overhead = schema.MustDecimal("1")
	}
	return m, ok
}

// read takes one line in.
func (m *madeFrom) read(word, rest string) bool {
	switch word {
	case "formula":
		return true // another version is no body of this one
	case "utilization":
		return decimals{"": &m.settings.Utilization}.readAll(map[string]string{"": rest})
	case "overhead":
		return decimals{"": &m.settings.Overhead}.readAll(map[string]string{"": rest})
	}
	name, fields, err := inputFields(rest)
	if err != nil {
		return false
	}
	switch {
	case word == "eligible":
		return m.readEligible(fields)
	case word == "workload":
		w := &m.workload
		w.Name, w.Model = name, fields["model"]
		return decimals{"in": &w.InputTokens, "out": &w.OutputTokens, "ttft_ms": &w.TTFTms, "tpot_ms": &w.TPOTms}.readAll(fields)
	case word == "throughput":
		return m.readRow(name, fields)
	case strings.HasPrefix(word, "storage_gb="):
		return m.readItems(word + " " + rest)
	}
	return false
}

func (m *madeFrom) readEligible(fields map[string]string) bool {
	e := &m.settings.Eligibility
	e.Community, e.Verified = fields["community"] == "true", fields["verified"] == "true"
	e.Datacenter, e.NVLink = fields["datacenter"] == "true", fields["nvlink"] == "true"
	var err error
	e.MinDays, err = strconv.Atoi(fields["min_days"])
	return err == nil && decimals{"min_reliability": &e.MinReliability}.readAll(fields)
}

func (m *madeFrom) readRow(name string, fields map[string]string) bool {
	t := &m.row
	t.ID, t.Class, t.Model, t.Precision = name, schema.ClassID(fields["class"]), fields["model"], fields["precision"]
	t.Engine, t.EngineVersion, t.Source = fields["engine"], fields["version"], fields["source"]
	t.Scenario = schema.Scenario(fields["scenario"])
	var err error
	t.GPUs, err = strconv.Atoi(fields["gpus"])
	return err == nil && decimals{"in": &t.InputTokens, "out": &t.OutputTokens, "tokens_per_second": &t.TokensPerSecond}.readAll(fields)
}

func (m *madeFrom) readItems(line string) bool {
	_, fields, err := inputFields("items " + line)
	if err != nil {
		return false
	}
	i := &m.settings.Items
	var errs [2]error
	i.Replicas, errs[0] = strconv.Atoi(fields["replicas"])
	i.SpareReplicas, errs[1] = strconv.Atoi(fields["spare_replicas"])
	return errs == [2]error{} && decimals{"storage_gb": &i.StorageGB, "storage_usd_per_gb_month": &i.StorageUSDPerGBMonth,
		"egress_usd_per_gb": &i.EgressUSDPerGB, "bytes_per_token": &i.BytesPerToken, "ops_usd_month": &i.OpsUSDMonth,
		"interrupted": &i.InterruptedShare}.readAll(fields)
}

// inputFields splits a line of a body: a name, which may be quoted, and key=value
// pairs.
func inputFields(line string) (name string, fields map[string]string, err error) {
	fields = map[string]string{}
	for rest := line; rest != ""; rest = strings.TrimPrefix(rest, " ") {
		key := ""
		if at := strings.IndexAny(rest, `="`); at >= 0 && rest[at] == '=' && !strings.Contains(rest[:at], " ") {
			key, rest = rest[:at], rest[at+1:]
		}
		var value string
		if strings.HasPrefix(rest, `"`) {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return "", nil, fmt.Errorf("%q: %w", line, err)
			}
			if value, err = strconv.Unquote(quoted); err != nil {
				return "", nil, fmt.Errorf("%q: %w", line, err)
			}
			rest = rest[len(quoted):]
		} else {
			value, _, _ = strings.Cut(rest, " ")
			rest = rest[len(value):]
		}
		if key == "" {
			name = value
		} else {
			fields[key] = value
		}
	}
	return name, fields, nil
}

// decimals are numbers to read, by the name of their field.
type decimals map[string]*schema.Decimal

// readAll reads each; one that is empty is not set.
func (d decimals) readAll(fields map[string]string) bool {
	for key, to := range d {
		text, there := fields[key]
		if !there || text != "" && to.UnmarshalText([]byte(text)) != nil {
			return false
		}
	}
	return true
}
