package schema

import "time"

// AlertState is what is kept of one rule on one series from night to night.
type AlertState struct {
	Rule, Series string
	Checksum     string // of the rule that it was judged by
	Status       string // "inactive", "pending", "firing" or "resolved"
	Day          Day    // the last night judged
	// Value is tonight's and Baseline what it was judged against; 0 for none.
	Value, Baseline USD
	Detail          string // the rest, as whoever judges writes it
	// The days since when it is so; 0 for never.
	Active, Fired, Resolved, Told Day
}

// AlertEvent is one thing that is told, once.
type AlertEvent struct {
	ID int64 // given by the store, in the order in which they came up
	// Event is the stable id: the same whenever the same thing is found again.
	Event        string
	RunID        int64 // 0 where no run found it
	Rule, Series string
	Day          Day
	Kind         string
	Severity     string
	From, To     USD    // 0 for none
	Detail       string // the text: its first line stands alone
	CreatedAt    time.Time
	// Channels are those that it is to go to; not read back.
	Channels []string
}

// AlertNight is all that judging a night writes, in one transaction.
type AlertNight struct {
	States []AlertState
	Events []AlertEvent
}

// Silence keeps the events of a rule from being delivered. They are kept and listed
// all the same.
type Silence struct {
	ID        int64
	Rule      string
	Series    string // empty for every series of the rule
	Comment   string
	CreatedBy string
	CreatedAt time.Time
	Until     time.Time // zero for no end
}

// The states of an OutboxMessage.
const (
	OutboxPending = "pending"
	OutboxSent    = "sent"
	OutboxDead    = "dead" // given up, until somebody has it sent again
)

// OutboxMessage is one grouped message to one channel: the events that came up
// together.
type OutboxMessage struct {
	ID      string // stable: every try carries it
	Channel string
	State   string
	Events  int
	Tries   int
	NextAt  time.Time
	Error   string // of the last try
	// CreatedAt is when its events came up, First the first of its rows: messages
	// of a channel go out in this order.
	CreatedAt time.Time
	First     int64
}
