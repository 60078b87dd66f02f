package store

import (
	"database/sql"
	"strings"
	"time"

	"mtok/schema"
)

// clean makes scraped text storable: PostgreSQL takes neither broken UTF-8 nor
// NUL, and both databases should keep the same.
func clean(text string) string {
	const replacement = "\uFFFD"
	return strings.ReplaceAll(strings.ToValidUTF8(text, replacement), "\x00", replacement)
}

// optional makes an empty filter NULL.
func optional[T ~string](text T) sql.NullString {
	return sql.NullString{String: string(text), Valid: text != ""}
}

// optionalID makes id 0 NULL.
func optionalID(id int64) sql.NullInt64 { return sql.NullInt64{Int64: id, Valid: id != 0} }

func fromPointer(p *int64) sql.NullInt64 {
	if p == nil {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: *p, Valid: true}
}

func toPointer(n sql.NullInt64) *int64 {
	if !n.Valid {
		return nil
	}
	return &n.Int64
}

func fromBool(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func fromBoolPointer(p *bool) sql.NullInt64 {
	if p == nil {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: fromBool(*p), Valid: true}
}

// fromStock maps unknown to NULL, so that it never counts as available in SQL.
func fromStock(s schema.Stock) sql.NullInt64 {
	switch s {
	case schema.StockAvailable:
		return sql.NullInt64{Int64: 1, Valid: true}
	case schema.StockSoldOut:
		return sql.NullInt64{Int64: 0, Valid: true}
	default:
		return sql.NullInt64{}
	}
}

func toStock(n sql.NullInt64) schema.Stock {
	switch {
	case !n.Valid:
		return schema.StockUnknown
	case n.Int64 == 1:
		return schema.StockAvailable
	default:
		return schema.StockSoldOut
	}
}

func toStockPoints(text string) (points schema.StockPoints, err error) {
	return points, points.UnmarshalText([]byte(text))
}

func toDay(day int64) schema.Day { return schema.Day(day) }

// toTime reads unix milliseconds, in UTC.
func toTime(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// toOptionalTime reads NULL as the zero time.
func toOptionalTime(ms sql.NullInt64) time.Time {
	if !ms.Valid {
		return time.Time{}
	}
	return toTime(ms.Int64)
}

// lastDay is the upper end of a range, where 0 is none: 1970-01-01 is no night
// of ours.
func lastDay(day schema.Day) int64 {
	if day == 0 {
		const forever = 1 << 40 // days
		return forever
	}
	return int64(day)
}

// mapRows converts all rows of a query.
func mapRows[Row, Value any](rows []Row, convert func(Row) Value) []Value {
	values := make([]Value, len(rows))
	for i, row := range rows {
		values[i] = convert(row)
	}
	return values
}
