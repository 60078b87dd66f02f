package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// columns sets short lines of a summary in columns, without blanks at the ends
// of lines.
type columns struct {
	to    io.Writer
	text  strings.Builder
	table *tabwriter.Writer
}

func newColumns(to io.Writer) *columns {
	c := &columns{to: to}
	c.table = tabwriter.NewWriter(&c.text, 0, 0, 2, ' ', 0)
	return c
}

func (c *columns) row(cells ...string) {
	fmt.Fprintln(c.table, strings.Join(cells, "\t"))
}

func (c *columns) flush() {
	c.table.Flush() // into memory: it cannot fail
	for line := range strings.Lines(c.text.String()) {
		fmt.Fprintln(c.to, strings.TrimRight(line, " \n"))
	}
}
