package reports

import "strings"

// briefLength is how much of a long text a line of a screen shows.
const briefLength = 160

// Brief is the first line of a text, cut at a word where it is long. The whole
// is in the machine formats, in the ledger and in `quarantine list`.
func Brief(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	runes := []rune(line)
	if len(runes) <= briefLength {
		return line
	}
	cut := string(runes[:briefLength])
	if at := strings.LastIndexByte(cut, ' '); at > 0 {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, ",;: ") + " …"
}
