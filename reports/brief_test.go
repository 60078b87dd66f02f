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
	if n := utf8.RuneCountInString(got); n > 165 || !strings.Contains(got, "geändert … geändert") || !utf8.ValidString(got) {
		t.Errorf("%d runes: %q", n, got)
	}
	word := strings.Repeat("ä", 400)
	if got := reports.Brief(word); got != word[:160]+" … "+word[:160] {
		t.Errorf("a text of one word: %q", got)
	}
}

// The cause of a fault stands at its end, and a fetch within a fetch is told once.
func TestBriefKeepsTheCause(t *testing.T) {
	for text, want := range map[string]string{
		`fetch https://lambda.ai/pricing: network: robots.txt could not be read: fetch https://lambda.ai/robots.txt: network: dial tcp: lookup lambda.ai on 9.9.9.9:53: no such host`: `fetch https://lambda.ai/pricing: network: robots.txt could not be read: dial tcp: lookup lambda.ai on 9.9.9.9:53: no such host`,

		`fetch https://console.vast.ai/api/v0/bundles/: network: robots.txt could not be read: Get "https://console.vast.ai/robots.txt": dial tcp: lookup console.vast.ai on 9.9.9.9:53: no such host`: `fetch https://console.vast.ai/api/v0/bundles/: network: robots.txt could not be … dial tcp: lookup console.vast.ai on 9.9.9.9:53: no such host`,

		// Another kind is another fault, and one fetch alone is told whole.
		"fetch https://a.example/p: robots: fetch https://a.example/robots.txt: timeout: late": "fetch https://a.example/p: robots: fetch https://a.example/robots.txt: timeout: late",
		"fetch https://a.example/p: network":                                                   "fetch https://a.example/p: network",
		"fetch https://a.example/p: network: fetch https://a.example/robots.txt: network":      "fetch https://a.example/p: network: fetch https://a.example/robots.txt: network",
	} {
		if got := reports.Brief(text); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}
