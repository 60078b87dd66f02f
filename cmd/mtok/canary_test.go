package main

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// canary is a key that must turn up nowhere but in the header of its request.
const canary = "canary-5f1d3c9a7be84460"

// echoing is a server that repeats what it was sent: in the body of an error,
// in headers, and in the place that it redirects to.
type echoing struct {
	next  http.RoundTripper
	mu    sync.Mutex // providers ask at the same time
	asked map[string]bool
}

func (e *echoing) RoundTrip(r *http.Request) (*http.Response, error) {
	key := r.Header.Get("Authorization")
	if key == "" {
		return e.next.RoundTrip(r)
	}
	e.mu.Lock()
	e.asked[r.URL.Host] = strings.Contains(key, canary)
	e.mu.Unlock()
	body := `{"error":{"code":"global/invalid-api-key","message":"key ` + key + ` at ` + r.URL.String() + `"}}`
	return &http.Response{
		StatusCode: http.StatusUnauthorized, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"application/json"}, "Etag": {`"` + canary + `"`}, "X-Echo": {key}},
		Body:   io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}, nil
}

// TestKeysTurnUpNowhere runs a live night with keys that the servers repeat, and
// looks for them in everything that mtok printed, logged and kept.
func TestKeysTurnUpNowhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, config := filepath.Join(dir, "mtok.db"), filepath.Join(dir, "config.toml")
	writeText(t, config, "[providers.vast]\nmodels = [\"H100 SXM\"]\n")
	server := &echoing{next: &internet{}, asked: map[string]bool{}}
	env := map[string]string{"LAMBDA_API_KEY": canary, "RUNPOD_API_KEY": canary}
	var printed bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		d := deps{Env: func(name string) string { return env[name] }, Now: time.Now, Transport: server}
		args := []string{"nightly", "-v", "--log-format", "json", "--config", config, "--db", db}
		if code := run(t.Context(), args, &printed, &printed, d); code != exitPartial {
			t.Errorf("exit %d, want %d\n%s", code, exitPartial, &printed)
		}
		for _, args := range [][]string{{"status"}, {"report", "prices"}, {"config", "show"}, {"explain", "h100-sxm-80gb"}} {
			run(t.Context(), append(args, "--config", config, "--db", db), &printed, &printed, d)
		}
		run(t.Context(), []string{"export", "pages", "--to", filepath.Join(dir, "pages"), "--config", config, "--db", db}, &printed, &printed, d)
	})
	if !server.asked["cloud.lambda.ai"] || !server.asked["api.runpod.io"] {
		t.Errorf("keyed sources asked with their key: %v", server.asked)
	}
	if bytes.Contains(printed.Bytes(), []byte(canary)) {
		t.Errorf("the key was printed or logged:\n%s", &printed)
	}
	searchFiles(t, dir)
}

// searchFiles looks for the canary in every file below dir: the database, and
// the pages that were exported from it, where they are not compressed.
func searchFiles(t *testing.T, dir string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if bytes.Contains(data, []byte(canary)) {
			t.Errorf("%s holds the key", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "pages", "lambda", "instance-types-api.json")); err != nil {
		t.Errorf("the answer that repeats the key was not archived (%v); %d files", err, files)
	}
}
