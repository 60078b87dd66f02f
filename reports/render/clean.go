package render

import (
	"html"
	"strings"
	"unicode"
)

// Clean makes text safe to print: one line, without control characters (ANSI
// sequences begin with one), marks that turn the direction of writing, or
// characters of no width. What is left of a sequence stays visible.
func Clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.In(r, unicode.Zl, unicode.Zp):
			return ' '
		case isHidden(r):
			return -1
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}

// isHidden reports whether a character acts instead of being seen.
func isHidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// csvSafe keeps a spreadsheet from taking text for a formula. The first
// character counts before and after cleaning: a tab may hide an equals sign.
func csvSafe(s string) string {
	cleaned := Clean(s)
	if startsFormula(s) || startsFormula(cleaned) {
		return "'" + cleaned
	}
	return cleaned
}

func startsFormula(s string) bool {
	return s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0]))
}

// markdownSafe escapes what Markdown or its HTML would act on. The pipe goes as
// an entity, since a backslash before it could be escaped by one in the text.
func markdownSafe(s string) string {
	var b strings.Builder
	for _, r := range html.EscapeString(Clean(s)) {
		switch r {
		case '|':
			b.WriteString("&#124;")
			continue
		case '\\', '`', '*', '_', '[', ']', '~':
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
