package notify

import (
	"fmt"
	"strings"

	"mtok/schema"
)

const (
	// maxText bounds the text of a message in bytes: the strictest channels of those
	// that take a page of text refuse more than 4096.
	maxText = 3500
	// fullEvents is how many events stand in a message with all their lines; of
	// further ones the first line stands.
	fullEvents = 8
	// maxLine bounds one line, by which a name from a page could fill the message. The
	// last line of an alert, with two commands and the paths in them, is below it.
	maxLine = 600
)

// Message is one grouped message as it goes out.
type Message struct {
	ID    string // of the delivery: the same at every try
	Title string // one line of ASCII
	Text  string
}

// Compose puts the events of a message together. The same events give the same
// message, and ten thousand of them no longer one than ten.
func Compose(id string, events []schema.AlertEvent) Message {
	m := Message{ID: id, Title: title(events)}
	var b strings.Builder
	shown := 0
	for i, e := range events {
		block := lines(e.Detail)
		if i >= fullEvents && len(block) > 1 {
			block = block[:1]
		}
		text := strings.Join(block, "\n")
		if i > 0 {
			text = "\n" + text
			if i <= fullEvents {
				text = "\n" + text
			}
		}
		if b.Len()+len(text)+len(rest(len(events))) > maxText {
			break
		}
		b.WriteString(text)
		shown++
	}
	if left := len(events) - shown; left > 0 {
		b.WriteString(rest(left))
	}
	fmt.Fprintf(&b, "\ndelivery %s", id)
	m.Text = b.String()
	return m
}

// rest says how many events are left out.
func rest(left int) string {
	return fmt.Sprintf("\n... and %d more: mtok alerts list", left)
}

func title(events []schema.AlertEvent) string {
	switch len(events) {
	case 0:
		return "[mtok]"
	case 1:
		return header(strings.Join(lines(events[0].Detail)[:1], ""))
	}
	return fmt.Sprintf("[mtok] %d alerts, %s", len(events), events[len(events)-1].Day)
}

// lines are those of a text, inert and each of them bounded; there is at least one.
func lines(text string) []string {
	var out []string
	for line := range strings.SplitSeq(inert(text), "\n") {
		if runes := []rune(line); len(runes) > maxLine {
			line = string(runes[:maxLine]) + "..."
		}
		out = append(out, line)
	}
	return out
}
