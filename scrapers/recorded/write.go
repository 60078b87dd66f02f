package recorded

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"time"

	"mtok/scrapers"
)

// ErrExists is wrapped by Write when the directory holds another answer under
// the same name.
var ErrExists = errors.New("another answer is recorded there")

// Write adds an answer to the recorded night in dir, its robots.txt with it.
// Open reads it back: the body and the type that it has been decoded to, the
// status, the validators, and the time in whole seconds. An answer that was
// not modified is written as the 200 that its body once was. What is there
// already stays: the same content is no error, other content is ErrExists.
func Write(dir string, target scrapers.Target, got scrapers.Fetched) error {
	name, err := stem(target)
	if err != nil {
		return fmt.Errorf("write recorded answer: %w", err)
	}
	m := metaOf(got)
	if err := m.validate(); err != nil {
		return fmt.Errorf("write recorded answer %s: %w", name, err)
	}
	text, err := m.marshal()
	if err != nil {
		return fmt.Errorf("write recorded answer %s: %w", name, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write recorded answer %s: %w", name, err)
	}
	root, err := os.OpenRoot(dir) // a symlink in dir can't lead out of it
	if err != nil {
		return fmt.Errorf("write recorded answer %s: %w", name, err)
	}
	defer root.Close()
	if err := writeAnswer(root, name, extOf(target, got.ContentType), text, got.Body); err != nil {
		return fmt.Errorf("write recorded answer %s in %s: %w", name, dir, err)
	}
	if got.Robots != nil && got.Robots.Status != http.StatusNotFound {
		return Write(dir, scrapers.Target{Provider: target.Provider, Source: scrapers.SourceRobots}, *got.Robots)
	}
	return nil
}

// writeAnswer writes the meta file first: Open refuses a meta file without its
// page, whereas a page alone would be a 200 of no known time.
func writeAnswer(root *os.Root, name, ext string, metaText, body []byte) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	for _, other := range []string{".html", ".json"} {
		if _, err := root.Lstat(name + other); err == nil && other != ext {
			return fmt.Errorf("%s%s: %w", name, other, ErrExists)
		}
	}
	files := []struct {
		name    string
		content []byte
	}{{name + metaExt, metaText}, {name + ext, body}}
	for _, f := range files {
		if err := checkSame(root, f.name, f.content); err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := writeFile(root, f.name, f.content); err != nil {
			return err
		}
	}
	return nil
}

// checkSame refuses to replace a file by another content.
func checkSame(root *os.Root, name string, content []byte) error {
	old, err := root.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !bytes.Equal(old, content):
		return fmt.Errorf("%s: %w", name, ErrExists)
	}
	return nil
}

// writeFile writes under a hidden name first, so that a file that has its name
// is whole.
func writeFile(root *os.Root, name string, content []byte) error {
	part := path.Join(path.Dir(name), "."+path.Base(name)+".part")
	if err := root.WriteFile(part, content, 0o644); err != nil {
		return err
	}
	return root.Rename(part, name)
}

func metaOf(got scrapers.Fetched) meta {
	m := meta{URL: got.URL, Status: got.Status, ContentType: got.ContentType}
	if got.NotModified || m.Status == 0 {
		m.Status = http.StatusOK
	}
	if !got.FetchedAt.IsZero() {
		at := got.FetchedAt.UTC().Truncate(time.Second)
		m.FetchedAt = &at
	}
	for name, value := range map[string]string{"ETag": got.ETag, "Last-Modified": got.LastModified} {
		if value == "" {
			continue
		}
		if m.Headers == nil {
			m.Headers = map[string]string{}
		}
		m.Headers[name] = value
	}
	return m
}
