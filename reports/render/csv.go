package render

import (
	"bytes"
	"encoding/csv"

	"mtok/reports"
)

func csvText(doc reports.Document) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	var header []string
	for _, col := range doc.Columns {
		if col.On(reports.OnMachine) {
			header = append(header, col.Key)
		}
	}
	records := [][]string{header}
	for _, row := range doc.Rows {
		record := make([]string, 0, len(header))
		for i, col := range doc.Columns {
			if col.On(reports.OnMachine) {
				record = append(record, csvField(row[i]))
			}
		}
		records = append(records, record)
	}
	if err := w.WriteAll(records); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// csvField leaves numbers as they are: only text can be a formula.
func csvField(c reports.Cell) string {
	switch c.Kind {
	case reports.KindNull:
		return ""
	case reports.KindMoney:
		return c.Amount.String()
	case reports.KindText:
		return csvSafe(c.Text)
	}
	return c.Text
}
