package pipeline_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// tree is a JSON value that keeps the order of members, repeated names and the
// digits of numbers, so that one thing of an answer can be damaged and all else
// stays.
type tree struct {
	kind    jsontext.Kind // '{', '[', or that of a literal
	text    string        // of a literal, as written
	members []member      // of an object, or of an array without names
}

type member struct {
	name  string
	value *tree
}

func parseTree(t *testing.T, text string) *tree {
	t.Helper()
	dec := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true))
	root, err := readTree(dec)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func readTree(dec *jsontext.Decoder) (*tree, error) {
	kind := dec.PeekKind()
	if kind != '{' && kind != '[' {
		raw, err := dec.ReadValue()
		return &tree{kind: kind, text: string(raw)}, err
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	node := &tree{kind: kind}
	for k := dec.PeekKind(); k != '}' && k != ']'; k = dec.PeekKind() {
		var m member
		if kind == '{' {
			name, err := dec.ReadToken()
			if err != nil {
				return nil, err
			}
			m.name = name.String()
		}
		value, err := readTree(dec)
		if err != nil {
			return nil, err
		}
		m.value = value
		node.members = append(node.members, m)
	}
	_, err := dec.ReadToken()
	return node, err
}

func (n *tree) String() string {
	var b bytes.Buffer
	n.write(&b)
	return b.String()
}

func (n *tree) write(b *bytes.Buffer) {
	if n.kind != '{' && n.kind != '[' {
		b.WriteString(n.text)
		return
	}
	b.WriteByte(byte(n.kind))
	for i, m := range n.members {
		if i > 0 {
			b.WriteString(", ")
		}
		if n.kind == '{' {
			name, _ := jsontext.AppendQuote(nil, m.name)
			b.Write(name)
			b.WriteString(": ")
		}
		m.value.write(b)
	}
	b.WriteByte(byte(n.kind) + 2) // ']' and '}' stand two after their pair
}

func (n *tree) clone() *tree {
	out := &tree{kind: n.kind, text: n.text}
	for _, m := range n.members {
		out.members = append(out.members, member{m.name, m.value.clone()})
	}
	return out
}

// at goes down by names; nil where one is absent.
func (n *tree) at(names ...string) *tree {
	for _, name := range names {
		i := n.index(name)
		if i < 0 {
			return nil
		}
		n = n.members[i].value
	}
	return n
}

func (n *tree) index(name string) int {
	return slices.IndexFunc(n.members, func(m member) bool { return m.name == name })
}

// literal makes the node a literal.
func (n *tree) literal(text string) {
	*n = tree{kind: jsontext.Value(text).Kind(), text: text}
}

func (n *tree) remove(name string) {
	if i := n.index(name); i >= 0 {
		n.members = slices.Delete(n.members, i, i+1)
	}
}

func (n *tree) rename(from, to string) {
	if i := n.index(from); i >= 0 {
		n.members[i].name = to
	}
}

// swap exchanges two values; what is absent is exchanged for null.
func (n *tree) swap(a, b string) {
	for _, name := range []string{a, b} {
		if n.index(name) < 0 {
			n.members = append(n.members, member{name, &tree{kind: 'n', text: "null"}})
		}
	}
	i, j := n.index(a), n.index(b)
	n.members[i].value, n.members[j].value = n.members[j].value, n.members[i].value
}

func (n *tree) add(name, literal string) {
	n.members = append(n.members, member{name, &tree{kind: jsontext.Value(literal).Kind(), text: literal}})
}
