package reports

import (
	"strconv"
	"strings"

	"mtok/schema"
)

// Kind says how a cell is to be rendered.
type Kind uint8

// The kinds. The zero value is a null: blank in csv, null in json, "-" on
// screens.
const (
	KindNull Kind = iota
	KindText
	KindMoney
	KindNumber
	KindBool
	KindDay
)

// Cell is one exact value.
type Cell struct {
	Kind   Kind
	Text   string     // of KindText, KindNumber (a JSON number), KindBool and KindDay
	Amount schema.USD // of KindMoney
}

// Null is a value that is not known or does not apply.
func Null() Cell { return Cell{} }

// Text is any text; it may come from a provider and is cleaned by the renderer.
func Text(s string) Cell { return Cell{Kind: KindText, Text: s} }

// Money is an amount in USD.
func Money(u schema.USD) Cell { return Cell{Kind: KindMoney, Amount: u} }

// Int is a whole number.
func Int(n int) Cell { return Cell{Kind: KindNumber, Text: strconv.Itoa(n)} }

// Number is a decimal as its source wrote it, null where none was given.
func Number(d schema.Decimal) Cell {
	if !d.IsSet() {
		return Null()
	}
	text := strings.TrimLeft(d.String(), "0") // "007" is no JSON number
	if text == "" || text[0] == '.' {
		text = "0" + text
	}
	return Cell{Kind: KindNumber, Text: text}
}

// Bool is true or false.
func Bool(b bool) Cell { return Cell{Kind: KindBool, Text: strconv.FormatBool(b)} }

// DayCell is a day.
func DayCell(d schema.Day) Cell { return Cell{Kind: KindDay, Text: d.String()} }

// availableCell is true, false, or null where stock is not published.
func availableCell(s schema.Stock) Cell {
	if s == schema.StockUnknown {
		return Null()
	}
	return Bool(s == schema.StockAvailable)
}

// stockCell is availableCell in the words of a screen.
func stockCell(s schema.Stock) Cell {
	switch s {
	case schema.StockAvailable:
		return Text("yes")
	case schema.StockSoldOut:
		return Text("sold out")
	}
	return Text("?")
}

// countCell is a whole number, null for zero.
func countCell(n int) Cell {
	if n == 0 {
		return Null()
	}
	return Int(n)
}

// commitmentCells are the two ends of a commitment, null for none.
func commitmentCells(c schema.Commitment) (Cell, Cell) {
	return countCell(c.MinDays), countCell(c.MaxDays)
}

func pageCell(sha string) Cell {
	if sha == "" {
		return Null()
	}
	return Text("sha256:" + sha)
}
