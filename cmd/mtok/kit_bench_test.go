//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// buildProgram builds a main package, or the file of one, as a release is built.
func buildProgram(b *testing.B, dir, name string, source ...string) string {
	b.Helper()
	file := filepath.Join(b.TempDir(), name)
	if len(source) == 0 {
		source = []string{"."}
	}
	build := exec.Command("go", append([]string{"build", "-trimpath", "-ldflags", "-s -w", "-o", file}, source...)...)
	build.Dir = dir
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build %s: %v\n%s", name, err, out)
	}
	return file
}

// helloWorld builds the smallest Go program that says something.
func helloWorld(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	writeSource(b, filepath.Join(dir, "go.mod"), "module hello\n")
	writeSource(b, filepath.Join(dir, "main.go"), "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello, world\") }\n")
	return buildProgram(b, dir, "hello")
}

// driverAlone builds a program with nothing but the driver of SQLite. It is
// built as a file of this module, whose versions it must have.
func driverAlone(b *testing.B) string {
	b.Helper()
	source := filepath.Join(b.TempDir(), "driver.go")
	writeSource(b, source, "package main\n\nimport (\n\t\"database/sql\"\n\t\"fmt\"\n\n\t_ \"modernc.org/sqlite\"\n)\n\n"+
		"func main() {\n\tdb, err := sql.Open(\"sqlite\", \":memory:\")\n\tfmt.Println(db.Ping(), err)\n}\n")
	return buildProgram(b, ".", "driver", source)
}

func writeSource(b *testing.B, path, text string) {
	b.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
}

// runProgram runs a command to its end; it must succeed. It reports CPU seconds
// and peak memory of the last run.
func runProgram(b *testing.B, dir, program string, args ...string) {
	b.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &out
	if err := cmd.Run(); err != nil {
		b.Fatalf("%s %v: %v\n%s", filepath.Base(program), args, err, out.Bytes())
	}
	state := cmd.ProcessState
	b.ReportMetric((state.UserTime() + state.SystemTime()).Seconds(), "cpu-s")
	usage, ok := state.SysUsage().(*syscall.Rusage)
	var self syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &self); err != nil {
		b.Fatal(err)
	}
	// A child inherits the peak of the process that it was forked from.
	if ok && usage.Maxrss > self.Maxrss {
		const kb = 1024
		b.ReportMetric(float64(usage.Maxrss)/kb, "MB-rss")
	}
}
