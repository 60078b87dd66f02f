package schema

import (
	"fmt"
	"slices"
)

// UserRows are what a user adds to the catalog: [[throughput]] and [[model]] of
// config.toml, or an imported file of the same form.
type UserRows struct {
	Models      []Model      `toml:"model"`
	Throughputs []Throughput `toml:"throughput"`
}

// ParseUserRows reads a file of [[throughput]] and [[model]] tables. An unknown
// key is an error. The rows are checked when they join a catalog, see With.
func ParseUserRows(text []byte) (UserRows, error) {
	var rows UserRows
	if err := decodeStrict(text, &rows); err != nil {
		return UserRows{}, err
	}
	return rows, nil
}

// With returns a catalog that holds the user's rows too, read from the named
// file. A row with a known id takes the place of that row; a default throughput
// takes the place of its class's default. The catalog itself stays as it is. The
// rows obey the rules of the catalog, source and date included; one published
// row is assumed behind a figure that says nothing else.
func (c *Catalog) With(rows UserRows, givenIn string) (*Catalog, error) {
	out := &Catalog{GPUs: c.GPUs, Models: slices.Clone(c.Models), Throughputs: slices.Clone(c.Throughputs), names: c.names}
	if err := onceEach(rows); err != nil {
		return nil, err
	}
	for _, m := range rows.Models {
		i := slices.IndexFunc(out.Models, func(old Model) bool { return old.ID == m.ID })
		if i < 0 {
			out.Models = append(out.Models, m)
			continue
		}
		out.Models[i] = m
	}
	for i, old := range out.Throughputs {
		if slices.ContainsFunc(rows.Throughputs, func(t Throughput) bool { return t.Default && t.Class == old.Class }) {
			out.Throughputs[i].Default = false
		}
	}
	for _, t := range rows.Throughputs {
		t.GivenIn, t.Rows = givenIn, max(t.Rows, 1)
		i := slices.IndexFunc(out.Throughputs, func(old Throughput) bool { return old.ID == t.ID })
		if i < 0 {
			out.Throughputs = append(out.Throughputs, t)
			continue
		}
		t.Default = t.Default || (out.Throughputs[i].Default && out.Throughputs[i].Class == t.Class)
		out.Throughputs[i] = t
	}
	if err := out.check(); err != nil {
		return nil, err
	}
	return out, nil
}

// onceEach refuses an id that the user gives twice: the second row would quietly
// take the place of the first.
func onceEach(rows UserRows) error {
	seen := map[string]bool{}
	for _, m := range rows.Models {
		if seen["model "+m.ID] {
			return fmt.Errorf("model %q occurs twice", m.ID)
		}
		seen["model "+m.ID] = true
	}
	for _, t := range rows.Throughputs {
		if seen["throughput "+t.ID] {
			return fmt.Errorf("throughput %q occurs twice", t.ID)
		}
		seen["throughput "+t.ID] = true
	}
	return nil
}

// ModelNames lists every name that Model answers to.
func (c *Catalog) ModelNames() []string {
	var names []string
	for _, m := range c.Models {
		names = append(names, m.allNames()...)
	}
	return names
}

// ClassNames lists the ids of the classes.
func (c *Catalog) ClassNames() []string {
	var names []string
	for _, g := range c.GPUs {
		names = append(names, string(g.ID))
	}
	return names
}
