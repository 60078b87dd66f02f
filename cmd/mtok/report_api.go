package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxLoadFile bounds a file of hourly loads: ten years of hours are shorter.
	maxLoadFile = 4 << 20
	// maxHourlyTokens is more than all the GPUs of the world give.
	maxHourlyTokens = 1_000_000_000_000_000
)

// What may be one number with thousands marks or more than one: "1,000", anywhere
// and at the end of a line.
var (
	thousandsMark = regexp.MustCompile(`(^|[^0-9])[1-9][0-9]{0,2},[0-9]{3}([^0-9]|$)`)
	lastThousands = regexp.MustCompile(`(?:^|[^0-9])([1-9][0-9]{0,2}(?:,[0-9]{3})+)\s*$`)
)

// hourlyLoad reads output tokens hour by hour: typed with commas between them, or
// a file of one hour a line, whose last column counts. A first line of words is its
// heading. What could be a number with thousands marks is refused: read as hours it
// would be another load.
func hourlyLoad(text string) ([]int64, error) {
	if strings.Trim(text, "0123456789, ") == "" {
		if thousandsMark.MatchString(text) {
			return nil, usagef("--load %q: are these hours, or numbers with thousands marks? Write numbers without marks, and a space after each comma between hours", text)
		}
		return loadOf(strings.Split(text, ","), func(i int) string { return fmt.Sprintf("hour %d", i+1) })
	}
	info, err := os.Stat(text)
	if err != nil {
		return nil, usagef("--load %q is neither whole numbers with commas nor a file: %w", text, err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxLoadFile {
		return nil, usagef("--load %s: no file of hourly loads", text)
	}
	data, err := os.ReadFile(text)
	if err != nil {
		return nil, usagef("--load: %w", err)
	}
	if !utf8.Valid(data) {
		return nil, usagef("--load %s: is not UTF-8 text: save it as CSV in UTF-8", text)
	}
	cells, first, err := lastColumn(string(data))
	if err != nil {
		return nil, usagef("--load, %s, %w", text, err)
	}
	return loadOf(cells, func(i int) string { return fmt.Sprintf("%s, line %d", text, i+first) })
}

// lastColumn reads the last cell of each line but the heading, and the number of the
// line of the first of them. All lines have as many cells as the first.
func lastColumn(text string) (cells []string, first int, err error) {
	text = strings.TrimPrefix(text, "\ufeff")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	if text = strings.TrimRightFunc(text, unicode.IsSpace); text == "" {
		return nil, 1, nil
	}
	first = 1
	columns, headed := 0, false
	for i, line := range strings.Split(text, "\n") {
		row, err := csv.NewReader(strings.NewReader(line)).Read()
		if err != nil {
			return nil, 0, fmt.Errorf("line %d: %q is no line of a CSV file", i+1, line)
		}
		if i == 0 {
			columns, headed = len(row), isHeading(row)
			if headed {
				first = 2
				continue
			}
		}
		if len(row) != columns {
			return nil, 0, fmt.Errorf("line %d: %d columns, the first line has %d; numbers take no thousands marks", i+1, len(row), columns)
		}
		if marked := lastThousands.FindStringSubmatch(line); marked != nil && !headed {
			return nil, 0, fmt.Errorf("line %d: is %q columns, or a number with thousands marks? Write numbers without marks, or put a heading above the columns", i+1, marked[1])
		}
		cells = append(cells, row[len(row)-1])
	}
	return cells, first, nil
}

// isHeading reports whether a first line names the columns: its last cell is a word,
// and no cell begins like a number or a day.
func isHeading(row []string) bool {
	for _, cell := range row {
		if begin := strings.TrimSpace(cell); begin != "" && strings.ContainsAny(begin[:1], "0123456789+-.") {
			return false
		}
	}
	last := strings.ToLower(strings.TrimSpace(row[len(row)-1]))
	switch last {
	case "nan", "na", "n/a", "null", "none":
		return false // an hour that nobody counted
	}
	return strings.IndexFunc(last, unicode.IsLetter) >= 0
}

func loadOf(cells []string, where func(int) string) ([]int64, error) {
	var out []int64
	for i, cell := range cells {
		tokens, err := strconv.ParseInt(strings.TrimSpace(cell), 10, 64)
		if err != nil || tokens < 0 || tokens > maxHourlyTokens {
			return nil, usagef("--load, %s: %q is no whole number of output tokens (digits alone, no thousands marks)", where(i), strings.TrimSpace(cell))
		}
		out = append(out, tokens)
	}
	if len(out) == 0 {
		return nil, usagef("--load: no hour is given")
	}
	return out, nil
}
