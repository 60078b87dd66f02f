package render

import (
	"fmt"
	"strings"

	"mtok/reports"
)

// sourceKeys are the columns that say where the figures of a row are from, in the
// order in which they are told.
func sourceKeys() []string {
	return []string{"provider", "from_provider", "to_provider", "seller", "source", "price_text", "throughput", "throughput_id",
		"benchmark", "inputs", "api", "api_source", "page", "fetch", "fetched_at", "origin"}
}

// isFigure reports whether a cell shows a number, be it within words.
func isFigure(c reports.Cell) bool {
	return c.Kind == reports.KindMoney || c.Kind == reports.KindNumber ||
		c.Kind == reports.KindText && strings.ContainsAny(c.Text, "0123456789")
}

// exactly is a figure as machine formats have it.
func exactly(c reports.Cell) string {
	if c.Kind == reports.KindMoney {
		return c.Amount.String() + " USD; "
	}
	return ""
}

// rowSource says where the figures of a row are from: the columns of its evidence,
// and the command that shows the whole chain.
func rowSource(doc reports.Document, row reports.Row) string {
	value := func(key string) string {
		for i, col := range doc.Columns {
			if col.Key == key && row[i].Kind != reports.KindNull {
				return Clean(screenText(row[i], col))
			}
		}
		return ""
	}
	var parts []string
	for _, key := range sourceKeys() {
		text := value(key)
		if key == "provider" && text != "" && value("tier") != "" {
			text += " " + value("tier")
		}
		if text != "" {
			parts = append(parts, strings.ReplaceAll(key, "_", " ")+" "+text)
		}
	}
	day := value("day")
	if day == "" && !doc.Empty {
		day = doc.AsOf.String()
	}
	if class := value("gpu_class"); class != "" {
		command := "mtok explain " + class
		if day != "" {
			command += " --day " + day
		}
		return strings.Join(append(parts, command), "; ")
	}
	return strings.Join(append(parts, lineSource(doc)), "; ")
}

// lineSource is where figures are from that stand in no row with evidence.
func lineSource(doc reports.Document) string {
	if doc.Empty {
		return "mtok report " + doc.Name
	}
	return fmt.Sprintf("mtok report %s, as of %s", doc.Name, doc.AsOf)
}
