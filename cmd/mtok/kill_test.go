package main

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
	"mtok/schema/store"
)

// kills is how many processes each test kills at a random moment; CI asks for
// 200.
var kills = flag.Int("kills", 12, "`NUMBER` of processes that each kill test kills")

// victim is a command that is killed over and over, on one database.
type victim struct {
	config, db string
	args       []string
	now        string        // RFC 3339
	whole      time.Duration // that the command takes when nobody disturbs it
	healEvery  int           // after so many kills it is let come to its end
}

// process is the command in a process of its own: this test binary as mtok.
func (v victim) process() *exec.Cmd {
	p := exec.Command(os.Args[0], append([]string{"--config", v.config, "--db", v.db}, v.args...)...)
	p.Args[0] = "mtok"
	p.Env = append(os.Environ(), "MTOK_TEST_AS_MTOK=1", "MTOK_TEST_NOW="+v.now, "GORACE="+raceOptions())
	return p
}

// kill starts the command and kills it with SIGKILL after a while; it reports
// whether that came in time.
func (v victim) kill(t *testing.T, after time.Duration) bool {
	t.Helper()
	p := v.process()
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	if err := p.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	return p.Wait() != nil
}

// run lets the command come to its end.
func (v victim) run(t *testing.T) {
	t.Helper()
	p := v.process()
	if output, err := p.CombinedOutput(); err != nil {
		t.Fatalf("mtok %s: %v\n%s", strings.Join(v.args, " "), err, output)
	}
}

// killOften kills the command many times; whenever it is then let run, the
// database must hold what it would without the kills. Reset makes the database
// afresh after that.
func (v victim) killOften(t *testing.T, want string, reset func()) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d, the whole command takes %s", seed, v.whole)
	random := rand.New(rand.NewPCG(seed, 0))
	killed, tries := 0, 0
	for ; killed < *kills; tries++ {
		if tries == 10**kills {
			t.Fatalf("only %d of %d were killed in time", killed, tries)
		}
		if v.kill(t, time.Duration(random.Int64N(int64(v.whole)))) {
			killed++
		}
		v.check(t)
		if (tries+1)%v.healEvery == 0 || killed == *kills {
			v.run(t)
			if diff := cmp.Diff(lines(want), lines(contents(t, v.db))); diff != "" {
				t.Fatalf("after %d kills (-undisturbed +healed):\n%s", killed, diff)
			}
			reset()
		}
	}
	t.Logf("%d of %d were killed in time", killed, tries)
}

// check fails the test unless the database is sound; a process may have died
// before it made one.
func (v victim) check(t *testing.T) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{Path: v.db, Mode: store.ReadOnly}, time.Now)
	if errors.Is(err, store.ErrNoDatabase) || errors.Is(err, store.ErrOlder) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	problems, err := s.Check(t.Context())
	if err := errors.Join(err, s.Close()); err != nil || len(problems) > 0 {
		t.Fatalf("the database is damaged: %v, %v", problems, err)
	}
}

// newVictim is a night on the recorded pages.
func newVictim(t *testing.T) victim {
	t.Helper()
	night, err := filepath.Abs("../../scrapers/recorded/night")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	v := victim{
		config: filepath.Join(dir, "night.toml"), db: filepath.Join(dir, "mtok.db"),
		args: []string{"nightly", "--recorded", night}, now: "2026-08-22T20:00:00Z",
	}
	writeText(t, v.config, nightConfig)
	return v
}

// on is the same command on another day.
func (v victim) on(day schema.Day) victim {
	v.args = append(append([]string(nil), v.args...), "--day", day.String())
	v.now = day.Time().Add(20 * time.Hour).Format(time.RFC3339)
	return v
}

// timed runs the command once, undisturbed, and notes how long it took.
func (v *victim) timed(t *testing.T) {
	t.Helper()
	started := time.Now()
	v.run(t)
	v.whole = time.Since(started)
}

// TestKilledNightHeals kills nights at random moments: the next night takes over
// the lock without help, and the rows and daily figures are those of a night that
// nobody disturbed.
func TestKilledNightHeals(t *testing.T) {
	t.Parallel()
	v := newVictim(t)
	calm := v
	calm.db = filepath.Join(t.TempDir(), "calm.db")
	calm.timed(t)
	v.whole, v.healEvery = calm.whole, 5
	v.killOften(t, contents(t, calm.db), func() { v.remove(t) })
}

// remove removes the database, and what a killed process left beside it.
func (v victim) remove(t *testing.T) {
	t.Helper()
	for _, end := range []string{"", "-wal", "-shm", "-journal"} {
		if err := os.Remove(v.db + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
}

// reparsedDay is the first of the days that the killed reparse reads.
const reparsedDay, reparsedDays = schema.Day(20687), 4 // 2026-08-22

// TestKilledReparseHeals kills reparses of an archive that an older parser read
// otherwise.
func TestKilledReparseHeals(t *testing.T) {
	t.Parallel()
	v := newVictim(t)
	for day := range schema.Day(reparsedDays) {
		v.on(reparsedDay + day).run(t)
	}
	want := contents(t, v.db)
	v = v.on(reparsedDay + reparsedDays)
	misread(t, v.db)
	v.args = []string{"recompute", "--all"}
	v.run(t)
	old, err := os.ReadFile(v.db)
	if err != nil {
		t.Fatal(err)
	}
	if contents(t, v.db) == want {
		t.Fatal("the older parser read the same")
	}
	restore := func() {
		v.remove(t)
		if err := os.WriteFile(v.db, old, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v.args, v.healEvery = []string{"reparse"}, 2 // each goes on where the one before was killed
	v.timed(t)
	if diff := cmp.Diff(lines(want), lines(contents(t, v.db))); diff != "" {
		t.Fatalf("the undisturbed reparse (-by the parsers of today +reparsed):\n%s", diff)
	}
	restore()
	v.killOften(t, want, restore)
}

// misread makes the rows those of an older version of every parser.
func misread(t *testing.T, path string) {
	t.Helper()
	pool, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"UPDATE observations SET usd_gpu_hour = usd_gpu_hour + 1000, price_text = 'misread'",
		"DELETE FROM observations WHERE offer_id % 7 = 0",
		"UPDATE parses SET parser_version = 0",
	} {
		if _, err := pool.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestNextNightSettlesAKilledOne kills a night between its rows and its daily
// figures; the night of the next day makes them.
func TestNextNightSettlesAKilledOne(t *testing.T) {
	t.Parallel()
	v := newVictim(t)
	first, second := v.on(reparsedDay), v.on(reparsedDay+1)
	calm := first
	calm.db = filepath.Join(filepath.Dir(v.db), "calm.db")
	calm.run(t)
	want := dailyFigures(t, calm.db, reparsedDay)
	for tries := 0; !killOwing(t, first); tries++ {
		if tries == 100 {
			t.Fatal("no night was killed before its figures")
		}
	}
	second.run(t)
	got := dailyFigures(t, v.db, reparsedDay)
	again := v
	again.args = []string{"recompute", "--day", reparsedDay.String()}
	again.now = second.now
	again.run(t)
	if derived := dailyFigures(t, v.db, reparsedDay); got == "" || got != derived || owes(t, v.db) {
		t.Errorf("the figures of the killed night (-of its rows +as settled):\n%s", cmp.Diff(lines(derived), lines(got)))
	}
	first.run(t)
	if got := dailyFigures(t, v.db, reparsedDay); got != want {
		t.Errorf("the night again (-undisturbed +healed):\n%s", cmp.Diff(lines(want), lines(got)))
	}
}

// killOwing kills a night as soon as it owes daily figures, and reports whether
// it still does.
func killOwing(t *testing.T, v victim) bool {
	t.Helper()
	p := v.process()
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- p.Wait() }()
	for {
		select {
		case <-done:
			return owes(t, v.db)
		case <-time.After(200 * time.Microsecond):
		}
		if owes(t, v.db) {
			if err := p.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
				t.Fatal(err)
			}
		}
	}
}

// owes reports whether a database has rows without their daily figures.
func owes(t *testing.T, db string) bool {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{Path: db, Mode: store.ReadOnly}, time.Now)
	if err != nil {
		return false // not made yet
	}
	defer s.Close()
	owed, err := s.UnsettledDays(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen, err := s.ObservationDays(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return len(owed) > 0 && len(seen) > 0
}

func lines(text string) []string { return strings.Split(text, "\n") }

// TestKilledImportHeals kills imports of two files: each is there whole or not at
// all, and the next import makes up the rest, daily figures included.
func TestKilledImportHeals(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var files []string
	for file := range 2 {
		var b strings.Builder
		b.WriteString("commit_date,commit,cloud,gpu_type,gpus,on_demand_instance,per_gpu,spot,name\n")
		for row := range 600 {
			day := schema.Day(19000 + file*12 + row%12) // 2022
			fmt.Fprintf(&b, "%s,64463be8cc,Lambda,A100 (40 GB),1,$1.10,$1.10,,node-%d\n", day, row/12)
		}
		name := filepath.Join(dir, fmt.Sprintf("versions-%d.csv", file))
		writeText(t, name, b.String())
		files = append(files, name)
	}
	v := newVictim(t)
	v.args, v.healEvery = append([]string{"import", "the-full-stack"}, files...), 3
	calm := v
	calm.db = filepath.Join(t.TempDir(), "calm.db")
	calm.timed(t)
	want := contents(t, calm.db)
	if !strings.Contains(want, "the-full-stack") {
		t.Fatal("nothing was imported")
	}
	v.whole = calm.whole
	v.killOften(t, want, func() { v.remove(t) })
}
