package alert

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"mtok/schema"
)

// ErrHistory is wrapped by every error of what a file of observations says.
var ErrHistory = errors.New("not a file of observations")

// History reads observations of several sources from CSV: date, provider,
// gpu_class, form, tier, gpu_count, usd_per_gpu_hr, stat, source, provenance.
// Other columns are not read: a file may carry a verdict on its own rows, by which
// no rule can be tried.
type History struct {
	Classes   []schema.ClassID
	Providers []schema.ProviderID
	Markets   []schema.ProviderID // those that are marketplaces
}

func historyColumns() []string {
	return []string{"date", "provider", "gpu_class", "form", "tier", "gpu_count", "usd_per_gpu_hr", "stat", "source", "provenance"}
}

// Read returns the readings of a file. A line that can't be read is an error that
// names it.
func (h History) Read(from io.Reader) ([]Reading, error) {
	in := csv.NewReader(from)
	head, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("%w: no line of column names: %w", ErrHistory, err)
	}
	head[0] = strings.TrimPrefix(head[0], "\ufeff")
	var at []int
	for _, name := range historyColumns() {
		i := slices.Index(head, name)
		if i < 0 {
			return nil, fmt.Errorf("%w: no column %q among %s", ErrHistory, name, strings.Join(head, ", "))
		}
		at = append(at, i)
	}
	var readings []Reading
	for {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			return readings, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrHistory, err)
		}
		row := make([]string, len(at))
		for i, from := range at {
			row[i] = strings.TrimSpace(fields[from])
		}
		r, err := h.reading(row)
		if err != nil {
			line, _ := in.FieldPos(0)
			return nil, fmt.Errorf("%w: line %d: %w", ErrHistory, line, err)
		}
		readings = append(readings, r)
	}
}

// reading takes the fields in the order of historyColumns.
func (h History) reading(row []string) (Reading, error) {
	var r Reading
	var err error
	if r.Day, err = schema.ParseDay(row[0]); err != nil {
		return r, err
	}
	if r.Provider, err = h.provider(row[1]); err != nil {
		return r, err
	}
	if r.Class, r.Name, err = h.class(row[2], row[3]); err != nil {
		return r, err
	}
	if row[5] != "" {
		if r.GPUs, err = strconv.Atoi(row[5]); err != nil || r.GPUs < 1 {
			return r, fmt.Errorf("gpu_count %q is not a number of GPUs", row[5])
		}
	}
	if r.Price, err = schema.ParseUSD(row[6]); err != nil {
		return r, fmt.Errorf("usd_per_gpu_hr: %w", err)
	}
	if row[8] == "" {
		return r, errors.New("no source")
	}
	r.Source = row[8]
	if r.Provenance, err = provenance(row[9], row[7]); err != nil {
		return r, err
	}
	tier, region, _ := strings.Cut(row[4], ":")
	r.Region = region
	r.Term, r.Tier = termAndTier(tier)
	r.Market = slices.Contains(h.Markets, r.Provider)
	return r, nil
}

// provider knows a provider by its name or by its web address.
func (h History) provider(text string) (schema.ProviderID, error) {
	name, _, _ := strings.Cut(strings.ToLower(text), ".")
	if id := schema.ProviderID(name); slices.Contains(h.Providers, id) {
		return id, nil
	}
	if near := schema.Near(name, texts(h.Providers)); len(near) > 0 {
		return "", fmt.Errorf("unknown provider %q; did you mean %s?", text, strings.Join(near, " or "))
	}
	return "", fmt.Errorf("unknown provider %q; known: %s", text, strings.Join(texts(h.Providers), ", "))
}

// class finds the one class that a chip, its memory and its form name ("A100-80",
// "SXM"); where they may mean several it leaves the name.
func (h History) class(chip, form string) (schema.ClassID, string, error) {
	id := schema.ClassID(strings.ToLower(chip))
	if slices.Contains(h.Classes, id) {
		return id, "", nil
	}
	words := strings.FieldsFunc(strings.ToLower(chip+" "+form), func(r rune) bool { return r == ' ' || r == '-' || r == '_' })
	if len(words) == 0 {
		return "", "", errors.New("no gpu_class")
	}
	for i, w := range words {
		if i > 0 && strings.Trim(w, "0123456789") == "" {
			words[i] = w + "gb"
		}
	}
	name := strings.Join(words, "-")
	var found []schema.ClassID
	for _, class := range h.Classes {
		if named(name, class) {
			found = append(found, class)
		}
	}
	if len(found) == 1 {
		return found[0], "", nil
	}
	return "", name, nil
}

func provenance(text, stat string) (Provenance, error) {
	kind, _, _ := strings.Cut(text, ":")
	switch p := Provenance(kind); {
	case p != Primary && p != Aggregator && p != Static:
		return "", fmt.Errorf("provenance %q: want primary, aggregator or static", text)
	case p == Static:
		return Static, nil
	case strings.Contains(stat, "min"):
		return Minimum, nil
	case stat == "list" || stat == "offer" || stat == "last_of_day" || strings.HasPrefix(stat, "median(n="):
		return p, nil
	}
	return ReportMedian, nil
}

// termAndTier reads a tier that may carry the term, and the name of the field that
// it was read from in brackets. What is not the name of a term is a tier.
func termAndTier(text string) (schema.Term, schema.Tier) {
	word, _, _ := strings.Cut(strings.ToLower(text), "(")
	switch word = strings.ReplaceAll(strings.TrimSpace(word), "-", "_"); word {
	case "", "on_demand", "marketplace", "executable":
		return schema.TermOnDemand, ""
	case "spot", "interruptible":
		return schema.TermSpot, ""
	case "bid_floor":
		return schema.TermBidFloor, ""
	case "reserved":
		return schema.TermReserved, ""
	}
	return schema.TermOnDemand, schema.Tier(word)
}
