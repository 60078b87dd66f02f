package reports

import (
	"mtok/schema"
)

// Document is a finished report, before any format is chosen.
type Document struct {
	Name  string // "prices": the key "report" of JSON
	Title string // first line on a screen
	// AsOf is the newest published day; with Empty set nothing was ever
	// published and AsOf means nothing.
	AsOf    schema.Day
	Empty   bool
	Before  []string // lines above the table
	Columns []Column
	Rows    []Row
	After   []string // lines below it
	// Charts are pictures of it, for formats that can show them.
	Charts []Chart
}

// Row holds a Cell for each Column.
type Row []Cell

// View says where a column is shown.
type View uint8

// Machine formats (csv, json) carry exact values under stable keys; screens
// (table, markdown) carry what a person reads, often fewer columns.
const (
	OnMachine View = 1 << iota
	OnScreen
	Everywhere = OnMachine | OnScreen
)

// Align is the side that a column is set to on screens.
type Align uint8

// The sides.
const (
	AlignLeft Align = iota
	AlignRight
)

// Column heads one cell of every row.
type Column struct {
	Key    string // in machine formats
	Header string // on screens
	View   View
	Align  Align
	// Decimals is how many decimals money and numbers have on screens.
	Decimals int
}

// On reports whether the column belongs to a view.
func (c Column) On(v View) bool { return c.View&v != 0 }

// machine is a column of the machine formats alone.
func machine(key string) Column { return Column{Key: key, View: OnMachine} }

// screen is a text column of screens alone.
func screen(header string) Column { return Column{Header: header, View: OnScreen} }

// figure is a right-aligned screen column with fixed decimals; with a key it is
// in the machine formats too.
func figure(key, header string, decimals int) Column {
	c := Column{Key: key, Header: header, View: OnScreen, Align: AlignRight, Decimals: decimals}
	if key != "" {
		c.View = Everywhere
	}
	return c
}

// both is a text column shown everywhere.
func both(key, header string) Column { return Column{Key: key, Header: header, View: Everywhere} }
