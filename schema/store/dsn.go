package store

import (
	"fmt"
	"log/slog"
)

// DSN is a PostgreSQL connection string. It holds a password, so that printing
// it in any way prints <secret>.
type DSN string

const redacted = "<secret>"

// String returns <secret>, or nothing for no DSN.
func (d DSN) String() string {
	if d == "" {
		return ""
	}
	return redacted
}

// Format prints String under every verb.
func (d DSN) Format(f fmt.State, _ rune) { fmt.Fprint(f, d.String()) }

// LogValue logs String.
func (d DSN) LogValue() slog.Value { return slog.StringValue(d.String()) }

// MarshalText returns String: a DSN is never written out.
func (d DSN) MarshalText() ([]byte, error) { return []byte(d.String()), nil }
