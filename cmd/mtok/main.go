// Command mtok tells every night what a million tokens costs on rented GPUs.
// It is the only place where concrete types meet.
package main

import (
	"context"
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
	a := &app{deps: d, stdout: stdout, stderr: stderr}
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	return a.exitCode(ctx, err)
}
