package reports_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"mtok/reports"
)

func TestBrief(t *testing.T) {
	if got := reports.Brief(" one line\nand another"); got != "one line" {
		t.Errorf("got %q", got)
	}
	long := strings.Repeat("geändert, ", 40)
	got := reports.Brief(long)
	if n := utf8.RuneCountInString(got); n > 165 || !strings.HasSuffix(got, "geändert …") || !utf8.ValidString(got) {
		t.Errorf("%d runes: %q", n, got)
	}
}
