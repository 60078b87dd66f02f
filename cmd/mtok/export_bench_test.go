//go:build unix

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkExportTenMillions writes ten million observations, 1,000 nights of 10,000.
func BenchmarkExportTenMillions(b *testing.B) {
	program := buildProgram(b, ".", "mtok")
	dir := b.TempDir()
	db := filepath.Join(dir, "years.db")
	fillNights(b, db, 1_000, 10_000)
	b.Run("parquet/mtok", func(b *testing.B) {
		n := 0
		for b.Loop() {
			n++
			runProgram(b, dir, program, "export", "observations", "--db", db, "--format", "parquet", "--to", filepath.Join(dir, fmt.Sprint("out", n)))
		}
	})
}

// BenchmarkExport writes the observations of a year, 365,000 rows. The floor is
// the sqlite3 shell writing the same rows with their offers and fetches as CSV; it
// writes no Parquet.
func BenchmarkExport(b *testing.B) {
	program := buildProgram(b, ".", "mtok")
	dir := b.TempDir()
	db := filepath.Join(dir, "year.db")
	fillYear(b, db)
	for _, format := range []string{"parquet", "csv", "jsonl"} {
		b.Run(format+"/mtok", func(b *testing.B) {
			n := 0
			for b.Loop() {
				n++
				to := filepath.Join(b.TempDir(), fmt.Sprint("out", n))
				runProgram(b, dir, program, "export", "observations", "--db", db, "--format", format, "--to", to)
			}
		})
	}
	b.Run("csv/sqlite3-csv", func(b *testing.B) {
		shell, err := exec.LookPath("sqlite3")
		if err != nil {
			b.Skip("not measured: no sqlite3")
		}
		for b.Loop() {
			runProgram(b, dir, shell, "-readonly", "-csv", "-header", db, ".output "+filepath.Join(b.TempDir(), "out.csv"),
				`SELECT * FROM observations JOIN offers ON offers.id = offer_id JOIN fetches ON fetches.id = fetch_id
				ORDER BY observations.day, observations.slot, offer_id, observations.source`)
		}
	})
}
