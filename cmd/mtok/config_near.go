package main

import (
	"reflect"
	"strings"

	"mtok/schema"
)

// nearKey names what the first key of a path that is unknown may have been meant to
// be, as the end of a message; empty where nothing is near.
func nearKey(path []string) string {
	t := reflect.TypeFor[Config]()
	for _, key := range path {
		next := keyType(t, key)
		if next != nil {
			t = next
			continue
		}
		if near := schema.Near(key, keyNames(t)); len(near) > 0 {
			return "; did you mean " + orList(near) + "?"
		}
		break
	}
	return ""
}

// table takes pointers and arrays away from the type of a table.
func table(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t
}

// keyType is the type of a key's value, nil where there is no such key.
func keyType(t reflect.Type, key string) reflect.Type {
	t = table(t)
	switch t.Kind() {
	case reflect.Map:
		return t.Elem()
	case reflect.Struct:
		for f := range t.Fields() {
			if tag, _, _ := strings.Cut(f.Tag.Get("toml"), ","); tag == key {
				return f.Type
			}
		}
	}
	return nil
}

// keyNames are the keys of a table.
func keyNames(t reflect.Type) []string {
	var names []string
	if t = table(t); t.Kind() == reflect.Struct {
		for f := range t.Fields() {
			if tag, _, _ := strings.Cut(f.Tag.Get("toml"), ","); tag != "" && tag != "-" {
				names = append(names, tag)
			}
		}
	}
	return names
}
