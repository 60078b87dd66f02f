package web

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// File is a report in one of its forms.
type File struct {
	MediaType string
	Body      []byte
}

// Pages makes every report as it stands now, by the name of its file; "index.html"
// leads to the others.
type Pages func(ctx context.Context) (map[string]File, error)

// pagesAge is how long the pages serve: figures change once a night, and nobody
// can make the server work more often than that by asking.
const pagesAge = time.Minute

// makeTimeout ends a making that hangs; one of five years takes seconds.
const makeTimeout = 2 * time.Minute

// bookcase answers for the pages and makes them when they are old.
type bookcase struct {
	make Pages
	now  func() time.Time
	log  *slog.Logger

	mu    sync.Mutex
	files map[string]File
	made  time.Time
}

// ServeHTTP answers for a page, or for the index at "/".
func (b *bookcase) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	files, err := b.current(r.Context())
	if err != nil {
		b.log.Error("reports", slog.String("error", err.Error()))
		http.Error(w, "the reports could not be made: see the log", http.StatusInternalServerError)
		return
	}
	name := r.PathValue("file")
	if name == "" {
		name = "index.html"
	}
	file, ok := files[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", file.MediaType)
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	w.Write(file.Body)
}

// current are the pages, made again where they are old. One request makes them
// and the others wait, whether or not it stays for the answer: who asks and hangs up
// would else have them made without end. What could not be made is asked again by
// the next.
func (b *bookcase) current(ctx context.Context) (map[string]File, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if age := b.now().Sub(b.made); b.files != nil && age >= 0 && age < pagesAge {
		return b.files, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), makeTimeout)
	defer cancel()
	files, err := b.make(ctx)
	if err != nil {
		return nil, err
	}
	b.files, b.made = files, b.now()
	return files, nil
}
