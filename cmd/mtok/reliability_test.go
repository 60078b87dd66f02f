package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReliabilityNamesRealTests holds RELIABILITY.md to the tests and cases that
// exist.
func TestReliabilityNamesRealTests(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "RELIABILITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				have[f.Name.Name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`").FindAllStringSubmatch(string(text), -1)
	cases := regexp.MustCompile("`([a-z]+/[a-z0-9-]+)`").FindAllStringSubmatch(string(text), -1)
	if len(names) < 50 || len(cases) < 30 {
		t.Fatalf("%d tests and %d cases are named", len(names), len(cases))
	}
	for _, n := range names {
		if !have[n[1]] {
			t.Errorf("RELIABILITY.md names %s, which is no test", n[1])
		}
	}
	for _, c := range cases {
		if _, err := os.Stat(filepath.Join(root, "scrapers", "testdata", filepath.FromSlash(c[1]))); err != nil && !strings.HasPrefix(c[1], "pipeline/") && !strings.HasPrefix(c[1], "scrapers/") {
			t.Errorf("RELIABILITY.md names the case %s, which does not exist", c[1])
		}
	}
}
