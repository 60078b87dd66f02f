package recorded

import (
	"fmt"
	"mime"
	"path"
	"regexp"
	"strings"

	"mtok/scrapers"
)

const (
	metaExt   = ".meta.toml"
	robotsExt = ".txt"
)

// The names are restricted so that a file name is the same on every system,
// and so that no part of it can lead out of the directory. A source has no
// dot: the first one begins the key.
var (
	plainName = regexp.MustCompile(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)
	keyName   = regexp.MustCompile(`^[a-z0-9]+(?:[.-][a-z0-9]+)*$`)
)

// stem is the path of a target's file without its extension.
func stem(t scrapers.Target) (string, error) {
	provider := string(t.Provider)
	if t.Source == scrapers.SourceRobots && t.Key == "" && plainName.MatchString(provider) {
		return path.Join(provider, strings.TrimSuffix(scrapers.SourceRobots, robotsExt)), nil
	}
	if !plainName.MatchString(provider) || !plainName.MatchString(t.Source) || (t.Key != "" && !keyName.MatchString(t.Key)) {
		return "", fmt.Errorf("provider %q, source %q, key %q: a recorded name has only a-z, 0-9, dots and hyphens",
			provider, t.Source, t.Key)
	}
	if t.Key == "" {
		return path.Join(provider, t.Source), nil
	}
	return path.Join(provider, t.Source+"."+t.Key), nil
}

// pageExt returns the extension of a page's file, and false for a file that is
// not a page.
func pageExt(name string) (string, bool) {
	if name == scrapers.SourceRobots {
		return robotsExt, true
	}
	ext := path.Ext(name)
	return ext, ext == ".html" || ext == ".json"
}

// extOf chooses the extension for an answer: what is not JSON is kept as HTML,
// its type in the meta file.
func extOf(t scrapers.Target, contentType string) string {
	media, _, err := mime.ParseMediaType(contentType)
	switch {
	case t.Source == scrapers.SourceRobots:
		return robotsExt
	case err == nil && (media == "application/json" || media == "text/json" || strings.HasSuffix(media, "+json")):
		return ".json"
	default:
		return ".html"
	}
}

// defaultType is the Content-Type of a page without one in its meta file.
func defaultType(ext string) string {
	switch ext {
	case ".json":
		return "application/json"
	case robotsExt:
		return "text/plain; charset=utf-8"
	default:
		return "text/html; charset=utf-8"
	}
}
