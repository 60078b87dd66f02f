package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"mtok/reports"
)

// jsonText writes {"report","as_of","rows"}; a row is an object whose keys stand
// in the order of the columns, which encoding/json gives no map. Text keeps its
// value; what could act on a terminal is escaped.
func jsonText(doc reports.Document) ([]byte, error) {
	asOf := reports.Null()
	if !doc.Empty {
		asOf = reports.DayCell(doc.AsOf)
	}
	var b bytes.Buffer
	b.WriteByte('{')
	if err := members(&b, []string{"report", "as_of"}, reports.Row{reports.Text(doc.Name), asOf}); err != nil {
		return nil, err
	}
	b.WriteString(`,"rows":[`)
	for n, row := range doc.Rows {
		if n > 0 {
			b.WriteByte(',')
		}
		var keys []string
		var cells reports.Row
		for i, col := range doc.Columns {
			if col.On(reports.OnMachine) {
				keys, cells = append(keys, col.Key), append(cells, row[i])
			}
		}
		b.WriteByte('{')
		if err := members(&b, keys, cells); err != nil {
			return nil, err
		}
		b.WriteByte('}')
	}
	b.WriteString("]}")
	var out bytes.Buffer
	if err := json.Indent(&out, b.Bytes(), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return escapeHidden(out.Bytes()), nil
}

// escapeHidden escapes what encoding/json leaves of the characters that Clean
// takes away: DEL, the control characters above it, marks of direction and of no
// width. They can only stand in strings.
func escapeHidden(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if r == '\n' || !isHidden(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}

func members(b *bytes.Buffer, keys []string, cells reports.Row) error {
	for i, key := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := jsonValue(cells[i])
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		name, err := json.Marshal(key)
		if err != nil {
			return err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	return nil
}

// jsonValue makes money a string, so that no reader rounds it.
func jsonValue(c reports.Cell) ([]byte, error) {
	switch c.Kind {
	case reports.KindNull:
		return []byte("null"), nil
	case reports.KindMoney:
		return json.Marshal(c.Amount.String())
	case reports.KindNumber:
		return json.Marshal(json.Number(c.Text))
	case reports.KindBool:
		return json.Marshal(c.Text == "true")
	}
	return json.Marshal(c.Text)
}
