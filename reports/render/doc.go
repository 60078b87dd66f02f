// Package render turns a Document into a terminal table, CSV, JSON or Markdown.
// It is the only importer of go-pretty. Text in a Document may come from a
// provider's page: each format is written so that no such text can act.
package render
