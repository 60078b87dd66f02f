package recorded

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"mtok/schema"
	"mtok/scrapers"
)

// Dir is a recorded night. It is an http.RoundTripper, safe for concurrent
// use; bodies are read when they are asked for.
type Dir struct {
	fsys      fs.FS
	answers   map[string]answer // by stem
	providers []string          // folder names, sorted
}

// answer is one recorded answer; ext is empty where there is no body file.
type answer struct {
	provider string
	ext      string
	meta     meta
}

// Open reads the names and meta files of a directory. Files at its top, hidden
// files and files that are neither page nor meta are passed over. A meta file
// that can't be read, or that has no page, is an error that names it.
func Open(fsys fs.FS) (*Dir, error) {
	top, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("read recorded night: %w", err)
	}
	d := &Dir{fsys: fsys, answers: map[string]answer{}}
	for _, e := range top {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		d.providers = append(d.providers, e.Name())
		if err := d.readProvider(e.Name()); err != nil {
			return nil, fmt.Errorf("recorded night: %w", err)
		}
	}
	if len(d.providers) == 0 {
		return nil, errors.New("recorded night: no provider folder, expected <provider>/<source>.html or .json")
	}
	return d, nil
}

// readProvider reads the pages of a folder first, so that each meta file finds
// the page that it is about.
func (d *Dir) readProvider(provider string) error {
	entries, err := fs.ReadDir(d.fsys, provider)
	if err != nil {
		return err
	}
	var metas []string
	for _, e := range entries {
		name := path.Join(provider, e.Name())
		ext, isPage := pageExt(e.Name())
		switch {
		case e.IsDir() || strings.HasPrefix(e.Name(), "."):
		case strings.HasSuffix(name, metaExt):
			metas = append(metas, name)
		case isPage:
			key := strings.TrimSuffix(name, ext)
			if other, twice := d.answers[key]; twice {
				return fmt.Errorf("%s stands beside %s%s: which one is the answer?", name, key, other.ext)
			}
			d.answers[key] = answer{provider: provider, ext: ext, meta: meta{Status: 200}}
		}
	}
	for _, name := range metas {
		if err := d.readMetaFile(provider, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (d *Dir) readMetaFile(provider, name string) error {
	text, err := fs.ReadFile(d.fsys, name)
	if err != nil {
		return err
	}
	m, err := readMeta(text)
	if err != nil {
		return err
	}
	key := strings.TrimSuffix(name, metaExt)
	a, found := d.answers[key]
	if !found && !m.bodyless() {
		return errors.New("no page beside it")
	}
	d.answers[key] = answer{provider: provider, ext: a.ext, meta: m}
	return nil
}

// Has reports whether the night holds an answer for a target. Its robots.txt
// is held only where there is a file.
func (d *Dir) Has(t scrapers.Target) bool {
	_, found := d.find(t)
	return found
}

func (d *Dir) find(t scrapers.Target) (answer, bool) {
	key, err := stem(t)
	if err != nil {
		return answer{}, false
	}
	a, found := d.answers[key]
	return a, found
}

// Page is the recorded answer of a target as a parser gets it, false where there is
// none or it can't be read.
func (d *Dir) Page(t scrapers.Target) (scrapers.Page, bool) {
	a, found := d.find(t)
	key, err := stem(t)
	if !found || err != nil || a.ext == "" {
		return scrapers.Page{}, false
	}
	body, err := fs.ReadFile(d.fsys, key+a.ext)
	return scrapers.Page{
		Source: t.Source, Key: t.Key, Status: a.meta.Status, ContentType: cmp.Or(a.meta.ContentType, defaultType(a.ext)), Body: body,
	}, err == nil
}

// FetchedOn is the day on which a target was recorded, 0 where that is not told.
func (d *Dir) FetchedOn(t scrapers.Target) schema.Day {
	if a, found := d.find(t); found && a.meta.FetchedAt != nil {
		return schema.DayOf(*a.meta.FetchedAt)
	}
	return 0
}

// Providers lists the provider folders by name, known or not.
func (d *Dir) Providers() []schema.ProviderID {
	ids := make([]schema.ProviderID, len(d.providers))
	for i, name := range d.providers {
		ids[i] = schema.ProviderID(name)
	}
	return ids
}

// Unknown lists the folders that are of no known provider: they are ignored,
// which a user should be told.
func (d *Dir) Unknown(known []schema.ProviderID) []string {
	var names []string
	for _, name := range d.providers {
		if !slices.Contains(known, schema.ProviderID(name)) {
			names = append(names, name)
		}
	}
	return names
}

// LatestFetchedAt returns the newest fetched_at, of the given providers or,
// with none given, of all: the time whose day is the day of the night. It is
// false where no meta file gives one.
func (d *Dir) LatestFetchedAt(providers ...schema.ProviderID) (time.Time, bool) {
	var latest time.Time
	for _, a := range d.answers {
		wanted := len(providers) == 0 || slices.Contains(providers, schema.ProviderID(a.provider))
		if at := a.meta.FetchedAt; wanted && at != nil && at.After(latest) {
			latest = at.UTC()
		}
	}
	return latest, !latest.IsZero()
}
