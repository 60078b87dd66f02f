package export

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"mtok/schema"
)

// The kinds of values that have a form of their own in text. In Parquet they are
// DATE, TIMESTAMP(MILLIS, UTC) and DECIMAL(18, 6).
type (
	date   int32 // days since 1970-01-01
	millis int64 // unix milliseconds
	micros int64 // micro-dollars
)

// maybeText is null where it is nil; an empty one is a text.
type maybeText []byte

func dateOf(d schema.Day) date     { return date(d) }
func slotOf(seconds int64) millis  { return millis(seconds * time.Second.Milliseconds()) }
func millisOf(t time.Time) millis  { return millis(t.UnixMilli()) }
func microsOf(u schema.USD) micros { return micros(u) }

// ended is null for the zero time.
func ended(t time.Time) *millis {
	if t.IsZero() {
		return nil
	}
	m := millisOf(t)
	return &m
}

// known is null for no text.
func known(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Column is a column of a table.
type Column struct {
	Name    string
	Type    string // date, time, usd, int, bool or text; "?" after it where it may be missing
	Meaning string
}

// Table is a table of an export.
type Table struct {
	Name    string
	Holds   string
	Columns []Column
}

// Tables describes every table, in every format alike.
func Tables() []Table {
	return []Table{
		{"observations", "prices, one a month of files: held, discarded and excluded ones too", columnsOf[observationRow]()},
		{"token_prices", "API prices per million tokens, likewise", columnsOf[tokenPriceRow]()},
		{"nights", "each provider's part in each run", columnsOf[nightRow]()},
		{"notices", "standing facts, such as that a provider publishes no price", columnsOf[noticeRow]()},
		{"quarantines", "nights that were doubted, and who decided what", columnsOf[quarantineRow]()},
		{"parses", "what a parser made of each page, and of each imported file", columnsOf[parseRow]()},
		{"rejects", "rows of those pages that gave no price, and by which rule", columnsOf[rejectRow]()},
	}
}

func columnsOf[R any]() []Column {
	var out []Column
	for _, f := range fieldsOf[R]() {
		kind := f.kind.String()
		if f.null {
			kind += "?"
		}
		out = append(out, Column{f.name, kind, f.meaning})
	}
	return out
}

// kind is the type of a column.
type kind uint8

const (
	kindText kind = iota
	kindInt
	kindBool
	kindDate
	kindTime
	kindUSD
)

func (k kind) String() string { return [...]string{"text", "int", "bool", "date", "time", "usd"}[k] }

// field is a column with its place in the struct of a row.
type field struct {
	name    string
	meaning string
	kind    kind
	null    bool // the zero value is null, as is no pointer
	index   []int
}

// fieldsOf reads the columns of a row type from its tags; the fields of an
// embedded struct are columns of the row.
func fieldsOf[R any]() []field {
	var out []field
	for _, f := range reflect.VisibleFields(reflect.TypeFor[R]()) {
		tag, ok := f.Tag.Lookup("parquet")
		if !ok {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		t := f.Type
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		null := slices.Contains(strings.Split(options, ","), "optional")
		out = append(out, field{name, f.Tag.Get("doc"), kindOf(t), null, f.Index})
	}
	return out
}

func kindOf(t reflect.Type) kind {
	switch t {
	case reflect.TypeFor[date]():
		return kindDate
	case reflect.TypeFor[millis]():
		return kindTime
	case reflect.TypeFor[micros]():
		return kindUSD
	case reflect.TypeFor[maybeText]():
		return kindText
	}
	switch t.Kind() {
	case reflect.Bool:
		return kindBool
	case reflect.String:
		return kindText
	}
	return kindInt
}
