// Package migrations holds the numbered SQL that makes the tables, one folder a
// dialect. A migration that has been released is never edited: a change is the
// next number, in both folders.
package migrations

import "embed"

// Files are the folders sqlite and postgres.
//
//go:embed sqlite/*.sql postgres/*.sql
var Files embed.FS
