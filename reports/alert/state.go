package alert

import (
	"math/big"

	"mtok/schema"
)

// Status is where the alert of one rule and series stands, as Prometheus has it.
type Status string

// The statuses. The zero value of State is inactive.
const (
	Inactive Status = "inactive" // the condition does not hold
	Pending  Status = "pending"  // it holds, but not for long enough, or in a cooldown
	Firing   Status = "firing"   // told
	Resolved Status = "resolved" // it held and is over
)

// Check is what one night says of a rule's condition on a series.
type Check struct {
	Day schema.Day
	// Known is false where there is no value: a failed read, too few machines, no
	// baseline. Nothing then changes.
	Known bool
	// Inhibited says that the night is not to be judged: the provider was partial
	// or quarantined.
	Inhibited bool
	Active    bool
	// Clear says that the condition is over, beyond the re-arm margin. A night that
	// is neither active nor clear keeps an alert firing.
	Clear bool
	// Crossing marks a condition that tells only when it begins: it must have been
	// seen clear before.
	Crossing bool
	Value    schema.USD // tonight
	From     schema.USD // the baseline, target or other side; 0 for none
}

// State is what is kept of a rule and a series from night to night.
type State struct {
	Status   Status
	Checksum string     // of the rule that it was judged by
	Day      schema.Day // the last night judged
	Armed    bool       // the condition was seen clear
	Nights   int        // in a row on which it held
	Active   schema.Day // the first of them
	Fired    schema.Day // 0 for never
	Resolved schema.Day
	LastTold schema.Day
	Told     schema.USD // the last told value
	Value    schema.USD // the last known value
	From     schema.USD
	// Inhibited says that the provider is silenced since some night, and that this
	// was said.
	Inhibited bool
}

// Change is what a night did to a state.
type Change string

// The changes. Fired and Again are alerts, Silenced is said to the operator once a
// spell.
const (
	ChangePending  Change = "pending"
	ChangeFired    Change = "fired"
	ChangeAgain    Change = "again" // a lower price after the alert
	ChangeResolved Change = "resolved"
	ChangeSilenced Change = "inhibited"
)

// Transition is one change with the state that it led to.
type Transition struct {
	Change Change
	Day    schema.Day
	State  State
}

// Next takes one night into a state. A night that was judged already, or lies
// before the last, changes nothing: the same data never tells twice. One that had
// no value was not judged, so that a later run of the day is. A rule with
// another checksum begins anew, but for its last alert: the cooldown goes on.
func (r Rule) Next(s State, c Check) (State, []Transition) {
	if sum := r.Checksum(); s.Checksum != sum {
		s = State{Status: Inactive, Checksum: sum, LastTold: s.LastTold, Inhibited: s.Inhibited, Day: s.Day}
	}
	if s.Status == "" {
		s.Status = Inactive
	}
	if s.Day != 0 && c.Day <= s.Day {
		return s, nil
	}
	var change Change
	switch {
	case c.Inhibited:
		if s.Inhibited {
			return s, nil
		}
		s.Inhibited, change = true, ChangeSilenced
	case !c.Known:
		return s, nil
	default:
		s.Inhibited, s.Day, s.Value, s.From = false, c.Day, c.Value, c.From
		change = r.judge(&s, c)
	}
	if change == "" {
		return s, nil
	}
	return s, []Transition{{change, c.Day, s}}
}

func (r Rule) judge(s *State, c Check) Change {
	switch {
	case c.Active && s.Status == Firing:
		if !r.tellsAgain(*s, c) {
			return ""
		}
		s.LastTold, s.Told = c.Day, c.Value
		return ChangeAgain
	case c.Active && (s.Armed || !c.Crossing):
		return r.hold(s, c)
	case c.Active, !c.Clear && s.Status == Firing:
		return ""
	}
	s.Armed = s.Armed || c.Clear
	s.Nights, s.Active = 0, 0
	switch s.Status {
	case Firing:
		s.Status, s.Resolved = Resolved, c.Day
		return ChangeResolved
	case Pending:
		s.Status = Inactive
	}
	return ""
}

// hold counts the nights of a condition that is not told yet.
func (r Rule) hold(s *State, c Check) Change {
	began := s.Status != Pending
	if began || c.Day-s.Active >= schema.Day(s.Nights+maxGap) {
		s.Status, s.Active, s.Nights = Pending, c.Day, 0
	}
	s.Nights++
	cooling := s.LastTold != 0 && int(c.Day-s.LastTold) < r.Cooldown && !r.tellsAgain(*s, c)
	if s.Nights < max(r.For, 1) || cooling {
		if began {
			return ChangePending
		}
		return ""
	}
	s.Status, s.Fired, s.LastTold, s.Told = Firing, c.Day, c.Day, c.Value
	return ChangeFired
}

// tellsAgain reports whether a lower value than the one told is news: any, or one
// lower by the rule's step.
func (r Rule) tellsAgain(s State, c Check) bool {
	if c.Crossing || s.Told == 0 || s.Told > c.From || c.Value >= s.Told {
		return false // a line is crossed once; what is less of a rise is no news
	}
	return percentApart(s.Told, c.Value, r.Step)
}

// rearmed reports whether a value lies over a limit by the re-arm margin, on the
// side where the condition does not hold.
func (r Rule) rearmed(limit, value schema.USD, down bool) bool {
	margin := new(big.Rat).Mul(r.Rearm.Rat(), new(big.Rat).SetFrac64(int64(limit), 100))
	over := new(big.Rat).SetInt64(int64(value - limit))
	if !down {
		over.Neg(over)
	}
	return over.Sign() > 0 && over.Cmp(margin) >= 0
}
