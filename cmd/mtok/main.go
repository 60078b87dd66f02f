// Command mtok tells every night what a million tokens costs on rented GPUs.
// It is the only place where concrete types meet.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	deps := deps{Env: os.Getenv, Now: time.Now, Terminal: term.IsTerminal(int(os.Stderr.Fd()))}
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr, deps)
	stop()
	os.Exit(code)
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer, d deps) int {
	out := &output{w: stdout}
	a := &app{deps: d, stdout: out, stderr: stderr}
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if out.err != nil && (err == nil || errors.Is(err, errPartial)) {
		err = fmt.Errorf("standard output: %w", out.err)
	}
	return a.exitCode(ctx, err)
}

// output remembers the first failure of writing to standard output, so that a
// full disk under a redirected report is not told as success.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}
