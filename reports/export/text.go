package export

import (
	"bufio"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// textForm is what CSV and JSON lines differ in.
type textForm interface {
	head(b []byte, fields []field) []byte
	// before stands before the value of the nth field, after behind the last.
	before(b []byte, n int, name string) []byte
	after(b []byte) []byte
	null(b []byte) []byte
	text(b []byte, s string) []byte
	// quoted is a text of ours, which needs no escaping.
	quoted(b []byte, k kind, form func([]byte) []byte) []byte
}

// textBuffer is what is written at a time.
const textBuffer = 256 << 10

type textWriter[R any] struct {
	form   textForm
	fields []field
	to     *bufio.Writer
	line   []byte
	begun  bool
}

func newTextWriter[R any](w io.Writer, form textForm) *textWriter[R] {
	return &textWriter[R]{form: form, fields: fieldsOf[R](), to: bufio.NewWriterSize(w, textBuffer)}
}

func (w *textWriter[R]) begin() error {
	if w.begun {
		return nil
	}
	w.begun = true
	_, err := w.to.Write(w.form.head(nil, w.fields))
	return err
}

func (w *textWriter[R]) Write(rows []R) (int, error) {
	if err := w.begin(); err != nil {
		return 0, err
	}
	for i := range rows {
		w.line = w.line[:0]
		row := reflect.ValueOf(&rows[i]).Elem()
		for n, f := range w.fields {
			w.line = w.form.before(w.line, n, f.name)
			w.line = appendValue(w.line, w.form, f, row.FieldByIndex(f.index))
		}
		w.line = w.form.after(w.line)
		if _, err := w.to.Write(w.line); err != nil {
			return i, err
		}
	}
	return len(rows), nil
}

// Close writes the head of a table without rows too.
func (w *textWriter[R]) Close() error {
	if err := w.begin(); err != nil {
		return err
	}
	return w.to.Flush()
}

func appendValue(b []byte, form textForm, f field, v reflect.Value) []byte {
	if f.null && v.IsZero() {
		return form.null(b)
	}
	switch v.Kind() {
	case reflect.Pointer:
		v = v.Elem()
	case reflect.Slice:
		return form.text(b, string(v.Bytes()))
	}
	switch f.kind {
	case kindText:
		return form.text(b, v.String())
	case kindBool:
		return strconv.AppendBool(b, v.Bool())
	case kindInt:
		return strconv.AppendInt(b, v.Int(), 10)
	}
	return form.quoted(b, f.kind, func(b []byte) []byte { return appendQuoted(b, f.kind, v.Int()) })
}

func appendQuoted(b []byte, k kind, n int64) []byte {
	switch k {
	case kindDate:
		const secondsPerDay = 24 * 60 * 60
		return time.Unix(n*secondsPerDay, 0).UTC().AppendFormat(b, time.DateOnly)
	case kindTime:
		return time.UnixMilli(n).UTC().AppendFormat(b, "2006-01-02T15:04:05.000Z07:00")
	}
	return appendUSD(b, n)
}

// appendUSD writes micro-dollars as dollars with six decimals.
func appendUSD(b []byte, n int64) []byte {
	const decimals, scale = 6, 1_000_000
	size := uint64(n)
	if n < 0 {
		b, size = append(b, '-'), -size
	}
	b = append(strconv.AppendUint(b, size/scale, 10), '.')
	digits := strconv.FormatUint(size%scale, 10)
	for range decimals - len(digits) {
		b = append(b, '0')
	}
	return append(b, digits...)
}

// csvText is RFC 4180, with a text that a spreadsheet would take for a formula
// behind an apostrophe. So is a text that begins with one: a reader takes one off.
// A character that acts is replaced: it is only in the other formats.
type csvText struct{}

func (csvText) head(b []byte, fields []field) []byte {
	for n, f := range fields {
		b = append(csvText{}.before(b, n, ""), f.name...)
	}
	return append(b, '\n')
}

func (csvText) before(b []byte, n int, _ string) []byte {
	if n > 0 {
		b = append(b, ',')
	}
	return b
}

func (csvText) after(b []byte) []byte { return append(b, '\n') }
func (csvText) null(b []byte) []byte  { return b }

func (csvText) quoted(b []byte, _ kind, form func([]byte) []byte) []byte { return form(b) }

func (csvText) text(b []byte, s string) []byte {
	inert := s != "" && strings.IndexByte("=+-@'\t\r", s[0]) >= 0
	quote := strings.ContainsAny(s, ",\"\r\n") || s != "" && (s[0] == ' ' || s[len(s)-1] == ' ')
	if quote {
		b = append(b, '"')
	}
	if inert {
		b = append(b, '\'')
	}
	for _, r := range s {
		switch {
		case r == '"':
			b = append(b, `""`...)
		case acts(r) && r != '\n' && r != '\t':
			b = utf8.AppendRune(b, utf8.RuneError)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	if quote {
		b = append(b, '"')
	}
	return b
}

// acts reports whether a character does something to a terminal or to the
// direction of writing instead of being seen.
func acts(r rune) bool {
	return r != ' ' && (r < ' ' || r >= 0x7f && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp))
}

// jsonText is one object a line, every column in every line.
type jsonText struct{}

func (jsonText) head(b []byte, _ []field) []byte { return b }
func (jsonText) after(b []byte) []byte           { return append(b, "}\n"...) }
func (jsonText) null(b []byte) []byte            { return append(b, "null"...) }

func (jsonText) before(b []byte, n int, name string) []byte {
	open := byte(',')
	if n == 0 {
		open = '{'
	}
	return append(append(append(b, open, '"'), name...), `":`...)
}

func (jsonText) quoted(b []byte, _ kind, form func([]byte) []byte) []byte {
	return append(form(append(b, '"')), '"')
}

func (jsonText) text(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case acts(r) && r <= 0xffff:
			const hex = "0123456789abcdef"
			b = append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
