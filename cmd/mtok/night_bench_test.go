//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkNight is a whole recorded night, archive to report, by the program as
// it is released: the first one, the one after it, which knows the machines, and one
// after a month of nights, which rules look back on.
// Half of a market's offers are floors of bids. The peer is a script that does
// the least of it: it reads the same books and writes a row an offer.
func BenchmarkNight(b *testing.B) {
	program := buildProgram(b, ".", "mtok")
	for _, offers := range []int{10_000, 20_000} {
		asks := offers / 2
		dir := b.TempDir()
		night, next := filepath.Join(dir, "night"), filepath.Join(dir, "next")
		config := marketNight{asks: asks, edition: 1}.write(b, night)
		marketNight{asks: asks, edition: 2}.write(b, next)
		run := func(b *testing.B, db, night, day string) {
			b.Helper()
			runProgram(b, dir, program, "nightly", "--config", config, "--db", db, "--recorded", night, "--day", day)
		}
		b.Run(fmt.Sprintf("first-%d/mtok", offers), func(b *testing.B) {
			for b.Loop() {
				run(b, filepath.Join(b.TempDir(), "mtok.db"), night, "2026-08-22")
			}
		})
		b.Run(fmt.Sprintf("first-%d/python3-script", offers), func(b *testing.B) {
			runScript(b, readBooks, filepath.Join(night, "vast"), filepath.Join(b.TempDir(), "rows.db"))
		})
		b.Run(fmt.Sprintf("next-%d/mtok", offers), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				db := filepath.Join(b.TempDir(), "mtok.db")
				run(b, db, night, "2026-08-22")
				b.StartTimer()
				run(b, db, next, "2026-08-23")
			}
		})
		if offers > 10_000 {
			continue
		}
		b.Run(fmt.Sprintf("month-%d/mtok", offers), func(b *testing.B) {
			past := filepath.Join(dir, "past.db")
			nights := []string{night, next}
			for n := range monthNights {
				run(b, past, nights[n%2], fmt.Sprintf("2026-08-%02d", n+1))
			}
			month, err := os.ReadFile(past)
			if err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			for b.Loop() {
				b.StopTimer()
				db := filepath.Join(b.TempDir(), "mtok.db")
				if err := os.WriteFile(db, month, 0o600); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				run(b, db, nights[monthNights%2], fmt.Sprintf("2026-08-%02d", monthNights+1))
			}
		})
	}
}

// monthNights are as many as the rules look back on at a market, and more.
const monthNights = 30

// readBooks parses and writes, and neither archives, checks, compares nor
// reports anything.
const readBooks = `import glob, json, sqlite3, sys
db = sqlite3.connect(sys.argv[2])
db.execute("PRAGMA journal_mode = WAL")
db.execute("""CREATE TABLE prices (day INTEGER NOT NULL, machine INTEGER NOT NULL, model TEXT NOT NULL, term TEXT NOT NULL,
  gpus INTEGER NOT NULL, usd INTEGER NOT NULL, PRIMARY KEY (day, machine, model, term)) WITHOUT ROWID""")
for name in sorted(glob.glob(sys.argv[1] + "/*.json")):
    with open(name) as f:
        asks = json.load(f)["offers"]
    with db:
        db.executemany("INSERT INTO prices VALUES (20687, ?, ?, ?, ?, ?)", (
            (a["machine_id"], a["gpu_name"], term, a["num_gpus"], round(a[price] / a["num_gpus"] * 1e6))
            for a in asks for term, price in (("on_demand", "dph_total"), ("bid_floor", "min_bid"))))
db.close()`

// runScript is not measured where there is no Python.
func runScript(b *testing.B, script string, args ...string) {
	b.Helper()
	program, err := exec.LookPath("python3")
	if err != nil {
		b.Skip("not measured: no python3")
	}
	for b.Loop() {
		runProgram(b, b.TempDir(), program, append([]string{"-c", script}, args...)...)
	}
}

// BenchmarkStart is how long a command takes that has little to do. The floor is
// a Go program that says hello, built the same way.
func BenchmarkStart(b *testing.B) {
	program, hello := buildProgram(b, ".", "mtok"), helloWorld(b)
	empty := b.TempDir()
	for _, command := range []struct {
		name, program string
		args          []string
	}{
		{"version/mtok", program, []string{"--version"}},
		{"version/go-hello-world", hello, nil},
		{"cost/mtok", program, []string{"cost", "--hourly", "49.24", "--tokens-per-second", "12000"}},
		{"config-check/mtok", program, []string{"config", "check"}},
	} {
		b.Run(command.name, func(b *testing.B) {
			for b.Loop() {
				runProgram(b, empty, command.program, command.args...)
			}
		})
	}
}

// BenchmarkSize weighs the program as it is released; the floor is hello, world
// and the peer the database driver alone, both built the same way.
func BenchmarkSize(b *testing.B) {
	for _, weighed := range []struct{ name, file string }{
		{"binary/mtok", buildProgram(b, ".", "mtok")},
		{"binary/go-hello-world", helloWorld(b)},
		{"binary/sqlite-driver-alone", driverAlone(b)},
	} {
		info, err := os.Stat(weighed.file)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(weighed.name, func(b *testing.B) {
			for b.Loop() {
				_ = info // only its size is of interest
			}
			const megabyte = 1e6
			b.ReportMetric(float64(info.Size())/megabyte, "MB")
			b.ReportMetric(0, "ns/op")
		})
	}
}
