package scrapers

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"mtok/schema"
)

// The rules of a Reject for a row of an answer that can't be believed.
const (
	ruleField    = "field"          // a field is missing, null or of another kind
	ruleRepeated = "repeated_field" // a field that we read stands twice in one object
	ruleCount    = "gpu_count"      // the GPU count is none, or contradicts the row
)

// fault is why one row of an answer gives no price. The other rows stay.
type fault struct{ rule, reason string }

func (f *fault) Error() string { return f.reason }

// rowReader reads the fields of one row and keeps the first fault, after which
// what it returns is of no meaning.
type rowReader struct{ err error }

func (r *rowReader) note(name string, err error) {
	if err == nil || r.err != nil {
		return
	}
	if f := (*fault)(nil); errors.As(err, &f) {
		err = &fault{f.rule, name + " " + f.reason}
	}
	r.err = err
}

func (r *rowReader) fail(rule, format string, args ...any) {
	if r.err == nil {
		r.err = &fault{rule, fmt.Sprintf(format, args...)}
	}
}

func (r *rowReader) number(name string, f field) schema.Decimal {
	d, err := f.number()
	r.note(name, err)
	return d
}

func (r *rowReader) str(name string, f field) string {
	s, err := f.str()
	r.note(name, err)
	return s
}

func (r *rowReader) flag(name string, f field) *bool {
	b, err := f.flag()
	r.note(name, err)
	return b
}

func (r *rowReader) object(name string, f field) record {
	o, err := f.object()
	r.note(name, err)
	return o
}

// whole reads a whole number of at most 15 digits; 0 and false where none is
// given.
func (r *rowReader) whole(name string, f field) (int64, bool) {
	d := r.number(name, f)
	if !d.IsSet() {
		return 0, false
	}
	n, ok := scaled(d, 0)
	if !ok || strings.Contains(d.String(), ".") && strings.TrimRight(d.String(), "0") != strconv.FormatInt(n, 10)+"." {
		r.fail(ruleField, "%s is %s, not a whole number", name, clip(f.text))
		return 0, false
	}
	return n, true
}

// rejectRow notes the row with its fault.
func (l *offerList) rejectRow(label, priceText string, err error) {
	rule := ruleField
	if f := (*fault)(nil); errors.As(err, &f) {
		rule = f.rule
	}
	l.reject(label, priceText, rule, clip(err.Error()))
}

// unreadRow is rejectRow for the listing of a SKU that can't be read: it is not
// gone.
func (l *offerList) unreadRow(sku, label, priceText string, err error) {
	l.rejectRow(label, priceText, err)
	l.skip[len(l.skip)-1].SKU = sku
}

// unnamed says of an answer that it holds rows of which not even the identity
// can be read, so that no offer may be taken for gone; empty where there are none.
func unnamed(rows int) string {
	if rows == 0 {
		return ""
	}
	return fmt.Sprintf("%d row(s) that can't be told from any other", rows)
}

// plainNumber reads a number of JSON exactly. An exponent moves the point; one
// that makes no believable number, and a sign, are errors.
func plainNumber(text string) (schema.Decimal, error) {
	mantissa, exponent := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent = text[:i], text[i+1:]
	}
	if exponent == "" {
		return schema.ParseDecimal(mantissa)
	}
	const limit = 30
	exp, err := strconv.Atoi(exponent)
	whole, frac, _ := strings.Cut(mantissa, ".")
	if err != nil || exp < -limit || exp > limit || len(mantissa) > limit {
		return schema.Decimal{}, fmt.Errorf("%q is out of range", clip(text))
	}
	point := len(whole) + exp
	digits := strings.Repeat("0", max(0, 1-point)) + whole + frac
	point = max(point, 1)
	digits += strings.Repeat("0", max(0, point-len(digits)))
	whole, frac = strings.TrimLeft(digits[:point-1], "0")+digits[point-1:point], digits[point:]
	if frac == "" {
		return schema.ParseDecimal(whole)
	}
	return schema.ParseDecimal(whole + "." + frac)
}

// maxScaledDigits keeps scaled far from the end of int64.
const maxScaledDigits = 15

// scaled is a decimal in units of 10^-decimals, rounded down: for comparisons
// and attributes, where exact fractions would cost more than the whole parse.
// It is false for what is too large.
func scaled(d schema.Decimal, decimals int) (int64, bool) {
	whole, frac, _ := strings.Cut(d.String(), ".")
	whole = strings.TrimLeft(whole, "0")
	if len(whole)+decimals > maxScaledDigits {
		return 0, false
	}
	n := int64(0)
	for _, c := range []byte(whole) {
		n = n*10 + int64(c-'0')
	}
	for i := range decimals {
		n *= 10
		if i < len(frac) {
			n += int64(frac[i] - '0')
		}
	}
	return n, true
}
