package pipeline_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
)

// book is where an answer of JSON has its listings.
type book struct {
	path    string
	wrapper []string // the way from the root to the rows
	fields  []bookField
	// swaps are pairs of fields of one row that may be taken for each other
	swaps [][2]string
	spots []int // rows that get each damage
}

// bookField is a field that a price, an identity or a standing hangs on.
type bookField struct {
	name string // "specs.gpus" below the row
	// kind is 'n' for a number of money, 'c' for a count, 'b' for a boolean, 's'
	// for a text or an identity, 'f' for the floor of a bid and 'o' for another
	// value.
	kind byte
}

func (b *book) rows(root *tree) []*tree {
	var rows []*tree
	for _, m := range root.at(b.wrapper...).members {
		rows = append(rows, m.value)
	}
	return rows
}

// parent is the object that holds a field of a row, and the field's own name.
func (b *book) parent(row *tree, f string) (*tree, string) {
	path := strings.Split(f, ".")
	return row.at(path[:len(path)-1]...), path[len(path)-1]
}

// edit is a damage of one field.
type edit struct {
	name   string
	change func(parent *tree, name string)
}

// set gives the field another value, written from the old one.
func set(name string, value func(old string) string) edit {
	return edit{name, func(parent *tree, field string) {
		if node := parent.at(field); node != nil {
			node.literal(value(node.text))
		}
	}}
}

// fixed is set to one value.
func fixed(name, value string) edit { return set(name, func(string) string { return value }) }

// ratio is the number times a ratio.
func ratio(name string, num, den int64) edit {
	return set(name, func(old string) string { return scaleNumber(old, num, den) })
}

func scaleNumber(old string, num, den int64) string {
	r, ok := new(big.Rat).SetString(old)
	if !ok {
		return old
	}
	r.Mul(r, big.NewRat(num, den))
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(9), "0")
}

// anyEdits are damages of whatever field.
func anyEdits() []edit {
	return []edit{
		{"field-renamed", func(p *tree, f string) { p.rename(f, f+"_usd") }},
		{"field-gone", func(p *tree, f string) { p.remove(f) }},
		{"field-capitals", func(p *tree, f string) { p.rename(f, strings.ToUpper(f)) }},
		{"field-title", func(p *tree, f string) { p.rename(f, strings.ToUpper(f[:1])+f[1:]) }},
		fixed("null", "null"), fixed("empty-text", `""`), fixed("empty-object", "{}"), fixed("empty-array", "[]"),
		set("in-object", func(old string) string { return `{"amount": ` + old + `, "currency": "USD"}` }),
		set("in-array", func(old string) string { return "[" + old + "]" }),
		{"twice-same", func(p *tree, f string) {
			if v := p.at(f); v != nil {
				p.members = append(p.members, member{f, v.clone()})
			}
		}},
		{"twice-null-first", func(p *tree, f string) {
			p.members = append([]member{{f, &tree{kind: 'n', text: "null"}}}, p.members...)
		}},
	}
}

func numberEdits() []edit {
	twice := func(name string, first bool) edit {
		return edit{name, func(p *tree, f string) {
			if v := p.at(f); v != nil {
				other := v.clone()
				other.literal(scaleNumber(v.text, 5, 4))
				if first {
					p.members = append([]member{{f, other}}, p.members...)
				} else {
					p.members = append(p.members, member{f, other})
				}
			}
		}}
	}
	return []edit{
		set("text-for-number", func(old string) string { return `"` + old + `"` }),
		set("dollar-text", func(old string) string { return `"$` + old + `"` }),
		set("comma-text", func(old string) string { return `"` + strings.ReplaceAll(old, ".", ",") + `"` }),
		fixed("true-for-number", "true"), fixed("zero", "0"), fixed("zero-point", "0.00"), fixed("not-a-number", "NaN"), fixed("infinity", "Infinity"),
		fixed("huge", "1e400"), fixed("tiny", "1e-400"), fixed("half-dollar", "0.5"), fixed("text-nan", `"NaN"`),
		set("negative", func(old string) string { return "-" + old }), set("plus-sign", func(old string) string { return "+" + old }),
		set("leading-zero", func(old string) string { return "0" + old }), set("decimal-comma", func(old string) string { return strings.ReplaceAll(old, ".", ",") }),
		set("exponent-same", func(old string) string { return scaleNumber(old, 1000, 1) + "e-3" }),
		set("exponent-up", func(old string) string { return old + "e2" }), set("exponent-down", func(old string) string { return old + "E-2" }),
		ratio("x4", 4, 1), ratio("by4", 1, 4), ratio("x8", 8, 1), ratio("by8", 1, 8), ratio("x10", 10, 1), ratio("by10", 1, 10),
		ratio("x100", 100, 1), ratio("by100", 1, 100), ratio("x730", 730, 1), ratio("x1000", 1000, 1), ratio("by1000", 1, 1000),
		twice("twice-other", false), twice("twice-other-first", true),
	}
}

func countEdits() []edit {
	return []edit{
		ratio("count-x2", 2, 1), ratio("count-by2", 1, 2), ratio("count-x8", 8, 1), ratio("count-by8", 1, 8), fixed("count-zero", "0"), fixed("count-negative", "-1"),
		fixed("count-fraction", "1.5"), fixed("count-many", "4096"), set("count-text", func(old string) string { return `"` + old + `"` }),
		set("count-point", func(old string) string { return old + ".0" }), fixed("count-true", "true"),
	}
}

func boolEdits() []edit {
	return []edit{
		set("flag-text", func(old string) string { return `"` + old + `"` }), set("flag-number", func(old string) string {
			if old == "true" {
				return "1"
			}
			return "0"
		}),
		fixed("flag-yes", `"yes"`),
		set("flag-flipped", func(old string) string {
			if old == "true" {
				return "false"
			}
			return "true"
		}),
	}
}

func textEdits() []edit {
	return []edit{
		fixed("number-for-text", "80"), set("text-blank", func(old string) string { return `" ` + strings.Trim(old, `"`) + ` "` }),
		set("text-nbsp", func(old string) string { return strings.ReplaceAll(old, " ", `\u00a0`) }),
		set("text-upper", strings.ToUpper), set("text-lower", strings.ToLower),
		set("text-mark", func(old string) string { return `"\u200f` + old[1:] }),
		set("text-markup", func(old string) string { return `"<b>` + strings.Trim(old, `"`) + `</b>"` }),
		set("text-escaped", func(old string) string { return strings.ReplaceAll(old, "0", `\u0030`) }),
	}
}

// fields runs the edits of each field, in single rows and in all.
func (s *subject) fields(t *testing.T, b *book) {
	t.Helper()
	for _, f := range b.fields {
		edits := anyEdits()
		switch f.kind {
		case 'n':
			edits = append(edits, numberEdits()...)
		case 'c':
			edits = append(edits, countEdits()...)
		case 'b':
			edits = append(edits, boolEdits()...)
		case 's':
			edits = append(edits, textEdits()...)
		}
		for _, e := range edits {
			for _, spot := range b.spots {
				s.edit(t, b, e.name, fmt.Sprintf("%s-row-%d", f.name, spot), func(i int, row *tree) {
					if parent, name := b.parent(row, f.name); i == spot && parent != nil {
						e.change(parent, name)
					}
				})
			}
			if f.kind == 'o' && e.name != "field-gone" && e.name != "null" {
				continue // of little weight
			}
			s.edit(t, b, e.name, f.name+"-all", func(_ int, row *tree) {
				if parent, name := b.parent(row, f.name); parent != nil {
					e.change(parent, name)
				}
			})
		}
	}
	s.shiftedFields(t, b)
	for _, pair := range b.swaps {
		change := func(row *tree) {
			parent, first := b.parent(row, pair[0])
			_, second := b.parent(row, pair[1])
			if parent != nil {
				parent.swap(first, second)
			}
		}
		for _, spot := range b.spots {
			s.edit(t, b, "fields-swapped", fmt.Sprintf("%s-%s-row-%d", pair[0], pair[1], spot), func(i int, row *tree) {
				if i == spot {
					change(row)
				}
			})
		}
		s.edit(t, b, "fields-swapped", fmt.Sprintf("%s-%s-all", pair[0], pair[1]), func(_ int, row *tree) { change(row) })
	}
}

// edit changes rows, where that changes anything.
func (s *subject) edit(t *testing.T, b *book, mutator, site string, change func(i int, row *tree)) {
	t.Helper()
	root := parseTree(t, s.page(t, b.path))
	before := root.String()
	for i, row := range b.rows(root) {
		change(i, row)
	}
	if after := root.String(); after != before {
		s.damage(mutator, site, b.path, after)
	}
}

// root changes the whole answer.
func (s *subject) root(t *testing.T, b *book, mutator, site string, change func(root *tree) string) *mutation {
	t.Helper()
	return s.damage(mutator, site, b.path, change(parseTree(t, s.page(t, b.path))))
}

// answer changes the rows as a whole and what is around them.
func (s *subject) answer(t *testing.T, b *book) {
	t.Helper()
	rows := func(root *tree) *tree { return root.at(b.wrapper...) }
	add := func(mutator, site string, change func(rows *tree)) *mutation {
		return s.root(t, b, mutator, site, func(root *tree) string { change(rows(root)); return root.String() })
	}
	s.singleRows(t, b, add)
	add("rows-reversed", "all", func(r *tree) {
		for i, j := 0, len(r.members)-1; i < j; i, j = i+1, j-1 {
			r.members[i], r.members[j] = r.members[j], r.members[i]
		}
	})
	add("rows-empty", "all", func(r *tree) { r.members = nil }).drops = true
	add("rows-null", "all", func(r *tree) { r.literal("null") })
	add("rows-text", "all", func(r *tree) { r.literal(`"none"`) })
	add("rows-nested", "all", func(r *tree) { *r = tree{kind: '[', members: []member{{"", r.clone()}}} })
	add("rows-other-kind", "all", func(r *tree) {
		out := &tree{kind: '{' + '[' - r.kind}
		for i, m := range r.members {
			out.members = append(out.members, member{fmt.Sprintf("n%d", i), m.value})
		}
		*r = *out
	})
	s.wrappers(t, b)
	s.root(t, b, "errors-beside", "root", func(root *tree) string {
		root.members = append(root.members, member{"errors", &tree{kind: 'n', text: `[{"message": "partial"}]`}})
		return root.String()
	})
	s.root(t, b, "error-beside", "root", func(root *tree) string {
		root.members = append(root.members, member{"error", &tree{kind: 'n', text: `{"code": "internal"}`}})
		return root.String()
	})
	s.root(t, b, "success-false", "root", func(root *tree) string { root.add("success", "false"); return root.String() })
}

// singleRows drops, breaks and doubles single rows.
func (s *subject) singleRows(t *testing.T, b *book, add func(mutator, site string, change func(rows *tree)) *mutation) {
	t.Helper()
	for _, spot := range b.spots {
		site := fmt.Sprintf("row-%d", spot)
		add("row-dropped", site, func(r *tree) { r.members = append(r.members[:spot:spot], r.members[spot+1:]...) }).drops = true
		for name, value := range map[string]string{"row-null": "null", "row-number": "3", "row-empty": "{}", "row-array": "[]", "row-text": `"row"`} {
			add(name, site, func(r *tree) { r.members[spot].value = &tree{kind: 'n', text: value} })
		}
		add("row-in-array", site, func(r *tree) {
			r.members[spot].value = &tree{kind: '[', members: []member{{"", r.members[spot].value}}}
		})
		add("row-twice", site, func(r *tree) {
			r.members = append(r.members, member{r.members[spot].name, r.members[spot].value.clone()})
		})
		for _, f := range b.fields {
			if f.kind != 'n' {
				continue
			}
			for _, side := range []string{"after", "before"} {
				add("row-twice-other-price", site+"-"+f.name+"-"+side, func(r *tree) {
					other := member{r.members[spot].name, r.members[spot].value.clone()}
					parent, name := b.parent(other.value, f.name)
					if v := parent.at(name); v != nil {
						v.literal(scaleNumber(v.text, 9, 8))
					}
					if side == "after" {
						r.members = append(r.members, other)
					} else {
						r.members = append([]member{other}, r.members...)
					}
				})
			}
		}
	}
}

// wrappers damages what is around the rows.
func (s *subject) wrappers(t *testing.T, b *book) {
	t.Helper()
	for depth, name := range b.wrapper {
		site := strings.Join(b.wrapper[:depth+1], ".")
		parent := func(root *tree) *tree { return root.at(b.wrapper[:depth]...) }
		s.root(t, b, "wrapper-renamed", site, func(root *tree) string { parent(root).rename(name, name+"s2"); return root.String() })
		s.root(t, b, "wrapper-gone", site, func(root *tree) string { return parent(root).at(name).String() })
		s.root(t, b, "wrapper-null", site, func(root *tree) string { parent(root).at(name).literal("null"); return root.String() })
		s.root(t, b, "wrapper-twice", site, func(root *tree) string {
			p := parent(root)
			other := p.at(name).clone()
			p.members = append(p.members, member{name, other})
			for _, f := range b.fields {
				for _, row := range other.at(b.wrapper[depth+1:]...).members {
					if holder, field := b.parent(row.value, f.name); f.kind == 'n' && holder != nil && holder.at(field) != nil {
						holder.at(field).literal(scaleNumber(holder.at(field).text, 9, 8))
					}
				}
			}
			return root.String()
		})
	}
}

// shiftedFields puts the prices into other rows: all of them one row on, and
// those of two rows in each other's place.
func (s *subject) shiftedFields(t *testing.T, b *book) {
	t.Helper()
	for _, f := range b.fields {
		if f.kind != 'n' {
			continue
		}
		move := func(mutator, site string, to func(i, rows int) int) {
			root := parseTree(t, s.page(t, b.path))
			before := root.String()
			var values []*tree
			for _, row := range b.rows(root) {
				if parent, name := b.parent(row, f.name); parent != nil && parent.at(name) != nil {
					values = append(values, parent.at(name))
				}
			}
			texts := make([]string, len(values))
			for i, v := range values {
				texts[i] = v.text
			}
			for i, v := range values {
				v.literal(texts[to(i, len(values))])
			}
			if after := root.String(); after != before {
				s.damage(mutator, site, b.path, after)
			}
		}
		move("prices-one-row-on", f.name, func(i, rows int) int { return (i + 1) % rows })
		for _, spot := range b.spots {
			move("prices-of-two-rows-exchanged", fmt.Sprintf("%s-row-%d", f.name, spot), func(i, rows int) int {
				first, second := spot%rows, (spot+1)%rows
				switch i {
				case first:
					return second
				case second:
					return first
				}
				return i
			})
		}
	}
}
