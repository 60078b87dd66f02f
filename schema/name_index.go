package schema

import (
	"fmt"
	"maps"
	"slices"
)

// nameIndex holds the classes of every alias by provider and nameKey.
type nameIndex map[ProviderID]map[string][]nameEntry

// nameEntry is one alias of one class.
type nameEntry struct {
	class int // in Catalog.GPUs
	list  ProviderID
	alias string
}

func (e nameEntry) rule() string {
	if e.list == ProviderAny {
		return fmt.Sprintf("common name %q", e.alias)
	}
	return fmt.Sprintf("%s alias %q", e.list, e.alias)
}

func indexNames(gpus []GPUClass) nameIndex {
	index := nameIndex{}
	add := func(list ProviderID, alias string, class int) {
		if index[list] == nil {
			index[list] = map[string][]nameEntry{}
		}
		key := nameKey(alias)
		index[list][key] = append(index[list][key], nameEntry{class, list, alias})
	}
	for i, g := range gpus {
		for _, list := range slices.Sorted(maps.Keys(g.Aliases)) {
			for _, alias := range g.Aliases[list] {
				add(list, alias, i)
			}
		}
		// A class answers to its own id: files that users write hold slugs.
		add(ProviderAny, string(g.ID), i)
	}
	return index
}

// lookUp returns the entries of a name, each class once, the provider's own
// aliases first.
func (c *Catalog) lookUp(p ProviderID, name string) []nameEntry {
	key := nameKey(name)
	var found []nameEntry
	for _, list := range []ProviderID{p, ProviderAny} {
		for _, e := range c.names[list][key] {
			if !slices.ContainsFunc(found, func(f nameEntry) bool { return f.class == e.class }) {
				found = append(found, e)
			}
		}
	}
	return found
}
