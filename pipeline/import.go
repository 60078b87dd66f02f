package pipeline

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"sync"
	"time"

	"mtok/pipeline/history"
	"mtok/schema"
	"mtok/scrapers"
)

// ImportStore keeps what an import writes.
type ImportStore interface {
	// Imported reports whether a file was read already.
	Imported(ctx context.Context, k schema.ImportKind) (bool, error)
	// SaveImport writes a file and what was read from it in one transaction; kept
	// counts the prices that our own nights have already, and that stay.
	SaveImport(ctx context.Context, in schema.Import) (kept int, err error)
}

// File is a file to import.
type File struct {
	Name string // as named by the user
	Body []byte
}

// Import reads files of other people's prices.
type Import struct {
	Format    history.Format
	Providers []scrapers.Provider // whose bands judge the prices
	Catalog   *schema.Catalog
	Store     ImportStore
	Now       func() time.Time
	// Lenient imports the sound rows of a file that has broken ones.
	Lenient bool
	// Day is that of a file whose format tells none.
	Day schema.Day
}

// ReadFile is a file that was parsed and judged, and is not saved yet.
type ReadFile struct {
	Name    string
	Hash    string
	Already bool // it was imported before: nothing is left to do
	Result  history.Result
	Verdict history.Verdict
	Own     int // prices that our own nights have already, once it is saved
	prices  int // once it is saved
	body    []byte
}

// Saved lets go of the prices and the file, of which only their number is of use
// from now on.
func (f *ReadFile) Saved() {
	f.prices = len(f.Verdict.Kept)
	f.Verdict.Kept, f.body = nil, nil
}

// Read parses files and judges them together, so that a price is held against the
// day before, which may stand in another file. Nothing is written. An error is of
// one whole file.
func (m *Import) Read(ctx context.Context, files []File) ([]ReadFile, error) {
	out, err := m.Judged(files)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i := range out {
		already, err := m.Store.Imported(ctx, schema.ImportKind{
			Format: m.Format.Name, PageSHA256: out[i].Hash, ParserVersion: m.Format.Version, Key: m.dayKey(),
		})
		if err != nil {
			return nil, err
		}
		out[i].Already = already || seen[out[i].Hash]
		seen[out[i].Hash] = true
	}
	return out, nil
}

// Judged is Read without a store.
func (m *Import) Judged(files []File) ([]ReadFile, error) {
	judge := history.Judge{Catalog: m.Catalog, Expect: m.expect, Today: schema.DayOf(m.Now())}
	out, sifted := make([]ReadFile, len(files)), make([]history.Sifted, len(files))
	for i, f := range files {
		var hashed sync.WaitGroup
		hashed.Go(func() {
			sum := sha256.Sum256(f.Body)
			out[i] = ReadFile{Name: f.Name, Hash: hex.EncodeToString(sum[:]), body: f.Body}
		})
		var err error
		sifted[i], err = m.sift(judge, f)
		hashed.Wait()
		if err != nil {
			return nil, err
		}
		out[i].Result = sifted[i].Result
	}
	// Files that were imported already are looked at too: they are the days before.
	for i, v := range judge.Weigh(m.Format, sifted) {
		out[i].Verdict = v
	}
	return out, nil
}

// sift reads one file by the rules of strict and lenient.
func (m *Import) sift(judge history.Judge, f File) (history.Sifted, error) {
	s, err := judge.Sift(m.Format, path.Base(f.Name), f.Body, m.Day)
	if err != nil {
		return s, fmt.Errorf("%s: %w", f.Name, err)
	}
	if n := len(s.Faults); n > 0 && !m.Lenient {
		first := s.Faults[0]
		return s, fmt.Errorf("%s: %w: row %d: %s; %d of %d rows are broken (--lenient imports the others)",
			f.Name, history.ErrStructure, first.Line, first.Text, n, s.Read)
	}
	return s, nil
}

func (m *Import) expect(id schema.ProviderID) scrapers.Expect {
	for _, p := range m.Providers {
		if p.ID == id {
			return p.Expect
		}
	}
	return scrapers.Expect{}
}

// Save writes a file that was read, under a run that holds the lock.
func (m *Import) Save(ctx context.Context, run schema.Run, f ReadFile) (kept int, err error) {
	name := path.Base(f.Name)
	key := cmp.Or(m.dayKey(), name)
	rejects := make([]schema.Reject, len(f.Verdict.Rejects))
	for i, r := range f.Verdict.Rejects {
		rejects[i] = r.Reject
		rejects[i].Label = fmt.Sprintf("row %d: %s", r.Line, r.Label)
		if r.Source == "" {
			rejects[i].Source = m.Format.Name
		}
	}
	return m.Store.SaveImport(ctx, schema.Import{
		Fetch: schema.Fetch{
			RunID: run.ID, Day: run.Day, Provider: schema.ProviderID(m.Format.Name), Source: m.Format.Name, Key: key,
			Origin: schema.OriginImport, Method: "READ", URL: "file:" + name, Status: 200, FetchedAt: m.Now(),
		},
		Page:   schema.Page{SHA256: f.Hash, MediaType: mediaType(f.body), Body: f.body},
		Format: m.Format.Name, DayKey: m.dayKey(), File: name, Licence: m.Format.Licence, Attribution: m.Format.Attribution,
		Provenance: string(m.Format.Provenance),
		Parse: schema.Parse{ParserVersion: m.Format.Version, Offers: len(f.Verdict.Kept) + len(f.Result.Tokens),
			Rejects: len(rejects), Error: faultText(f.Result.Faults)},
		Rejects: rejects, Prices: f.Verdict.Kept, TokenPrices: f.Result.Tokens,
	})
}

// dayKey is the day of a file that does not tell it: the same bytes are another
// file on another day. Empty where the file tells its days.
func (m *Import) dayKey() string {
	if !m.Format.Undated {
		return ""
	}
	return m.Day.String()
}

func mediaType(body []byte) string {
	if len(body) > 0 && (body[0] == '{' || body[0] == '[') {
		return "application/json"
	}
	return "text/csv"
}

func faultText(faults []history.Fault) string {
	if len(faults) == 0 {
		return ""
	}
	return fmt.Sprintf("%d broken row(s), the first: row %d: %s", len(faults), faults[0].Line, faults[0].Text)
}
