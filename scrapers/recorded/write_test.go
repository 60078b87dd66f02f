package recorded_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

var written = time.Date(2026, 8, 22, 18, 0, 7, 0, time.UTC)

// readBack asks an exported directory for an answer.
func readBack(t *testing.T, dir string, target scrapers.Target) scrapers.Fetched {
	t.Helper()
	d, err := recorded.Open(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	resp, body, err := get(t.Context(), t, d, target)
	if err != nil {
		t.Fatal(err)
	}
	at, err := time.Parse(time.RFC1123, resp.Header.Get("Date"))
	if err != nil {
		t.Fatal(err)
	}
	return scrapers.Fetched{
		Status: resp.StatusCode, ContentType: resp.Header.Get("Content-Type"), Body: []byte(body),
		ETag: resp.Header.Get("ETag"), LastModified: resp.Header.Get("Last-Modified"), FetchedAt: at.UTC(),
	}
}

func TestWriteReadsBackEqual(t *testing.T) {
	for _, tt := range []struct {
		name   string
		target scrapers.Target
		got    scrapers.Fetched
		file   string
	}{
		{"page", scrapers.Target{Provider: "crusoe", Source: "pricing-page"},
			scrapers.Fetched{Status: 200, ContentType: "text/html; charset=utf-8", Body: []byte("<p>\"é\"\r\n</p>"), ETag: `W/"a'b"`, LastModified: "Sat, 22 Aug 2026 06:00:00 GMT"},
			"crusoe/pricing-page.html"},
		{"keyed JSON", scrapers.Target{Provider: "vast", Source: "bundles-api", Key: "h100-sxm.asc"},
			scrapers.Fetched{Status: 200, ContentType: "application/problem+json", Body: []byte(`{"a":1}`)},
			"vast/bundles-api.h100-sxm.asc.json"},
		{"404", scrapers.Target{Provider: "fluidstack", Source: "pricing-page"},
			scrapers.Fetched{Status: 404, ContentType: "text/html", Body: []byte{}},
			"fluidstack/pricing-page.html"},
		{"plain text", scrapers.Target{Provider: "acme", Source: "prices"},
			scrapers.Fetched{Status: 200, ContentType: "text/plain", Body: []byte("$1.00")},
			"acme/prices.html"},
		{"robots", scrapers.Target{Provider: "acme", Source: "robots.txt"},
			scrapers.Fetched{Status: 200, ContentType: "text/plain", Body: []byte("User-agent: *\n")},
			"acme/robots.txt"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "new", "night")
			tt.got.FetchedAt = written
			for range 2 { // the second time changes nothing
				if err := recorded.Write(dir, tt.target, tt.got); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := os.Stat(filepath.Join(dir, tt.file)); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(tt.got, readBack(t, dir, tt.target)); diff != "" {
				t.Errorf("read back (-written +read):\n%s", diff)
			}
			hidden, err := filepath.Glob(filepath.Join(dir, "*", ".*"))
			if err != nil || len(hidden) != 0 {
				t.Errorf("left over: %v, %v", hidden, err)
			}
		})
	}
}

// TestWriteWholeNight: the built-in night is written and read back as it is.
func TestWriteWholeNight(t *testing.T) {
	d, err := recorded.Open(recorded.Night())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, target := range nightTargets(t) {
		resp, body, err := get(t.Context(), t, d, target)
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC1123, resp.Header.Get("Date"))
		if err != nil {
			t.Fatal(err)
		}
		want := scrapers.Fetched{Status: resp.StatusCode, ContentType: resp.Header.Get("Content-Type"), Body: []byte(body), FetchedAt: at.UTC()}
		if err := recorded.Write(dir, target, want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, readBack(t, dir, target)); diff != "" {
			t.Errorf("%+v (-written +read):\n%s", target, diff)
		}
	}
}

func TestWriteRobotsBesidePage(t *testing.T) {
	dir := t.TempDir()
	robots := scrapers.Fetched{Status: 200, ContentType: "text/plain", Body: []byte("User-agent: *\n"), FetchedAt: written}
	page := scrapers.Fetched{Status: 200, ContentType: "text/html", Body: []byte("<p>"), FetchedAt: written, Robots: &robots}
	if err := recorded.Write(dir, scrapers.Target{Provider: "acme", Source: "prices"}, page); err != nil {
		t.Fatal(err)
	}
	page.Robots = &scrapers.Fetched{Status: 404}
	if err := recorded.Write(dir, scrapers.Target{Provider: "other", Source: "prices"}, page); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(robots, readBack(t, dir, scrapers.Target{Provider: "acme", Source: "robots.txt"})); diff != "" {
		t.Errorf("robots.txt (-written +read):\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(dir, "other", "robots.txt")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a robots.txt that is not there was written: %v", err)
	}
}

func TestWriteNotModified(t *testing.T) {
	dir := t.TempDir()
	target := scrapers.Target{Provider: "acme", Source: "prices"}
	got := scrapers.Fetched{Status: 304, NotModified: true, ContentType: "text/html", Body: []byte("<p>"), FetchedAt: written}
	if err := recorded.Write(dir, target, got); err != nil {
		t.Fatal(err)
	}
	if back := readBack(t, dir, target); back.Status != 200 || string(back.Body) != "<p>" {
		t.Errorf("read back %d %q", back.Status, back.Body)
	}
}

func TestWriteKeepsWhatIsThere(t *testing.T) {
	target := scrapers.Target{Provider: "acme", Source: "prices"}
	first := scrapers.Fetched{Status: 200, ContentType: "text/html", Body: []byte("<p>one"), FetchedAt: written}
	change := map[string]func(*scrapers.Fetched){
		"other body":   func(f *scrapers.Fetched) { f.Body = []byte("<p>two") },
		"other status": func(f *scrapers.Fetched) { f.Status = 404 },
		"other time":   func(f *scrapers.Fetched) { f.FetchedAt = written.Add(time.Hour) },
		"other type":   func(f *scrapers.Fetched) { f.ContentType = "application/json" },
	}
	for name, alter := range change {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := recorded.Write(dir, target, first); err != nil {
				t.Fatal(err)
			}
			second := first
			alter(&second)
			if err := recorded.Write(dir, target, second); !errors.Is(err, recorded.ErrExists) {
				t.Errorf("error %v, want ErrExists", err)
			}
			if diff := cmp.Diff(first, readBack(t, dir, target)); diff != "" {
				t.Errorf("the first answer changed (-want +got):\n%s", diff)
			}
		})
	}
}

// TestWriteBesideHandMade: a page without a meta file is an answer too.
func TestWriteBesideHandMade(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "acme"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "acme", "prices.html"), []byte("<p>"), 0o644); err != nil {
		t.Fatal(err)
	}
	got := scrapers.Fetched{Status: 200, ContentType: "application/json", Body: []byte("{}"), FetchedAt: written}
	if err := recorded.Write(dir, scrapers.Target{Provider: "acme", Source: "prices"}, got); !errors.Is(err, recorded.ErrExists) {
		t.Errorf("error %v, want ErrExists", err)
	}
	if _, err := recorded.Open(os.DirFS(dir)); err != nil {
		t.Errorf("the night can't be read any more: %v", err)
	}
}

func TestWriteRefuses(t *testing.T) {
	good := scrapers.Target{Provider: "acme", Source: "prices", Key: "h100"}
	for _, tt := range []struct {
		name   string
		target scrapers.Target
		status int
	}{
		{"provider leads out", scrapers.Target{Provider: "../acme", Source: "prices"}, 200},
		{"dots only", scrapers.Target{Provider: "..", Source: "prices"}, 200},
		{"source with slash", scrapers.Target{Provider: "acme", Source: "a/b"}, 200},
		{"source with dot", scrapers.Target{Provider: "acme", Source: "a.b"}, 200},
		{"hidden", scrapers.Target{Provider: "acme", Source: "prices", Key: ".x"}, 200},
		{"key leads out", scrapers.Target{Provider: "acme", Source: "prices", Key: "x/../../y"}, 200},
		{"capitals", scrapers.Target{Provider: "acme", Source: "prices", Key: "H100"}, 200},
		{"line break", scrapers.Target{Provider: "acme", Source: "prices", Key: "h100\n"}, 200},
		{"no source", scrapers.Target{Provider: "acme"}, 200},
		{"redirect", good, 302},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := recorded.Write(dir, tt.target, scrapers.Fetched{Status: tt.status, Body: []byte("x")}); err == nil {
				t.Error("written")
			}
			if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
				t.Errorf("left %v, %v", entries, err)
			}
		})
	}
}

// TestWriteStaysInside: a symlink in the directory leads nowhere.
func TestWriteStaysInside(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "acme")); err != nil {
		t.Fatal(err)
	}
	err := recorded.Write(dir, scrapers.Target{Provider: "acme", Source: "prices"}, scrapers.Fetched{Status: 200, Body: []byte("x")})
	entries, errDir := os.ReadDir(outside)
	if err == nil || errDir != nil || len(entries) != 0 {
		t.Errorf("error %v; outside: %v, %v", err, entries, errDir)
	}
}
