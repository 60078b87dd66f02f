package schema

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// ProviderAny lists the names that mean one part whoever prints them.
const ProviderAny ProviderID = "any"

// Match is the class of a listed GPU, with the rule that gave it in words.
type Match struct {
	Class ClassID
	Rule  string
}

// Match returns the class of a GPU as a provider prints it; see Explain.
func (c *Catalog) Match(p ProviderID, name, form string, vramMiB int64) ClassID {
	return c.Explain(p, name, form, vramMiB).Class
}

// Explain finds the class of a GPU by the whole name, word for word, in the
// aliases of that provider and the common names: never by a part of it, since
// "GH200" holds "H200" and "L40S" holds "L40". Where the form factor is printed
// apart, name and form together come first; the name alone then counts only for
// one class whose form factor does not contradict. Where the memory of one GPU
// is printed (vramMiB above zero), the class must be sold with that size. What
// is left unclear is a class of its own below UnmatchedPrefix, never a guess.
func (c *Catalog) Explain(p ProviderID, name, form string, vramMiB int64) Match {
	if nameKey(form) == "" {
		return c.resolve(c.lookUp(p, name), p, name, vramMiB)
	}
	full := name + " " + form
	if found := c.lookUp(p, full); len(found) > 0 {
		return c.resolve(found, p, full, vramMiB)
	}
	found := c.lookUp(p, name)
	if len(found) == 1 && !c.GPUs[found[0].class].hasForm(form) {
		return unmatched(full, "", fmt.Sprintf("%s, but its form factor is not %q", found[0].rule(), form))
	}
	if len(found) > 1 {
		return unmatched(full, "", fmt.Sprintf("%q stands for several classes and %q tells them not apart", name, form))
	}
	return c.resolve(found, p, full, vramMiB)
}

// resolve leaves of the classes found those with the printed memory.
func (c *Catalog) resolve(found []nameEntry, p ProviderID, name string, vramMiB int64) Match {
	if len(found) == 0 {
		return unmatched(name, "", fmt.Sprintf("no alias of %s and no common name is %q", p, clip(name)))
	}
	fits := found
	if vramMiB > 0 {
		fits = slices.DeleteFunc(slices.Clone(found), func(e nameEntry) bool {
			return !c.GPUs[e.class].printsMemory(vramMiB)
		})
	}
	switch {
	case len(fits) == 0:
		memory := fmt.Sprintf("-%dgb", (vramMiB+mibPerGB/2)/mibPerGB)
		return unmatched(name, memory, fmt.Sprintf("%s, but it is not sold with %s", found[0].rule(), memoryText(vramMiB)))
	case len(fits) > 1:
		return unmatched(name, "", fmt.Sprintf("%q stands for several classes of that memory", clip(name)))
	case vramMiB > 0:
		return Match{c.GPUs[fits[0].class].ID, fits[0].rule() + " with " + memoryText(vramMiB)}
	}
	return Match{c.GPUs[fits[0].class].ID, fits[0].rule()}
}

// hasForm reports whether the class's form factor names the printed form: "SXM"
// fits "SXM5 (HGX, 8 per node)".
func (g GPUClass) hasForm(form string) bool {
	own := nameTokens(g.FormFactor)
	return !slices.ContainsFunc(nameTokens(form), func(token string) bool {
		return !slices.ContainsFunc(own, func(t string) bool {
			return t == token || strings.TrimRight(t, "0123456789") == token
		})
	})
}

const (
	mibPerGB = 1024
	// memoryTolerance covers what sellers round away: a driver reports 46,068
	// MiB of a "48 GB" card, and GB are counted in 1,000 or in 1,024 MiB.
	memoryTolerance = 7 // per cent
)

// printsMemory reports whether the class is sold with that memory per GPU.
func (g GPUClass) printsMemory(vramMiB int64) bool {
	return slices.ContainsFunc(g.PrintedGB, func(gb int) bool {
		size := int64(gb) * mibPerGB
		diff := max(vramMiB-size, size-vramMiB)
		return diff <= size*memoryTolerance/100
	})
}

func memoryText(vramMiB int64) string {
	if vramMiB%mibPerGB == 0 {
		return fmt.Sprintf("%d GB", vramMiB/mibPerGB)
	}
	return fmt.Sprintf("%d MiB", vramMiB)
}

// maxSlug bounds the class of an unknown GPU: its name comes from a page.
const maxSlug = 60

func unmatched(name, suffix, rule string) Match {
	text := slug(name)
	if text == "" {
		text = "unnamed"
	}
	if runes := []rune(text); len(runes) > maxSlug-len(suffix) {
		text = strings.TrimRight(string(runes[:maxSlug-len(suffix)]), "-")
	}
	return Match{ClassID(UnmatchedPrefix + text + suffix), rule}
}

func slug(name string) string { return strings.Join(nameTokens(name), "-") }

func nameKey(name string) string { return strings.Join(nameTokens(name), " ") }

func nameTokens(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
