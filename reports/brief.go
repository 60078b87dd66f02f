package reports

import "strings"

// briefHead and briefTail are how much of the two ends of a long text a line of a
// screen shows.
const (
	briefHead = 80
	briefTail = 80
)

// Brief is the first line of a text. A long one is cut in its middle, at words: a
// fault begins with where it was and ends with its cause. The whole is in the
// machine formats, in the ledger and in `quarantine list`.
func Brief(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = onceFetched(line)
	runes := []rune(line)
	if len(runes) <= briefHead+briefTail {
		return line
	}
	head, tail := string(runes[:briefHead]), string(runes[len(runes)-briefTail:])
	if at := strings.LastIndexByte(head, ' '); at > 0 {
		head = head[:at]
	}
	if at := strings.IndexByte(tail, ' '); at >= 0 && at < len(tail)-1 {
		tail = tail[at+1:]
	}
	return strings.TrimRight(head, ",;: ") + " … " + strings.TrimLeft(tail, ",;: ")
}

// onceFetched drops "fetch URL: KIND: " where the fault of one fetch stands within
// that of another and is of the same kind.
func onceFetched(line string) string {
	const sep = ": "
	var out []string
	parts, kind := strings.Split(line, sep), ""
	for i := 0; i < len(parts); i++ {
		if !strings.HasPrefix(parts[i], "fetch ") || i+1 == len(parts) {
			out = append(out, parts[i])
			continue
		}
		if parts[i+1] == kind && i+2 < len(parts) {
			i++
			continue
		}
		if kind == "" {
			kind = parts[i+1]
		}
		out = append(out, parts[i])
	}
	return strings.Join(out, sep)
}
