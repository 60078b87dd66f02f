package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mtok/reports/render"
)

// The exit codes, as listed in the help of mtok.
const (
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2
	exitPartial     = 3
	exitFiring      = 4
	exitInterrupted = 130
)

// usageError is a wrong flag, argument or configuration.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

// errPartial ends a command whose work was done in part. What is missing was
// told already, so it prints nothing more.
var errPartial = errors.New("partial night")

// errNothingRead ends a night on which every provider failed.
var errNothingRead = errors.New("no provider could be read; what was published before stays (why: mtok status)")

// exitCode prints an error, once, and maps it to the exit code.
func (a *app) exitCode(ctx context.Context, err error) int {
	var usage *usageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errPartial):
		return exitPartial
	case errors.Is(err, errFiring):
		return exitFiring
	case errors.Is(err, errNothingRead) && ctx.Err() == nil:
		a.printError("", err)
		return exitPartial
	case ctx.Err() != nil:
		a.printError("interrupted", nil)
		return exitInterrupted
	case errors.As(err, &usage):
		a.printError("", err)
		return exitUsage
	default:
		a.printError("", err)
		return exitError
	}
}

// printError writes an error in the chosen log format, cleaned: it may quote a
// page or a file name.
func (a *app) printError(what string, err error) {
	if err != nil {
		what = toldOnce(err.Error())
	}
	if a.logFormat == "json" && a.log != nil {
		a.log.Error(render.Clean(what))
		return
	}
	for line := range strings.Lines(what) {
		fmt.Fprintln(a.stderr, "mtok:", render.Clean(line))
	}
}

// toldOnce drops the lines of a message that a line before them says already: joined
// errors repeat what a full disk answers to write, flush and close.
func toldOnce(message string) string {
	var told []string
	for line := range strings.Lines(message) {
		line = strings.TrimRight(line, "\n")
		if !slices.ContainsFunc(told, func(t string) bool { return t == line || strings.HasSuffix(t, ": "+line) }) {
			told = append(told, line)
		}
	}
	return strings.Join(told, "\n")
}
