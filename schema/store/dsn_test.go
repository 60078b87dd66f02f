package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"testing"

	"mtok/schema/store"
)

// canary is a password that must show up nowhere.
const canary = "hunter2canary"

func TestDSNNeverPrints(t *testing.T) {
	c := store.Config{DSN: "postgres://mtok:" + canary + "@db.example/mtok"}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		fmt.Fprintf(&out, verb+"\n", c.DSN)
		fmt.Fprintf(&out, verb+"\n", c)
	}
	slog.New(slog.NewTextHandler(&out, nil)).Info("open", "dsn", c.DSN, "config", c)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("open", "dsn", c.DSN, "config", c)
	if err := json.NewEncoder(&out).Encode(c); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), canary) || strings.Contains(out.String(), fmt.Sprintf("%x", canary)) {
		t.Errorf("the DSN was printed:\n%s", out.String())
	}
	if !strings.Contains(out.String(), "<secret>") {
		t.Errorf("no sign of the DSN:\n%s", out.String())
	}
}

func TestDSNNeverInErrors(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := listener.Addr().String()
	listener.Close() // a port that nobody listens on
	dsns := []string{
		"postgres://mtok:" + canary + "@" + closed + "/mtok?sslmode=disable",
		"postgres://mtok:" + canary + "@" + closed + "/mtok?sslmode=nonsense",
		"postgres://mtok:" + canary + "@127.0.0.1:port/mtok",
		"postgres://mtok:%zz" + canary + "@" + closed + "/mtok",
		"host=127.0.0.1 password='" + canary,
		"password = " + canary + " port=x",
		canary,
	}
	if dsn := os.Getenv(postgresEnv); strings.Contains(dsn, "://") {
		_, rest, _ := strings.Cut(dsn, "@")
		dsns = append(dsns,
			"postgres://nobody:"+canary+"@"+rest,
			strings.Replace(withSearchPath(t, dsn, "x"), "?", "_missing?password="+canary+"&", 1))
	}
	for _, dsn := range dsns {
		_, err := store.Open(context.Background(), store.Config{DSN: store.DSN(dsn), Mode: store.ReadOnly}, clock)
		if err == nil {
			t.Errorf("opened %s", dsn)
			continue
		}
		for _, text := range []string{err.Error(), fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", err)} {
			if strings.Contains(text, canary) {
				t.Errorf("the error of %s gives the password away: %s", dsn, text)
			}
		}
	}
}
