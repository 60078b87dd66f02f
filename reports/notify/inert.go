package notify

import (
	"strings"
	"unicode"
)

// inert takes the power out of what a channel may act on: control characters, marks
// that turn the direction of writing, HTML, links, mentions and Markdown. What is
// left reads the same to a person. Lines stay lines.
func inert(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.ToValidUTF8(text, "\uFFFD")) {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(inertLine(strings.TrimSuffix(line, "\n")))
	}
	return b.String()
}

func inertLine(line string) string {
	line = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			return -1
		}
		if plain, acts := lookAlikes(r); acts {
			return plain
		}
		return r
	}, line)
	line = strings.ReplaceAll(line, "://", ":\u2215\u2215") // no link
	line = strings.ReplaceAll(line, "](", "] (")
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "#") || strings.HasPrefix(line, ">") || strings.HasPrefix(line, "- ") {
		line = "\u00b7 " + line // a heading, a quote or an item
	}
	return line
}

// lookAlikes gives a character that acts nowhere for one that acts somewhere.
func lookAlikes(r rune) (rune, bool) {
	switch r {
	case '<':
		return '\u2039', true // HTML, and Slack's <!channel>
	case '@':
		return '\uff20', true // mentions
	case '*':
		return '\u2217', true
	case '`':
		return '\u02cb', true
	case '~':
		return '\u223c', true
	case '|':
		return '\u00a6', true
	case '\\':
		return '\u2216', true
	case '&':
		return '\uff06', true // HTML entities
	}
	return r, false
}

// header makes text fit for a header such as a mail's subject: one line of ASCII.
func header(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, inertLine(text))
}
