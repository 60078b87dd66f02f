package history

import (
	"embed"
	"fmt"
	"path"
	"strconv"
	"strings"

	"mtok/schema"
)

//go:embed bundled/*.csv
var bundledFiles embed.FS

// Bundle is a record of past prices that comes with the program: of one source, whose
// licence allows it, and only what changed. See NOTICE, and `mtok import bundle`,
// which makes it again.
type Bundle struct {
	Format Format // of the source, but that Parse reads the bundled form
	Name   string
	Body   []byte
}

// Bundles lists them in the order of time.
func Bundles() ([]Bundle, error) {
	var out []Bundle
	for _, f := range []Format{FullStack(), Nixj9(), GPURentalPrices(), TokenPrices()} {
		name := f.Name + ".csv"
		body, err := bundledFiles.ReadFile(path.Join("bundled", name))
		if err != nil {
			return nil, fmt.Errorf("bundled history: %w", err)
		}
		source := f
		f.Parse = func(_ string, body []byte) (Result, error) { return parseBundle(source, body) }
		if f.Name == TokenPrices().Name {
			f.Parse = func(_ string, body []byte) (Result, error) { return parseTokenBundle(source, body) }
		}
		out = append(out, Bundle{Format: f, Name: name, Body: body})
	}
	return out, nil
}

// bundleColumns: a price stood on each day from one to another, both included; on
// days between two rows nothing is known.
func bundleColumns() []string {
	return []string{"from", "to", "source", "provider", "name", "gpu", "class", "vram_mib", "gpus", "per_gpu", "region", "term", "tier", "unit", "price"}
}

// maxStood bounds how long a row of a bundle may be: none of the sources is as old.
const maxStood = 3660

func parseBundle(f Format, body []byte) (Result, error) {
	var r Result
	s, err := openSheet(f, body, bundleColumns(), &r)
	if err != nil {
		return Result{}, err
	}
	for s.next() {
		c := s.cells
		row, err := bundleRow(f, c)
		from, to, ok := s.span(c[0], c[1])
		if err != nil || !ok {
			if err != nil {
				s.fault("%v", err)
			}
			continue
		}
		row.Line = s.line
		for day := from; day <= to; day++ {
			row.Day = day
			r.Rows = append(r.Rows, row)
		}
	}
	return r, nil
}

// span reads the days of a row; what is wrong with them is a fault.
func (s *sheet) span(from, to string) (first, last schema.Day, ok bool) {
	first, err := schema.ParseDay(from)
	if err == nil {
		last, err = schema.ParseDay(to)
	}
	if err == nil && (last < first || last-first > maxStood) {
		err = fmt.Errorf("%s to %s is no span of days", first, last)
	}
	if err != nil {
		s.fault("%v", err)
	}
	return first, last, err == nil
}

func bundleRow(f Format, c []string) (Row, error) {
	row := Row{Listing: &Listing{Source: c[2], As: c[6]}}
	gpus, ok := count(c[8])
	mib, err := strconv.ParseInt(c[7], 10, 64)
	if !ok || err != nil {
		return row, fmt.Errorf("%q GPUs of %q MiB", clip(c[8]), clip(c[7]))
	}
	amount, ok := amountOf(c[14])
	if !ok {
		return row, fmt.Errorf("price %q is no plain number", clip(c[14]))
	}
	o := schema.Offer{
		OfferKey: schema.OfferKey{Provider: schema.ProviderID(c[3]), SKU: schema.ImportedSKU(f.Name, c[4]), GPUCount: gpus, Region: c[10],
			Term: schema.Term(c[11]), Tier: schema.Tier(c[12])},
		GPURaw: c[5], VRAMMiB: mib, Basis: schema.BasisInstance, Unit: schema.Unit(c[13]), PerGPU: c[9] == "1", Currency: "USD",
	}
	row.Offer = priced(o, c[14], amount)
	return row, nil
}

func tokenBundleColumns() []string {
	return []string{"from", "to", "source", "model", "provider", "input_per_mtok", "output_per_mtok", "cached_input_per_mtok"}
}

func parseTokenBundle(f Format, body []byte) (Result, error) {
	var r Result
	s, err := openSheet(f, body, tokenBundleColumns(), &r)
	if err != nil {
		return Result{}, err
	}
	for s.next() {
		c := s.cells
		from, to, ok := s.span(c[0], c[1])
		if !ok {
			continue
		}
		p := schema.ImportedTokenPrice{Source: c[2], Model: c[3], Endpoint: c[4], Text: tokenText(c[5], c[6], c[7])}
		if rule, reason := readTokenPrice(&p, c[5], c[6], c[7]); rule != "" {
			r.reject(s.line, rule, c[3], p.Text, reason)
			continue
		}
		for p.Day = from; p.Day <= to; p.Day++ {
			r.Tokens, r.TokenLines = append(r.Tokens, p), append(r.TokenLines, s.line)
		}
	}
	return r, nil
}

// tokenText is a token price as listed.
func tokenText(in, out, cached string) string {
	var parts []string
	for _, p := range []struct{ text, what string }{{in, "in"}, {out, "out"}, {cached, "cached"}} {
		if p.text != "" {
			parts = append(parts, p.text+" "+p.what)
		}
	}
	return strings.Join(parts, ", ")
}
