package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A load is read as it is meant, or refused: never another number.
func TestHourlyLoad(t *testing.T) {
	file := func(text string) string {
		path := filepath.Join(t.TempDir(), "l.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct {
		load string
		want []int64
		says string
	}{
		"typed":                    {load: "12000000, 30000000,5", want: []int64{12_000_000, 30_000_000, 5}},
		"typed, small":             {load: "100, 200, 300", want: []int64{100, 200, 300}},
		"typed with marks":         {load: "1,000,000", says: "thousands marks"},
		"typed with marks, hours":  {load: "1,000,000, 2,000,000", says: "thousands marks"},
		"typed, doubtful":          {load: "5000,1,500", says: "a space after each comma"},
		"typed with blanks":        {load: "1 000 000", says: "no thousands marks"},
		"a column":                 {load: file("5\n6\n"), want: []int64{5, 6}},
		"marks":                    {load: file("1,000,000\n2,000,000\n"), says: `line 1: is "1,000,000" columns, or a number with thousands marks`},
		"marks, thousands":         {load: file("1,000\n2,000\n"), says: `line 1: is "1,000" columns`},
		"marks under a heading":    {load: file("tokens\n1,000,000\n"), says: "line 2: 3 columns, the first line has 1; numbers take no thousands marks"},
		"marks in quotes":          {load: file("hour,tokens\n0,\"1,000,000\"\n"), says: `line 2: "1,000,000" is no whole number of output tokens (digits alone, no thousands marks)`},
		"marks behind a time":      {load: file("2026-08-22T00:00Z,1,000,000\n"), says: "thousands marks"},
		"marks in one line":        {load: file("2026-08-22T00:00Z,900000\n2026-08-22T01:00Z,1,000,000\n"), says: "line 2: 4 columns, the first line has 2"},
		"points":                   {load: file("1.000.000\n"), says: "no thousands marks"},
		"small under a heading":    {load: file("hour,tokens\n1,500\n2,600\n"), want: []int64{500, 600}},
		"BOM":                      {load: file("\ufeff5\n6\n"), want: []int64{5, 6}},
		"BOM and heading":          {load: file("\ufeffHOUR,OUTPUT TOKENS\n0,7\n"), want: []int64{7}},
		"a heading in capitals":    {load: file("TOKENS\n7\n8\n"), want: []int64{7, 8}},
		"times without a heading":  {load: file("2026-08-22T00:00Z,12000000\n2026-08-22T01:00Z,3\n"), want: []int64{12_000_000, 3}},
		"months without a heading": {load: file("22 Aug 2026 00:00,12000000\n22 Aug 2026 01:00,3\n"), want: []int64{12_000_000, 3}},
		"no heading, a word":       {load: file("12M\n3\n"), says: `line 1: "12M"`},
		"no heading, not counted":  {load: file("n/a\n3\n"), says: `line 1: "n/a"`},
		"CRLF":                     {load: file("tokens\r\n5\r\n6\r\n"), want: []int64{5, 6}},
		"CR":                       {load: file("tokens\r5\r6\r"), want: []int64{5, 6}},
		"an hour lacks":            {load: file("tokens\n5\n\n6\n"), says: "line 3"},
		"UTF-16":                   {load: file("\xff\xfe5\x00\n\x00"), says: "UTF-8"},
		"nothing":                  {load: file("\n"), says: "no hour is given"},
		"a heading alone":          {load: file("tokens\n"), says: "no hour is given"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := hourlyLoad(c.load)
			if c.says != "" {
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Fatalf("%v, %v; want an error with %q", got, err, c.says)
				}
				return
			}
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%v, %v; want %v", got, err, c.want)
			}
		})
	}
}
