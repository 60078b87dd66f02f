package render_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image"
	_ "image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"mtok/reports"
	"mtok/reports/render"
)

var pictures = flag.String("pictures", "", "keep the pictures of pages in this directory")

// phone and desktop are the widths at which pages are looked at.
const (
	phone   = 360
	desktop = 1280
	tall    = 1400
)

// browser finds a browser without a window.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "headless_shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no chromium: pages were not drawn")
	return ""
}

func runBrowser(t *testing.T, program string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--allow-file-access-from-files",
		"--user-data-dir=" + t.TempDir()}, args...)
	out, err := exec.CommandContext(ctx, program, args...).Output()
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	return string(out)
}

// looked are the pages that are drawn: one with pictures and a long table, one of
// text alone, and the index.
func looked(t *testing.T) map[string][]byte {
	t.Helper()
	long := withChart()
	for i := range 20 {
		long.Columns = append(long.Columns, reports.Column{Header: fmt.Sprintf("column %d", i), View: reports.OnScreen})
	}
	for i := range long.Rows {
		for range 20 {
			long.Rows[i] = append(long.Rows[i], reports.Text(strings.Repeat("wide ", 5)))
		}
	}
	long.Before = append(long.Before, strings.Repeat("a-word-that-never-ends", 20))
	short := reports.Document{Name: "month", Title: "A month without a fleet", Empty: true, After: []string{"No [[fleet]] is configured."}}
	links := []render.Link{{Name: "index", File: "index.html"}, {Name: "sample", File: "long.html", About: strings.Repeat("about it ", 20), Current: true}}
	var index bytes.Buffer
	if err := render.WriteIndex(&index, render.Index{Title: "mtok reports", AsOf: "2026-08-22", Links: links, Classes: links}); err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{"long": []byte(page(t, render.Page{Document: long, Links: links})),
		"short": []byte(page(t, render.Page{Document: short, Links: links})), "index": index.Bytes()}
}

// TestPagesInABrowser draws pages at the width of a phone and of a desktop, light
// and dark: none may be blank, wider than its window, or of the other scheme.
func TestPagesInABrowser(t *testing.T) {
	program := browser(t)
	dir := t.TempDir()
	for name, body := range looked(t) {
		if err := os.WriteFile(filepath.Join(dir, name+".html"), body, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, width := range []int{phone, desktop} {
			if got := widthOf(t, program, dir, name, width); got > width {
				t.Errorf("%s is %d px wide in a window of %d", name, got, width)
			}
			light, dark := shot(t, program, dir, name, width, "light"), shot(t, program, dir, name, width, "dark")
			if light < 150 || dark > 100 {
				t.Errorf("%s at %d px: mean brightness %d in light, %d in dark", name, width, light, dark)
			}
		}
	}
}

// frame is a page that shows another in a window of some width: a browser's own
// window has a least width.
func frame(t *testing.T, dir, name string, width int) string {
	t.Helper()
	text := fmt.Sprintf(`<body style="margin:0"><iframe id="f" src="%s.html" style="border:0;display:block;width:%dpx;height:%dpx"></iframe>
<script>onload=()=>{document.title=document.getElementById("f").contentDocument.documentElement.scrollWidth}</script>`, name, width, tall)
	path := filepath.Join(dir, "frame.html")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

func widthOf(t *testing.T, program, dir, name string, width int) int {
	t.Helper()
	dom := runBrowser(t, program, fmt.Sprintf("--window-size=%d,%d", desktop, tall), "--virtual-time-budget=2000", "--dump-dom", frame(t, dir, name, width))
	found := regexp.MustCompile(`<title>(\d+)</title>`).FindStringSubmatch(dom)
	if found == nil {
		t.Fatalf("the page %s told no width:\n%s", name, dom)
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// shot draws a page and returns the mean brightness of its part of the picture.
func shot(t *testing.T, program, dir, name string, width int, scheme string) int {
	t.Helper()
	preferred := map[string]string{"light": "1", "dark": "0"}[scheme]
	to := filepath.Join(dir, fmt.Sprintf("%s-%d-%s.png", name, width, scheme))
	args := []string{"--blink-settings=preferredColorScheme=" + preferred, fmt.Sprintf("--window-size=%d,%d", max(width, 500), tall), "--screenshot=" + to}
	if scheme == "dark" {
		args = append(args, "--force-dark-mode")
	}
	runBrowser(t, program, append(args, frame(t, dir, name, width))...)
	body, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	if *pictures != "" {
		if err := os.WriteFile(filepath.Join(*pictures, filepath.Base(to)), body, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	picture, _, err := image.Decode(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return brightness(t, picture, width)
}

// brightness is the mean of a picture, 0 to 255; one colour alone is a blank page.
func brightness(t *testing.T, picture image.Image, width int) int {
	t.Helper()
	sum, n := 0, 0
	colours := map[[3]uint32]bool{}
	for y := 0; y < picture.Bounds().Dy(); y += 3 {
		for x := 0; x < width && x < picture.Bounds().Dx(); x += 3 {
			r, g, b, _ := picture.At(x, y).RGBA()
			colours[[3]uint32{r, g, b}] = true
			sum += int(r>>8+g>>8+b>>8) / 3
			n++
		}
	}
	if len(colours) < 5 {
		t.Errorf("%d colours: the page is blank", len(colours))
	}
	return sum / n
}
