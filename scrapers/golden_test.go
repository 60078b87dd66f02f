package scrapers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"mtok/schema"
	"mtok/scrapers"
)

// readable is a Result as indented JSON. Zero values are left out, so that a
// golden file shows what a page said and no more; a field that is new in
// schema appears by itself.
func readable(t *testing.T, r scrapers.Result) string {
	t.Helper()
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber() // exact, also in a golden file
	var tree map[string]any
	if err := dec.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(prune(tree)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// prune drops zero values from a decoded JSON tree; nil means nothing is left.
func prune(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, field := range v {
			if attributes, ok := field.(map[string]any); ok && key == "Attributes" {
				pruneAttributes(attributes)
			}
			if v[key] = prune(field); v[key] == nil {
				delete(v, key)
			}
		}
		if len(v) == 0 {
			return nil
		}
	case []any:
		for i := range v {
			v[i] = prune(v[i])
		}
		if len(v) == 0 {
			return nil
		}
	case json.Number:
		if v.String() == "0" {
			return nil
		}
	case string:
		if v == "" || v == schema.Day(0).String() {
			return nil
		}
	case bool:
		if !v {
			return nil
		}
	}
	return v
}

// pruneAttributes drops what is not published. A published "no" or 0 is written
// as a string, since prune would take it for nothing.
func pruneAttributes(attributes map[string]any) {
	for key, field := range attributes {
		switch field {
		case nil, "":
			delete(attributes, key)
		case false, json.Number("0"):
			attributes[key] = fmt.Sprint(field)
		}
	}
}
