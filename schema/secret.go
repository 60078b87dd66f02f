package schema

import (
	"fmt"
	"log/slog"
)

const redactedSecret = "<secret>"

// Secret is a key or a password. Printing it in any way prints <secret>; only
// Reveal gives it.
type Secret string

// Reveal returns the secret itself, for the request that needs it.
func (s Secret) Reveal() string { return string(s) }

// String returns <secret>, or nothing for none.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return redactedSecret
}

// Format prints String under every verb.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, s.String()) }

// LogValue logs String.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText returns String: a secret is never written out.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
