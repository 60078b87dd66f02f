package schema_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Money, tokens per second and every figure made of them are exact: the domain
// packages have no float at all, so none can slip in between. One file turns
// finished figures into the floats that Prometheus takes, one package draws them.
func TestNoFloats(t *testing.T) {
	for _, dir := range []string{".", "../scrapers", "../pipeline", "../reports"} {
		files := 0
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || path == filepath.Join("store", "db")): // generated
				return filepath.SkipDir
			case d.IsDir() && path == filepath.Join("..", "reports", "render", "chart"): // a drawing is made of floats
				return filepath.SkipDir
			case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			case path == filepath.Join("..", "reports", "web", "gauges.go"): // Prometheus counts in floats
				return nil
			}
			files++
			for _, found := range floatsIn(t, path, nil) {
				t.Errorf("%s: money must stay exact", found)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if files == 0 {
			t.Errorf("no Go file in %s: the rule was not checked", dir)
		}
	}
}

func TestFloatsAreFound(t *testing.T) {
	const source = `package p
import "strconv"
// float64 in a comment is no float
func f(s string) (x float64) { x, _ = strconv.ParseFloat(s, 64); y := 0.5; _ = y; return }
`
	if found := floatsIn(t, "p.go", source); len(found) != 3 {
		t.Errorf("found %v, want float64, ParseFloat and the literal", found)
	}
	if found := floatsIn(t, "p.go", "package p\nvar x int64 = 3\n"); len(found) != 0 {
		t.Errorf("found %v in a file without floats", found)
	}
}

// floatsIn returns the places where a Go file names a float type, calls what
// makes one, or writes a float literal.
func floatsIn(t *testing.T, path string, source any) []string {
	t.Helper()
	forbidden := map[string]bool{
		"float32": true, "float64": true, "ParseFloat": true, "FormatFloat": true,
		"Float32": true, "Float64": true, "SetFloat64": true, "NewFloat": true,
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if forbidden[n.Name] {
				found = append(found, set.Position(n.Pos()).String()+": "+n.Name)
			}
		case *ast.BasicLit:
			if n.Kind == token.FLOAT {
				found = append(found, set.Position(n.Pos()).String()+": "+n.Value)
			}
		}
		return true
	})
	return found
}
