package main

import "testing"

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{
		0: "0 files", 1: "1 file", 2: "2 files", 999: "999 files", 1000: "1,000 files", 29337: "29,337 files", 1234567: "1,234,567 files",
		-1000: "-1,000 files",
	} {
		if got := counted(n, "file"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got := counted(int64(2), "fetch"); got != "2 fetches" {
		t.Error(got)
	}
}

func TestToldOnce(t *testing.T) {
	const full = "write out/.y.csv-1: no space left on device"
	for message, want := range map[string]string{
		"export: " + full + "\n" + full + "\n" + full: "export: " + full,
		full + "\nanother":                            full + "\nanother",
		"one":                                         "one",
	} {
		if got := toldOnce(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}
