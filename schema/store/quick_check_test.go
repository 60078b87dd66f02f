package store_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"

	"mtok/schema"
	"mtok/schema/store"
)

// Reading a large file must not begin with reading all of it, a writer never
// writes to a damaged one.
func TestDamageInALargeFile(t *testing.T) {
	c := sqliteConfig(t)
	s := mustOpen(t, c, store.Create)
	saveDay(t, s, firstNight, 3_990_000)
	const large = 33 << 20
	mustExec(t, s.Writer(), "INSERT INTO pages (sha256, media_type, size, body) VALUES ($1, '', $2, zeroblob($2))",
		newPage("large").SHA256, large)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(c.Path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(content)
	copy(damaged[len(damaged)/2/4096*4096:], "\xff\xff") // the chain of the large body's pages
	if err := os.WriteFile(c.Path, damaged, 0o600); err != nil {
		t.Fatal(err)
	}

	for _, mode := range []store.Mode{store.ReadWrite, store.Create} {
		c.Mode = mode
		if _, err := store.Open(context.Background(), c, clock); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("mode %d: got %v, want ErrCorrupt", mode, err)
		}
	}
	reader := mustOpen(t, c, store.ReadOnly)
	if got := prices(t, reader, schema.ObservationFilter{}); len(got) != 1 {
		t.Errorf("got %v, want the price beside the damage", got)
	}
	problems, err := reader.Check(context.Background())
	if len(problems) == 0 && !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("check: got %v, %v; want the damage", problems, err)
	}
	if _, err := reader.Page(context.Background(), newPage("large").SHA256); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("the damaged body: got %v, want ErrCorrupt", err)
	}
}
