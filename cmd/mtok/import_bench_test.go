//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mtok/schema"
)

// Five years of a record that names 550 prices a day make a million rows.
const (
	recordDays    = 1_826
	recordSellers = 25
)

// BenchmarkImport imports a record of a million prices into a new database: parse,
// rules, archive and rows, with the daily figures of every day or with those left for
// later. The floor of the rows is the sqlite3 shell, which takes the cells of the same
// file into a bare table of text; that of the rows with their figures is the shell
// again, which copies what the import made into empty tables of the same kind.
func BenchmarkImport(b *testing.B) {
	program := buildProgram(b, ".", "mtok")
	dir := b.TempDir()
	record := filepath.Join(dir, "record.csv")
	writeRecord(b, record, recordDays)
	made := filepath.Join(dir, "made.db")
	b.Run("million/mtok", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			if err := os.RemoveAll(made); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			runProgram(b, dir, program, "import", "observations", record, "--db", made)
		}
	})
	b.Run("million/sqlite3-copy", func(b *testing.B) {
		shell, err := exec.LookPath("sqlite3")
		if err != nil {
			b.Skip("not measured: no sqlite3")
		}
		for b.Loop() {
			b.StopTimer()
			empty := filepath.Join(b.TempDir(), "copy.db")
			copyAll := emptyCopy(b, shell, made, empty)
			b.StartTimer()
			runProgram(b, dir, shell, empty, copyAll)
		}
	})
	b.Run("rows/mtok", func(b *testing.B) {
		for b.Loop() {
			runProgram(b, dir, program, "import", "observations", record, "--figures", "later", "--db", filepath.Join(b.TempDir(), "mtok.db"))
		}
	})
	b.Run("rows/sqlite3-import", func(b *testing.B) {
		shell, err := exec.LookPath("sqlite3")
		if err != nil {
			b.Skip("not measured: no sqlite3")
		}
		for b.Loop() {
			runProgram(b, dir, shell, filepath.Join(b.TempDir(), "cells.db"), ".import --csv "+record+" cells")
		}
	})
}

// emptyCopy makes the tables of a database in another one, and returns the statements
// that fill them as the driver would: rows in the order of their keys, foreign keys
// checked, the log synced, and the indexes at the end.
func emptyCopy(b *testing.B, shell, made, empty string) string {
	b.Helper()
	ask := func(path, statement string) string {
		out, err := exec.Command(shell, path, statement).CombinedOutput()
		if err != nil {
			b.Fatalf("%s: %v\n%s", statement, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	const ours = "FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' AND type = "
	ask(empty, "PRAGMA journal_mode = WAL; "+ask(made, "SELECT sql || ';' "+ours+"'table' ORDER BY rowid"))
	fill := []string{"ATTACH '" + made + "' AS made", "PRAGMA foreign_keys = ON", "PRAGMA synchronous = FULL", "BEGIN"}
	for table := range strings.Lines(ask(made, "SELECT name "+ours+"'table' ORDER BY rowid")) {
		table = strings.TrimSpace(table)
		fill = append(fill, "INSERT INTO main."+table+" SELECT * FROM made."+table)
	}
	for index := range strings.Lines(ask(made, "SELECT replace(sql, char(10), ' ') "+ours+"'index' AND sql IS NOT NULL ORDER BY rowid")) {
		fill = append(fill, strings.TrimSpace(index))
	}
	return strings.Join(append(fill, "COMMIT"), "; ")
}

// recordGPU is a GPU as a record names it, with its price in cents.
type recordGPU struct {
	class, form string
	cents       int
}

func recordGPUs() []recordGPU {
	return []recordGPU{
		{"H100-80", "SXM", 299}, {"H100-80", "PCIe", 239}, {"H200-141", "SXM", 379}, {"B200-180", "SXM", 549}, {"A100-80", "SXM", 189},
		{"A100-80", "PCIe", 164}, {"L40S-48", "", 109}, {"RTX 4090-24", "", 69}, {"MI300X-192", "", 319}, {"A10-24", "", 75}, {"L4-24", "", 59},
	}
}

// writeRecord writes a record as they are: each seller's list, on demand and spot,
// day by day, on most days as it was the day before; each price moves a few times a
// year, by a few per cent.
func writeRecord(b *testing.B, path string, days int) {
	b.Helper()
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	fmt.Fprintln(w, "date,provider,gpu_class,form,tier,gpu_count,usd_per_gpu_hr,stat,source,provenance,flag")
	first, err := schema.ParseDay("2021-08-01")
	if err != nil {
		b.Fatal(err)
	}
	for day := range days {
		date := (first + schema.Day(day)).String()
		for seller := range recordSellers {
			for i, gpu := range recordGPUs() {
				// Up by 3 per cent for some months, and back.
				step := (day + seller*37 + i*53) / 110 % 4
				cents := gpu.cents + seller*2 + gpu.cents*3*step/100
				for _, tier := range []string{"on_demand", "spot"} {
					if tier == "spot" {
						cents = cents * 7 / 10
					}
					fmt.Fprintf(w, "%s,seller-%02d,%s,%s,%s,1,%d.%02d,list,record,primary,\n",
						date, seller, gpu.class, gpu.form, tier, cents/100, cents%100)
				}
			}
		}
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
}
