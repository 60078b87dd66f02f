package main

import (
	"log/slog"

	"mtok/reports/render"
)

// jobProgress begins to say how far a long job is: title tells it on a terminal, job in
// the log. It ends with done.
type jobProgress func(title, job string) (advanced func(done, all int), done func())

// loggedSteps is how often a job that no terminal watches says how far it is.
const loggedSteps = 10

// watch is a bar on a terminal, a few log records elsewhere.
func (a *app) watch(title, job string) (advanced func(done, all int), done func()) {
	if a.Terminal && a.logFormat == "text" {
		bar := render.NewBar(a.stderr, title)
		return bar.Set, bar.Close
	}
	told := 0
	return func(done, all int) {
		if step := done * loggedSteps / all; step > told {
			told = step
			a.log.Info(job, slog.Int("done", done), slog.Int("of", all))
		}
	}, func() {}
}

// silent says nothing.
func silent(string, string) (advanced func(done, all int), done func()) {
	return func(int, int) {}, func() {}
}
