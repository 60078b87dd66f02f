//go:build unix

package main

import (
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkNight is a whole recorded night of 10,000 asks, archive to report, by
// the program as it is released: the first, and one into a database that knows
// the machines.
func BenchmarkNight(b *testing.B) {
	program := buildProgram(b, ".", "mtok")
	night, config := bigNight(b)
	run := func(b *testing.B, db string, day time.Time) {
		b.Helper()
		runProgram(b, b.TempDir(), program, "nightly", "--config", config, "--db", db, "--recorded", night, "--day", day.Format(time.DateOnly))
	}
	b.Run("first/mtok", func(b *testing.B) {
		for b.Loop() {
			run(b, filepath.Join(b.TempDir(), "mtok.db"), benchDay)
		}
	})
	b.Run("next/mtok", func(b *testing.B) {
		db := filepath.Join(b.TempDir(), "mtok.db")
		run(b, db, benchDay)
		next := benchDay
		for b.Loop() {
			next = next.AddDate(0, 0, 1)
			run(b, db, next)
		}
	})
}
