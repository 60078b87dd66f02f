package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// keyPlace is a key of the file and the line that it is set on.
type keyPlace struct {
	path  []string
	line  int
	table bool // a table or one of an array of tables
	array bool // one of an array of tables, or a key whose value is an array
}

// keys lists the keys of a file in order, as far as it can be read.
func keys(data []byte) []keyPlace {
	var parser unstable.Parser
	parser.Reset(data)
	var out []keyPlace
	var table []string
	for parser.NextExpression() {
		node := parser.Expression()
		var path []string
		line := 0
		for it := node.Key(); it.Next(); {
			path = append(path, string(it.Node().Data))
			line = parser.Shape(it.Node().Raw).Start.Line
		}
		isTable := node.Kind == unstable.Table || node.Kind == unstable.ArrayTable
		if isTable {
			table = path
		} else {
			path = slices.Concat(table, path)
		}
		isArray := node.Kind == unstable.ArrayTable || !isTable && node.Value().Kind == unstable.Array
		out = append(out, keyPlace{path, line, isTable, isArray})
	}
	return out
}

// keyAt is the key that is set on a line, nil for none.
func keyAt(data []byte, line int) []string {
	for _, k := range keys(data) {
		if k.line == line && !k.table {
			return k.path
		}
	}
	return nil
}

// keyLine finds the line on which a key, or failing that its nearest parent
// table, is set; 0 when the file does not mention it.
func keyLine(places []keyPlace, key []string) int {
	line, best := 0, 0
	for _, k := range places {
		if n := commonPrefix(k.path, key); n > best && n == len(k.path) {
			best, line = n, k.line
		}
	}
	return line
}

func commonPrefix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// fullKey names in full the unknown key of a line: the library leaves out the array
// that an inline table stands in.
func fullKey(places []keyPlace, key []string, line int) []string {
	var in keyPlace
	for _, k := range places {
		if !k.table && k.line <= line {
			in = k
		}
	}
	if !in.array || len(key) < len(in.path) || commonPrefix(in.path, key) != len(in.path)-1 {
		return key
	}
	return slices.Concat(in.path, key[len(in.path)-1:])
}

// brackets refuses a table where an array of tables is wanted, which the library
// would drop without a word, and the other way round.
func brackets(places []keyPlace) error {
	open := map[string]bool{} // the arrays of tables that a line has begun
	for _, k := range places {
		t := reflect.TypeFor[Config]()
		for i := range k.path {
			if t = keyType(t, k.path[i]); t == nil {
				break // unknown: the decoder says so
			}
			name := strings.Join(k.path[:i+1], ".")
			last := i == len(k.path)-1
			switch many := isTables(t); {
			case many && last && k.array:
				open[name] = true
			case many && !open[name], many && last && k.table:
				return fmt.Errorf("line %d: key %q: is written [[%s]]", k.line, name, name)
			case !many && last && k.table && k.array:
				return fmt.Errorf("line %d: key %q: %s", k.line, name, singleForm(t, name))
			}
		}
	}
	return nil
}

// isTables reports whether a key is an array of tables.
func isTables(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct
}

// singleForm says how a key is written that is no array of tables.
func singleForm(t reflect.Type, name string) string {
	if kind := table(t).Kind(); kind == reflect.Struct || kind == reflect.Map {
		return "is written [" + name + "], once"
	}
	return "is no table"
}
