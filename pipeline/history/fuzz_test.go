package history_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"mtok/pipeline/history"
	"mtok/schema"
)

// FuzzParse gives any bytes to every format: it is read, row by row accounted for,
// or refused by name, and never panics.
func FuzzParse(f *testing.F) {
	catalog, err := schema.LoadCatalog()
	if err != nil {
		f.Fatal(err)
	}
	for _, format := range history.All() {
		files, err := filepath.Glob(filepath.Join("testdata", format.Name, "*.[cj]s*"))
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			if filepath.Ext(file) == ".want" {
				continue
			}
			body, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(body)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, format := range history.All() {
			r, err := format.Parse("lambdalabs.csv", body)
			if err != nil && !errors.Is(err, history.ErrFormat) && !errors.Is(err, history.ErrStructure) {
				t.Errorf("%s: %v", format.Name, err)
			}
			if err == nil {
				for i := range r.Rows {
					r.Rows[i].Day = max(r.Rows[i].Day, 1)
				}
				judgeAny(t, catalog, format, r)
			}
		}
	})
}
