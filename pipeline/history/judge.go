package history

import (
	"fmt"
	"strings"

	"mtok/schema"
	"mtok/scrapers"
)

// Judge decides which rows of a file are prices.
type Judge struct {
	Catalog *schema.Catalog
	// Expect gives what is believable at a provider; the zero value for one that is
	// not ours.
	Expect func(schema.ProviderID) scrapers.Expect
	// Today is the last day that a row may be of.
	Today schema.Day
}

// Verdict is what is left of a file.
type Verdict struct {
	Kept    []schema.ImportedPrice
	Lines   []int // of Kept
	Rejects []Reject
}

// gpuName is what a class is found by.
type gpuName struct {
	provider schema.ProviderID
	name     string
	vramMiB  int64
}

// known is a class with the band that its prices lie in.
type known struct {
	id    schema.ClassID
	class schema.GPUClass
	found bool
	band  schema.Band // of an unmatched name, that of all classes that it may mean
}

// ring is one file that is being judged.
type ring struct {
	Judge
	format  Format
	classes map[gpuName]known
	found   map[*Listing]finding
	seen    []schema.ImportedPrice
	lines   []int
	offers  []int32 // of seen: the number of the offer, once they are held against each other
	rejects []Reject
}

// Judge holds each row against the rules: those of a row first, then of rows that
// say the same twice, then of the series that they make.
func (j Judge) Judge(f Format, r Result) Verdict {
	return j.Weigh(f, []Sifted{j.rows(f, r)})[0]
}

// sift judges each row by itself.
func (g *ring) sift(rows []Row) {
	for i := range rows {
		g.row(&rows[i])
	}
	g.found, g.classes = nil, nil // of use to these rows alone
}

func (g *ring) reject(row *Row, rule, reason string) {
	g.rejects = append(g.rejects, Reject{Line: row.Line, Reject: schema.Reject{
		Source: g.source(row), Label: row.label(), PriceText: row.Offer.PriceText, Rule: rule, Reason: reason,
	}})
}

func (g *ring) source(row *Row) string {
	if row.Source != "" {
		return row.Source
	}
	return g.format.Name
}

// classOf finds the class of a row; of an unknown name the memory is part.
func (g *ring) classOf(row *Row) known {
	name := row.As
	if name == "" {
		name = row.Offer.GPURaw
	}
	key := gpuName{row.Offer.Provider, name, row.Offer.VRAMMiB}
	if k, ok := g.classes[key]; ok {
		return k
	}
	id := g.Catalog.Match(key.provider, name, "", key.vramMiB)
	k := known{id: id}
	if k.class, k.found = g.Catalog.GPU(id); !k.found {
		if gb := (key.vramMiB + mibPerGB/2) / mibPerGB; gb > 0 && !strings.HasSuffix(string(id), "gb") {
			k.id += schema.ClassID(fmt.Sprintf("-%dgb", gb))
		}
		k.band = g.family(name)
	}
	g.classes[key] = k
	return k
}

// family is the band that holds those of all classes whose name begins with that of
// a row: whatever form of H100 is meant, none costs 0.50.
func (g *ring) family(name string) (band schema.Band) {
	prefix := strings.ToLower(strings.TrimSpace(name)) + "-"
	for _, class := range g.Catalog.GPUs {
		if !strings.HasPrefix(string(class.ID), prefix) {
			continue
		}
		if band.High == 0 {
			band = class.Band
		}
		band.Low, band.High = min(band.Low, class.Band.Low), max(band.High, class.Band.High)
	}
	return band
}
