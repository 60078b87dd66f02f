package watch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mtok/reports"
	"mtok/reports/alert"
	"mtok/schema"
)

// Judge holds what nights are judged by.
type Judge struct {
	Rules     []alert.Rule
	Catalog   *schema.Catalog
	Settings  reports.Settings
	Contracts schema.Contracts
	// Names are the providers as people write them, Markets those that are
	// marketplaces.
	Names   map[schema.ProviderID]string
	Markets []schema.ProviderID
	// Channels names where the events of a rule go.
	Channels func(alert.Rule) []string
	Database string // " --config FILE --db PATH" for the commands in the text
}

// watermark is kept under no rule: the last night that was judged.
const watermark = "night"

// Night judges a night: what is to be told of it, and of the nights before that
// nobody judged, and the states that are to be kept. The same data gives the same
// events, by their ids.
func (j Judge) Night(ctx context.Context, src Source, day schema.Day) (schema.AlertNight, error) {
	n, err := j.load(ctx, src, day)
	if err != nil {
		return schema.AlertNight{}, err
	}
	for _, r := range j.Rules {
		judged := n.conditions
		if r.Moves() {
			judged = n.moves
		}
		if err := judged(ctx, src, r); err != nil {
			return schema.AlertNight{}, fmt.Errorf("rule %s: %w", r.Name, err)
		}
	}
	n.inhibited()
	n.retire()
	n.out.States = append(n.out.States, schema.AlertState{
		Series: watermark, Status: string(alert.Inactive), Day: max(day, n.judged),
	})
	return n.out, nil
}

// Held lists the moves that wait on a night, with the reasons.
func (j Judge) Held(ctx context.Context, src Source, day schema.Day) ([]alert.Held, error) {
	states, err := src.AlertStates(ctx)
	if err != nil {
		return nil, fmt.Errorf("alert states: %w", err)
	}
	j.Rules = nil // only moves of lists wait: of a market nothing is read
	in, _, err := j.input(ctx, src, day, states)
	if err != nil {
		return nil, err
	}
	return alert.Moves(in).Held, nil
}

// night is one that is being judged.
type night struct {
	Judge
	day    schema.Day
	judged schema.Day // the last night that was judged before, 0 for none
	in     alert.Input
	states map[[2]string]schema.AlertState
	known  *reports.Night    // by published
	lists  []reports.APIList // of tonight alone
	runs   []schema.ProviderRun
	out    schema.AlertNight
}

func (j Judge) load(ctx context.Context, src Source, day schema.Day) (*night, error) {
	n := &night{Judge: j, day: day, states: map[[2]string]schema.AlertState{}}
	kept, err := src.AlertStates(ctx)
	if err != nil {
		return nil, fmt.Errorf("alert states: %w", err)
	}
	for _, s := range kept {
		if n.states[[2]string{s.Rule, s.Series}] = s; s.Rule == "" && s.Series == watermark {
			n.judged = s.Day
		}
	}
	if n.in, n.runs, err = j.input(ctx, src, day, kept); err != nil {
		return nil, err
	}
	lists, err := reports.LoadAPILists(ctx, src, day)
	if err != nil {
		return nil, err
	}
	for _, l := range lists {
		if l.Day == day {
			n.lists = append(n.lists, l)
		}
	}
	return n, nil
}

// published is what is known of tonight. It is read when it is first asked for: it
// holds every ask of a market, and most nights tell nothing.
func (n *night) published(ctx context.Context, src Source) (*reports.Night, error) {
	if n.known != nil {
		return n.known, nil
	}
	known, err := reports.LoadNight(ctx, src, reports.Filter{Day: n.day, DayNamed: true}, 0)
	if err != nil {
		return nil, err
	}
	if known.AsOf != n.day {
		known = reports.Night{AsOf: n.day} // nothing is published: what is older says nothing of tonight
	}
	n.known = &known
	return n.known, nil
}

// event adds one that is told of a rule and a series.
func (n *night) event(r alert.Rule, series, kind string, day schema.Day, from, to schema.USD, text func(id string) []string) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s|%s|%s|%s|%d", r.Name, series, day, kind, to))
	id := hex.EncodeToString(sum[:6])
	n.out.Events = append(n.out.Events, schema.AlertEvent{
		Event: id, Rule: r.Name, Series: series, Day: day, Kind: kind, Severity: string(r.Severity), From: from, To: to,
		Detail: strings.Join(text(id), "\n"), Channels: n.Channels(r),
	})
}

// due reports whether an event of a day is to be told now: one of tonight, or of a
// night since the last that was judged. What a person confirmed since may be older,
// unless it was told without that: then it only moved to an earlier night. told are
// the events without what persons confirmed.
func (n *night) due(e alert.Event, told []alert.Event) bool {
	switch {
	case e.Day == n.day:
		return true
	case e.Day > n.day || n.judged == 0:
		return false
	case e.Day > n.judged:
		return true
	}
	if slices.ContainsFunc(told, func(t alert.Event) bool {
		return moveSeries(t) == moveSeries(e) && t.Kind == e.Kind && t.To == e.To && t.Day <= n.judged
	}) {
		return false
	}
	for _, c := range n.in.Confirmed {
		if c.Provider == e.Provider && c.Day >= e.Since && c.Day <= e.Day {
			return true
		}
	}
	return false
}

// state is what is kept of a rule and a series; its zero value where nothing is.
func (n *night) state(rule, series string) alert.State {
	var s alert.State
	kept, ok := n.states[[2]string{rule, series}]
	if !ok || json.Unmarshal([]byte(kept.Detail), &s) != nil {
		return alert.State{} // of an older version: the rule begins anew
	}
	return s
}

func (n *night) keep(rule, series string, s alert.State) {
	detail, err := json.Marshal(s)
	if err != nil {
		return // a State holds numbers and words alone
	}
	n.out.States = append(n.out.States, schema.AlertState{
		Rule: rule, Series: series, Checksum: s.Checksum, Status: string(s.Status), Day: s.Day, Value: s.Value, Baseline: s.From,
		Detail: string(detail), Active: s.Active, Fired: s.Fired, Resolved: s.Resolved, Told: s.LastTold,
	})
}

// retire ends what fires or is pending of a rule that is gone, or of a series that
// nobody has judged for long.
func (n *night) retire() {
	visited, rules := map[[2]string]bool{}, map[string]bool{}
	for _, s := range n.out.States {
		visited[[2]string{s.Rule, s.Series}] = true
	}
	for _, r := range n.Rules {
		rules[r.Name] = true
	}
	for _, key := range slices.SortedFunc(maps.Keys(n.states), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		s := n.states[key]
		running := s.Status == string(alert.Firing) || s.Status == string(alert.Pending)
		if running && !visited[key] && (!rules[s.Rule] || n.day-s.Day > listNights) {
			s.Status, s.Day, s.Detail = string(alert.Inactive), n.day, ""
			n.out.States = append(n.out.States, s)
		}
	}
}

// next takes tonight's check into the state of a series and tells what came of it; a
// change without a text is not told.
func (n *night) next(r alert.Rule, series string, c alert.Check, text func(alert.Transition) []string) {
	before := n.state(r.Name, series)
	after, changes := r.Next(before, c)
	if after.Status == "" {
		return
	}
	n.keep(r.Name, series, after)
	for _, t := range changes {
		switch t.Change {
		case alert.ChangeFired, alert.ChangeAgain, alert.ChangeResolved:
			lines := text(t)
			if lines == nil {
				continue
			}
			n.event(r, series, string(t.Change), t.Day, t.State.From, t.State.Value, func(id string) []string {
				return append(lines, n.closing(r, series, id))
			})
		}
	}
}

// closing is the last line of a text.
func (n *night) closing(r alert.Rule, series, id string) string {
	return fmt.Sprintf("Rule %s. Quiet: %s. id %s", r.Name, n.silence(r, series), id)
}

func (n *night) silence(r alert.Rule, series string) string {
	return fmt.Sprintf("mtok alerts silence %s --series %s%s", quoted(r.Name), quoted(series), n.Database)
}

// quoted makes a word fit for a shell.
func quoted(word string) string {
	plain := func(r rune) bool {
		return strings.ContainsRune("/.-_+:", r) || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(oneLine(word), "'", `'\''`) + "'"
}

// otherSideTells reports whether the end of an alert is not told, since the rule tells
// it as an alert of its own: of a line that is crossed back.
func otherSideTells(r alert.Rule, t alert.Transition) bool {
	return r.Direction == alert.Both && t.Change == alert.ChangeResolved
}

func (n *night) name(p schema.ProviderID) string {
	if name := n.Names[p]; name != "" {
		return name
	}
	return string(p)
}
