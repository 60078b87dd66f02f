package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"mtok/schema/store"
)

// TestServeDelivers: serve takes what waits to the channels by itself, and leaves
// nothing running behind.
func TestServeDelivers(t *testing.T) {
	t.Parallel()
	a := newAlerted(t, alertedConfig)
	a.hook.status = http.StatusBadGateway
	for i, price := range []string{"3.29", "3.29", "2.99", "2.99"} {
		a.night(july(t, 5+i), price)
	}
	ids := make(chan string, 1)
	back := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { ids <- r.Header.Get("X-Mtok-Delivery") }))
	defer back.Close()
	now := func() time.Time { return july(t, 9).Time().Add(20 * time.Hour) }
	serving := &app{deps: deps{Env: func(string) string { return "generic+" + back.URL }, Now: now}, config: defaultConfig(), log: slog.New(slog.DiscardHandler)}
	serving.config.Channels = []ChannelConfig{{Name: "hook", URLEnv: "HOOK_URL"}}
	s, err := store.Open(t.Context(), store.Config{Path: a.db, Mode: store.ReadWrite}, now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	stop := serving.keepDelivering(ctx, s)
	if id := <-ids; id != a.hook.ids[0] {
		t.Errorf("id %q, want %q", id, a.hook.ids[0])
	}
	cancel()
	stop()
}
