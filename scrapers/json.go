package scrapers

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"mtok/schema"
)

// decodeJSON reads an answer. Names that stand twice in an object are let
// through here, which takes a third of the time on a large book; field counts
// those that we read and refuses them. Names are compared by upper and lower
// case.
func decodeJSON(body []byte, into any) error {
	if text := bytes.TrimSpace(body); len(text) == 0 || text[0] == '<' {
		return layoutf("%q where JSON is due", clip(string(text)))
	}
	if err := json.Unmarshal(body, into, jsontext.AllowDuplicateNames(true)); err != nil {
		return layoutf("not the JSON that is expected: %s", clip(err.Error()))
	}
	return nil
}

// field is one value of an object, as its source text, so that a number keeps
// all its digits and null never becomes 0. The zero value is an absent field.
type field struct {
	text  string // `1.3168888888888888`, `"H100 SXM"`, `null`
	times int    // how often its name stands in the object
}

// UnmarshalJSONFrom takes any value.
func (f *field) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	v, err := dec.ReadValue()
	if err != nil {
		return err
	}
	f.text = string(v)
	f.times++
	return nil
}

// given reports whether there is a value other than null.
func (f field) given() bool { return f.times > 0 && f.text != "null" }

func (f field) kind() jsontext.Kind {
	if f.text == "" {
		return 0
	}
	return jsontext.Value(f.text).Kind()
}

// check is of the kinds that a field may have; absent and null pass.
func (f field) check(want ...jsontext.Kind) error {
	if f.times > 1 {
		return &fault{ruleRepeated, fmt.Sprintf("stands %d times", f.times)}
	}
	if !f.given() {
		return nil
	}
	for _, k := range want {
		if f.kind() == k {
			return nil
		}
	}
	return &fault{ruleField, "is " + clip(f.text)}
}

// number returns the exact number, unset where there is none.
func (f field) number() (schema.Decimal, error) {
	if err := f.check('0'); err != nil || !f.given() {
		return schema.Decimal{}, err
	}
	d, err := plainNumber(f.text)
	if err != nil {
		return d, &fault{ruleField, "is " + clip(f.text)}
	}
	return d, nil
}

// str returns the string, empty where there is none.
func (f field) str() (string, error) {
	if err := f.check('"'); err != nil || !f.given() {
		return "", err
	}
	text, err := jsontext.AppendUnquote(nil, f.text)
	if err != nil {
		return "", &fault{ruleField, "is " + clip(f.text)}
	}
	return string(text), nil
}

// flag returns the boolean, nil where there is none.
func (f field) flag() (*bool, error) {
	if err := f.check('t', 'f'); err != nil || !f.given() {
		return nil, err
	}
	value := f.text == "true"
	return &value, nil
}

// object returns the members, none where there is no object.
func (f field) object() (record, error) {
	if err := f.check('{'); err != nil || !f.given() {
		return nil, err
	}
	var r record
	return r, decodeJSON([]byte(f.text), &r)
}

// array returns the elements.
func (f field) array() ([]field, error) {
	if err := f.check('['); err != nil || !f.given() {
		return nil, err
	}
	var elements []field
	return elements, decodeJSON([]byte(f.text), &elements)
}

// record is an object of a small answer by its names.
type record map[string]field

// UnmarshalJSONFrom takes an object, and counts the names that stand twice.
func (r *record) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if k := dec.PeekKind(); k != '{' {
		return fmt.Errorf("is %s, not an object", k)
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	*r = record{}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		key := name.String() // before the next read, which ends the token's life
		f := (*r)[key]
		if err := f.UnmarshalJSONFrom(dec); err != nil {
			return err
		}
		(*r)[key] = f
	}
	_, err := dec.ReadToken()
	return err
}
