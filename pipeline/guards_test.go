//go:build guards

package pipeline_test

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// guard is a condition in the source without which something wrong would pass.
type guard struct {
	name string
	file string // from the root of the module
	// cond is the source of the condition, which stands once in the file; with is
	// what it is replaced by, "false && (cond)" where empty.
	cond, with string
	// pkg and run are the tests of which one must fail without it.
	pkg, run string
}

// TestGuards takes out one guard after the other and wants a test to fail each
// time: a guard that no test misses may be lost unseen. The guards of a package
// that are conditions are built once, each behind a switch, and taken out one a
// run; every other one is built without it, by an overlay of its own.
func TestGuards(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	switched := map[string][]guard{} // by package
	for _, g := range guards() {
		if g.switches(t, root) {
			switched[g.pkg] = append(switched[g.pkg], g)
			continue
		}
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			overlay := writeOverlay(t, map[string]string{g.path(root): g.replaced(t, root, g.without())})
			out, err := command(t, root, "", "go", "test", "-count=1", "-vet=off", "-failfast", "-overlay="+overlay, "-run="+g.run, "./"+g.pkg)
			g.missed(t, out, err)
		})
	}
	for pkg, list := range switched {
		t.Run(strings.ReplaceAll(pkg, "/", "."), func(t *testing.T) { // -run splits names at a slash
			t.Parallel()
			program := build(t, root, pkg, list)
			dir := filepath.Join(root, filepath.FromSlash(pkg))
			// With every guard in its place the tests pass: what fails below fails
			// for want of the guard.
			for _, run := range slices.Compact(runs(list)) {
				if out, err := command(t, dir, "", program, "-test.run="+run); err != nil {
					t.Fatalf("%s -run %q fails with every guard in its place:\n%s", pkg, run, out)
				}
			}
			for _, g := range list {
				t.Run(g.name, func(t *testing.T) {
					t.Parallel()
					out, err := command(t, dir, g.name, program, "-test.failfast", "-test.run="+g.run)
					g.missed(t, out, err)
				})
			}
		})
	}
}

// missed fails the test unless a test failed without the guard.
func (g guard) missed(t *testing.T, out string, err error) {
	t.Helper()
	switch {
	case err == nil:
		t.Errorf("%s: no test of %s -run %q misses it", g.file, g.pkg, g.run)
	case strings.Contains(out, "no tests to run"), !strings.Contains(out, "--- FAIL") && !strings.Contains(out, "panic:"):
		t.Errorf("%s: no test failed, but: %s", g.file, out)
	}
}

// guardOut is the variable of the environment that names the guard to take out.
const guardOut = "MTOK_TEST_GUARD_OUT"

// command runs a program with a guard taken out, or none.
func command(t *testing.T, dir, out string, name string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), guardOut+"="+out)
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// build builds the tests of a package with its guards behind switches.
func build(t *testing.T, root, pkg string, list []guard) string {
	t.Helper()
	dir := filepath.Join(root, filepath.FromSlash(pkg))
	files := map[string]string{}
	for _, g := range list {
		source, ok := files[g.path(root)]
		if !ok {
			source = g.source(t, root)
		}
		files[g.path(root)] = strings.Replace(source, g.cond, g.switching(), 1)
	}
	file, err := parser.ParseFile(token.NewFileSet(), list[0].file, list[0].source(t, root), parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	files[filepath.Join(dir, "guard_is_out.go")] = fmt.Sprintf(
		"package %s\n\nimport \"os\"\n\nfunc guardIsOut(name string) bool { return os.Getenv(%q) == name }\n", file.Name.Name, guardOut)
	program := filepath.Join(t.TempDir(), "guards.test")
	if out, err := command(t, root, "", "go", "test", "-c", "-vet=off", "-overlay="+writeOverlay(t, files), "-o="+program, "./"+pkg); err != nil {
		t.Fatalf("%s with its guards behind switches: %v\n%s", pkg, err, out)
	}
	return program
}

func runs(list []guard) []string {
	var out []string
	for _, g := range list {
		out = append(out, g.run)
	}
	slices.Sort(out)
	return out
}

func (g guard) path(root string) string { return filepath.Join(root, filepath.FromSlash(g.file)) }

// source is the file of the guard, in which it stands once.
func (g guard) source(t *testing.T, root string) string {
	t.Helper()
	source, err := os.ReadFile(g.path(root))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), g.cond); n != 1 {
		t.Fatalf("%s: the guard %q stands %d times", g.file, g.cond, n)
	}
	return string(source)
}

func (g guard) replaced(t *testing.T, root, with string) string {
	t.Helper()
	return strings.Replace(g.source(t, root), g.cond, with, 1)
}

// without is what stands in the place of the guard.
func (g guard) without() string {
	if g.with != "" {
		return g.with
	}
	return "false && (" + g.cond + ")"
}

// switching is the guard behind a switch.
func (g guard) switching() string {
	return fmt.Sprintf("(guardIsOut(%[1]q) && (%[2]s) || !guardIsOut(%[1]q) && (%[3]s))", g.name, g.without(), g.cond)
}

// switches reports whether the guard is a condition of its own in the source, so
// that a switch in its place leaves what is around it alone.
func (g guard) switches(t *testing.T, root string) bool {
	t.Helper()
	source := g.source(t, root)
	if with, err := parser.ParseExpr(g.without()); err != nil || !isCondition(with) || path.Dir(g.file) != g.pkg {
		return false
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, g.file, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	at, found := strings.Index(source, g.cond), false
	ast.Inspect(file, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && set.Position(e.Pos()).Offset == at && set.Position(e.End()).Offset == at+len(g.cond) {
			found = found || g.with == "" || isCondition(e)
		}
		return !found
	})
	return found
}

// isCondition reports whether an expression is a boolean one by its form.
func isCondition(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return slices.Contains([]token.Token{token.LAND, token.LOR, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ}, e.Op)
	case *ast.UnaryExpr:
		return e.Op == token.NOT
	}
	return false
}

// writeOverlay writes files and returns the overlay that puts them in their place.
func writeOverlay(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	for path, text := range files {
		file := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[path] = file
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return overlay
}
