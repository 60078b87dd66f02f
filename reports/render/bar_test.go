package render_test

import (
	"bytes"
	"strings"
	"testing"

	"mtok/reports/render"
)

func TestBar(t *testing.T) {
	var out bytes.Buffer
	bar := render.NewBar(&out, "reading\x1b[31m pages")
	for done := range 8 {
		bar.Set(done+1, 8)
	}
	bar.Close()
	if !strings.Contains(out.String(), "reading[31m pages") || !strings.Contains(out.String(), "8 in") {
		t.Errorf("drew %q, want the title and all 8 steps", out.String())
	}
	render.NewBar(&out, "closed at once").Close()
}
