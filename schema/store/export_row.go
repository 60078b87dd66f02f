package store

import (
	"database/sql"
	"strings"

	"mtok/schema"
)

// The columns of export_rows.sql.
const (
	rowSlot = iota
	rowOffer
	rowSource
	rowFetch
	rowTier
	rowPrice
	rowCurrency
	rowGPUHour
	rowInstanceHour
	rowStock
	rowStockPoints
	rowMaxDays
	rowNVLink
	rowDatacenter
	rowReliability
	rowStorage
	rowNote
	rowExcluded
	rowQuarantine
	rowWidth
)

// exportRow is a row of export_rows.sql, kept.
type exportRow struct {
	slot, offer, fetch int64

	of *exportedOffer // once it is found

	usdPerGPUHour, usdPerInstanceHour schema.USD

	stock, maxDays, nvlink, datacenter, reliability, storage, quarantine sql.NullInt64

	source, tier, price, currency, stockPoints, note, excluded string
}

// rowTexts copies texts: those that are the same row after row once, the others
// many into one piece of memory.
type rowTexts struct {
	last [rowWidth]string
	room strings.Builder
}

func (t *rowTexts) keep(r rawRow, i int) string {
	s, _ := r[i].(string)
	if s == t.last[i] {
		return t.last[i]
	}
	const piece = 64 << 10
	if t.room.Cap()-t.room.Len() < len(s) {
		t.room.Reset() // what lies in it stays
		t.room.Grow(max(piece, len(s)))
	}
	from := t.room.Len()
	t.room.WriteString(s)
	t.last[i] = t.room.String()[from:]
	return t.last[i]
}

func (t *rowTexts) row(r rawRow) exportRow {
	return exportRow{
		slot: r.integer(rowSlot), offer: r.integer(rowOffer), fetch: r.integer(rowFetch),
		usdPerGPUHour: schema.USD(r.integer(rowGPUHour)), usdPerInstanceHour: schema.USD(r.integer(rowInstanceHour)),
		stock: toNullInt(r[rowStock]), maxDays: toNullInt(r[rowMaxDays]), nvlink: toNullInt(r[rowNVLink]), datacenter: toNullInt(r[rowDatacenter]),
		reliability: toNullInt(r[rowReliability]), storage: toNullInt(r[rowStorage]), quarantine: toNullInt(r[rowQuarantine]),
		source: t.keep(r, rowSource), tier: t.keep(r, rowTier), price: t.keep(r, rowPrice), currency: t.keep(r, rowCurrency),
		stockPoints: t.keep(r, rowStockPoints), note: t.keep(r, rowNote), excluded: t.keep(r, rowExcluded),
	}
}
