package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"mtok/reports/cost"
	"mtok/schema"
)

// notesWidth is what a row of `report mtok` has room for on a screen.
const notesWidth = 35

// letters mark the notes below a table.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// note is what a screen says of a row.
type note struct {
	text string
	long string // the text where it stands below; empty for the same
}

// layoutNotes writes the notes of each row. Where they are too long for it, all
// but the first stand below the table, once each, under a letter.
func layoutNotes(rows []placed, ref schema.Throughput, model string, catalog *schema.Catalog) (cells, below []string) {
	var texts []string
	for _, p := range rows {
		notes := screenNotes(p, ref, model, catalog)
		var spelled []string
		for _, n := range notes {
			spelled = append(spelled, n.text)
		}
		cell := strings.Join(spelled, "; ")
		free := len(texts)+len(notes)-1 <= len(letters)
		if free && len(notes) > 1 && utf8.RuneCountInString(cell) > notesWidth {
			var marks []byte
			for _, n := range notes[1:] {
				text := cmp.Or(n.long, n.text)
				if !slices.Contains(texts, text) {
					texts = append(texts, text)
				}
				marks = append(marks, letters[slices.Index(texts, text)])
			}
			slices.Sort(marks)
			cell = fmt.Sprintf("%s [%s]", notes[0].text, marks)
		}
		cells = append(cells, cell)
	}
	for i, text := range texts {
		below = append(below, fmt.Sprintf("[%c] %s", letters[i], text))
	}
	return cells, below
}

// screenNotes are the reasons in short, and in what a row differs from others.
func screenNotes(p placed, ref schema.Throughput, model string, catalog *schema.Catalog) []note {
	var notes []note
	for i, reason := range p.reasons {
		if i == 0 && p.on.Shape == cost.ShapeLarger {
			reason = fmt.Sprintf("rent %d = %s, %s/h", p.on.NodeGPUs, count(p.on.Replicas, "replica"),
				p.line.USDPerInstanceHour.Fixed(hourDecimals))
		}
		notes = append(notes, note{text: strings.TrimSuffix(reason, ": in no minimum")})
	}
	if p.region != "" && p.regions > 1 {
		notes = append(notes, note{text: fmt.Sprintf("%s (of %d)", p.region, p.regions),
			long: fmt.Sprintf("%s, cheapest of %d regions", p.region, p.regions)})
	}
	for _, text := range caveats(p.row, ref, model, catalog) {
		notes = append(notes, note{text: text})
	}
	for _, text := range workloadNotes(p.notes) {
		notes = append(notes, note{text: text})
	}
	return notes
}

// caveats are in what a row's measurement differs from the one that the others are
// compared with, and in what its host does. The model is that of every row, empty
// where they are mixed.
func caveats(t, ref schema.Throughput, model string, catalog *schema.Catalog) []string {
	var out []string
	if t.Precision != ref.Precision {
		out = append(out, t.Precision+": other precision")
	}
	switch {
	case model != "" || t.Model == ref.Model:
	case shapeOf(t.Model, catalog) == shapeOf(ref.Model, catalog):
		out = append(out, t.Model+", same shape")
	default:
		out = append(out, t.Model+": other model")
	}
	if t.InputTokens != ref.InputTokens || t.OutputTokens != ref.OutputTokens {
		out = append(out, fmt.Sprintf("%s in / %s out", t.InputTokens, t.OutputTokens))
	}
	switch {
	case t.Engine != ref.Engine:
		out = append(out, strings.TrimSpace("engine "+t.Engine+" "+t.EngineVersion))
	case t.EngineVersion != ref.EngineVersion:
		out = append(out, "engine "+t.EngineVersion)
	}
	if t.Ceiling() != ref.Ceiling() || t.Promises() != ref.Promises() || t.Promises() && t.Latency() != ref.Latency() {
		out = append(out, "other latency class: "+t.Load())
	}
	if g, ok := catalog.GPU(t.Class); ok && strings.HasPrefix(g.Architecture, "Grace") {
		out = append(out, "Arm host")
	}
	return out
}

// workloadNotes are in what a measurement differs from the workload, but for its
// load, which stands below the table, and the model, which the caveats name.
func workloadNotes(notes []string) []string {
	var out []string
	for _, text := range notes[min(1, len(notes)):] {
		if !strings.HasSuffix(text, ", same shape") {
			out = append(out, text)
		}
	}
	return out
}
