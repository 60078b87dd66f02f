package web

import (
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

const (
	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second
	// writeTimeout leaves a scrape its time.
	writeTimeout = 30 * time.Second
	idleTimeout  = 2 * time.Minute
	// maxScrapes at once: more than two Prometheus servers are a fault.
	maxScrapes = 4
	maxHeader  = 16 << 10
)

// Server answers /healthz, /readyz and /metrics, and shows the reports. The
// caller listens.
func Server(o Options) *http.Server {
	errors := slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn)
	return &http.Server{
		Handler: handler(o), ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout,
		WriteTimeout: writeTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader, ErrorLog: errors,
	}
}

func handler(o Options) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", alive)
	mux.HandleFunc("GET /readyz", o.ready)
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry(o, true), promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelError), MaxRequestsInFlight: maxScrapes,
	}))
	if o.Pages != nil {
		pages := &bookcase{make: o.Pages, now: o.Now, log: o.Log}
		mux.Handle("GET /{$}", pages)
		mux.Handle("GET /{file}", pages)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		mux.ServeHTTP(w, r)
	})
}

// alive answers /healthz: whoever can answer is alive.
func alive(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	io.WriteString(w, "ok\n")
}
