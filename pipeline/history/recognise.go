package history

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// csvFormat is a known header of a CSV file.
type csvFormat struct {
	name   string
	header []string
}

func csvFormats() []csvFormat {
	return []csvFormat{
		{"nixj9", nixj9Columns()}, {"the-full-stack", fullStackColumns()}, {"skypilot", skyPilotColumns()},
		{"gpuhunt", gpuHuntColumns()}, {"token-prices", tokenPriceColumns()}, {"observations", observationColumns()},
	}
}

// found says in words what a file is.
func found(body []byte) string {
	text := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
	switch {
	case len(text) == 0:
		return "an empty file"
	case bytes.IndexByte(body, 0) >= 0 || !utf8.Valid(firstLine(text)):
		return "a binary file"
	case text[0] == '<':
		return "a page of HTML or XML"
	case text[0] == '{' || text[0] == '[':
		if isGPURentalPrices(text) {
			return "a file of gpurentalprices"
		}
		return fmt.Sprintf("JSON that begins %q", clip(string(firstLine(text))))
	}
	r := csv.NewReader(bytes.NewReader(firstLine(text)))
	r.LazyQuotes = true
	header, err := r.Read()
	if err != nil || len(header) < 2 {
		return fmt.Sprintf("text that begins %q", clip(string(firstLine(text))))
	}
	for _, f := range csvFormats() {
		if len(lacking(header, f.header)) == 0 {
			return "a file of " + f.name
		}
	}
	return fmt.Sprintf("CSV with the columns %s", clip(strings.Join(header, ", ")))
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.TrimRight(line, "\r")
}

// lacking are the columns that a header has not.
func lacking(header, want []string) []string {
	var out []string
	for _, c := range want {
		if !slices.Contains(header, c) {
			out = append(out, c)
		}
	}
	return out
}
