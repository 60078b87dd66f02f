package pipeline_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"mtok/schema"
)

var updateMutations = flag.Bool("update-mutations", false, "rewrite testdata/mutations.txt")

var allMutations = flag.Bool("all-mutations", false, "run every damage of TestMutations, not one in ten")

// sample is 1 in how many damages runs. All of them take minutes, which the
// continuous integration has; a race shows in a few as well as in all.
func sample() int {
	switch {
	case *allMutations, *updateMutations:
		return 1
	case raceEnabled, testing.Short():
		return 200
	}
	return 10
}

// tally counts verdicts by subject and mutator, for a first night and for one
// after good nights.
type tally struct {
	mu     sync.Mutex
	counts map[[2]string]*[2][verdicts]int
}

func (c *tally) add(subject, mutator string, night int, v verdict) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := [2]string{subject, mutator}
	if c.counts[key] == nil {
		c.counts[key] = &[2][verdicts]int{}
	}
	c.counts[key][night][v]++
}

// TestMutations damages every recorded page and answer in a systematic way and
// runs each damaged night through the pipeline twice: as a first night, and
// after good ones. Whatever becomes of it, no price may be published that is
// not that of the good night. See the verdicts for what else may happen.
func TestMutations(t *testing.T) {
	catalog, err := schema.LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	count := &tally{counts: map[[2]string]*[2][verdicts]int{}}
	total := 0
	for _, make := range subjects() {
		s := make(t)
		total += len(s.damages)
		t.Run(s.name, func(t *testing.T) { s.run(t, catalog, count) })
	}
	ran, table := count.table()
	if total < 300 {
		t.Errorf("%d mutations, at least 300 are wanted", total)
	}
	t.Log("\n" + table)
	if ran != 2*total || t.Failed() && !*updateMutations {
		return // some, or what must not stand in a table
	}
	const golden = "testdata/mutations.txt"
	if *updateMutations {
		if err := os.WriteFile(golden, []byte(table), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != table {
		t.Errorf("%s is not what happened: run with -update-mutations and look at the difference", golden)
	}
}

// run runs every damage of a subject.
func (s *subject) run(t *testing.T, catalog *schema.Catalog, count *tally) {
	p := s.prepare(t, catalog)
	slices.SortFunc(s.damages, func(a, b mutation) int { return cmp.Compare(a.name(), b.name()) })
	seen := map[string]bool{}
	for i, m := range s.damages {
		if seen[m.name()] {
			t.Fatalf("%s/%s stands twice", s.name, m.name())
		}
		seen[m.name()] = true
		if i%sample() != 0 && m.mutator != identity {
			continue
		}
		t.Run(m.name(), func(t *testing.T) {
			t.Parallel()
			for night, before := range []nightBefore{p.first, p.after} {
				found := s.damagedNight(t, catalog, p, before, m)
				count.add(s.name, family(m.mutator), night, found.verdict)
				if fault := m.fault(found, before.name+"/"+s.name); fault != "" {
					t.Errorf("%s night: %s: %s: %s", before.name, found.verdict, fault, found.detail)
				}
			}
		})
	}
}

// fault says what is not as it must be; empty when all is well.
func (m mutation) fault(f finding, night string) string {
	switch {
	case f.verdict == wrong:
		return "a wrong price is published"
	case f.verdict == gone && !m.drops:
		return "a listing that the page still has is taken for gone"
	case m.mutator == identity && f.verdict == held && night == "first/fluidstack":
		// Its page is one of years ago: the shipped night knows it as a provider that
		// publishes no price, so that a person is asked first.
	case m.mutator == identity && f.verdict != right:
		return "the undamaged page is not right"
	}
	return ""
}

// table is how each mutator fared, by subject, and how many nights that were.
func (c *tally) table() (nights int, text string) {
	keys := make([][2]string, 0, len(c.counts))
	for key := range c.counts {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	var b strings.Builder
	head := func() {
		fmt.Fprintf(&b, "%-12s %-34s", "", "")
		for _, night := range []string{"first night", "after good nights"} {
			fmt.Fprintf(&b, " | %-41s", night)
		}
		fmt.Fprintf(&b, "\n%-12s %-34s", "source", "damage")
		for range 2 {
			b.WriteString(" |")
			for v := range verdicts {
				fmt.Fprintf(&b, " %6.6s", v)
			}
		}
		b.WriteString("\n")
	}
	line := func(source, damage string, counts *[2][verdicts]int) {
		fmt.Fprintf(&b, "%-12s %-34s", source, damage)
		for _, night := range counts {
			b.WriteString(" |")
			for _, n := range night {
				fmt.Fprintf(&b, " %6d", n)
			}
		}
		b.WriteString("\n")
	}
	head()
	all := &[2][verdicts]int{}
	for i, key := range keys {
		line(key[0], key[1], c.counts[key])
		add(all, c.counts[key])
		if i+1 == len(keys) || keys[i+1][0] != key[0] {
			sum := &[2][verdicts]int{}
			for _, k := range keys {
				if k[0] == key[0] {
					add(sum, c.counts[k])
				}
			}
			line(key[0], "ALL", sum)
		}
	}
	line("ALL", "", all)
	for _, counts := range all {
		for _, n := range counts {
			nights += n
		}
	}
	return nights, b.String()
}

func add(to, from *[2][verdicts]int) {
	for i := range from {
		for v, n := range from[i] {
			to[i][v] += n
		}
	}
}
