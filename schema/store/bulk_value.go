package store

import "database/sql"

// value is what a row has in a column: NULL, a number or a text. To compare two of
// them, or to look through a million, nothing is allocated; as an any each would be.
type value struct {
	kind valueKind
	n    int64
	s    string
}

type valueKind uint8

const (
	isNull valueKind = iota
	isNumber
	isText
)

func number(n int64) value { return value{kind: isNumber, n: n} }

func text(s string) value { return value{kind: isText, s: s} }

func optionalNumber(n sql.NullInt64) value {
	if !n.Valid {
		return value{}
	}
	return number(n.Int64)
}

// forDriver is the value as a driver takes it.
func (v value) forDriver() any {
	switch v.kind {
	case isNumber:
		return v.n
	case isText:
		return v.s
	default:
		return nil
	}
}

// forDrivers are the values of a row as a driver takes them.
func forDrivers(row []value) []any {
	out := make([]any, len(row))
	for i, v := range row {
		out[i] = v.forDriver()
	}
	return out
}
