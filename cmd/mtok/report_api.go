package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

const (
	// maxLoadFile bounds a file of hourly loads: ten years of hours are shorter.
	maxLoadFile = 4 << 20
	// maxHourlyTokens is more than all the GPUs of the world give.
	maxHourlyTokens = 1_000_000_000_000_000
)

// hourlyLoad reads output tokens hour by hour: typed with commas between them, or
// a file of one hour a line, whose last column counts. A first line of words is its
// heading.
func hourlyLoad(text string) ([]int64, error) {
	if strings.Trim(text, "0123456789, ") == "" {
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
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(data), "\r", "")), "\n")
	first := 1
	if strings.ContainsAny(lines[0], "abcdefghijklmnopqrstuvwxyz") {
		lines, first = lines[1:], 2
	}
	for i, line := range lines {
		lines[i] = line[strings.LastIndex(line, ",")+1:]
	}
	return loadOf(lines, func(i int) string { return fmt.Sprintf("%s, line %d", text, i+first) })
}

func loadOf(cells []string, where func(int) string) ([]int64, error) {
	var out []int64
	for i, cell := range cells {
		tokens, err := strconv.ParseInt(strings.TrimSpace(cell), 10, 64)
		if err != nil || tokens < 0 || tokens > maxHourlyTokens {
			return nil, usagef("--load, %s: %q is no whole number of output tokens", where(i), strings.TrimSpace(cell))
		}
		out = append(out, tokens)
	}
	if len(out) == 0 {
		return nil, usagef("--load: no hour is given")
	}
	return out, nil
}
