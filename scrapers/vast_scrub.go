package scrapers

import (
	"bytes"
	"errors"
	"io"
	"net/netip"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

var (
	// addressNames are names of fields that hold a machine's or a host's address.
	addressNames = regexp.MustCompile(`(?i)^(?:.*ip_?addrs?.*|.*host_?names?|(?:.*_)?(?:ip|mac|dns|domain|fqdn|url)|ssh_host|webpage|website)$`)
	// hostValue is a text that is nothing but a URL, a host name or a MAC.
	hostValue = regexp.MustCompile(`(?i)^(?:[a-z][a-z0-9+.-]*://\S+|(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}\.?(?::\d+)?|(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2})$`)
	// addressLike finds what may be an IP address in any text.
	addressLike = regexp.MustCompile(`(?:[0-9A-Fa-f]{0,4}:){2,7}(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9A-Fa-f]{0,4})|(?:\d{1,3}\.){3}\d{1,3}`)
	// namedText is a field with a text in what is not quite JSON.
	namedText = regexp.MustCompile(`"([^"\\]{1,60})"\s*:\s*"((?:[^"\\]|\\.)*)(?:"|$)`)
)

// scrubbed stands where an address was part of a text.
const scrubbed = "[address]"

// scrubVast takes the addresses of hosts out of an answer: each value that is
// or holds one becomes null, every other byte stays as it was sent. A body that
// is no JSON, such as an error page, keeps its words and loses its addresses; an
// error says that it can't be kept at all.
func scrubVast(body []byte) ([]byte, error) {
	s := scrubber{
		body: body, out: make([]byte, 0, len(body)), names: map[string]*fieldName{}, texts: map[string]bool{},
		dec: jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)),
	}
	for {
		err := s.next()
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			return append(s.out, body[s.copied:]...), nil
		default:
			return scrubText(body)
		}
	}
}

// scrubber copies a body token by token.
type scrubber struct {
	body, out []byte
	copied    int // of body
	dec       *jsontext.Decoder
	names     map[string]*fieldName // raw names that were met
	last      *fieldName            // the name before
	texts     map[string]bool       // short texts that were met: see isAddressText
	hidden    bool                  // the value that follows is to be hidden
}

func (s *scrubber) next() error {
	hide := s.hidden
	s.hidden = false
	kind := s.dec.PeekKind()
	if kind == '}' || kind == ']' || !hide && (kind == '{' || kind == '[') {
		_, err := s.dec.ReadToken()
		return err
	}
	raw, err := s.dec.ReadValue()
	if err != nil {
		return err
	}
	switch kind {
	case 'n', 't', 'f': // no address
	case '"':
		if s.isName() {
			name := s.name(raw)
			if s.hidden = name.isAddress; name.holds {
				s.replace(raw, `"`+scrubbed+`"`)
			}
			return nil
		}
		if hide || s.isAddressText(raw) {
			s.replace(raw, "null")
		}
	default:
		if hide {
			s.replace(raw, "null")
		}
	}
	return nil
}

// isName reports whether the value just read is a name.
func (s *scrubber) isName() bool {
	kind, n := s.dec.StackIndex(s.dec.StackDepth())
	return kind == '{' && n%2 == 1
}

// fieldName is a raw name that was met, and the one that came after it.
type fieldName struct {
	raw       string
	isAddress bool // one of addressNames
	holds     bool // an address
	next      *fieldName
}

// name looks a name up only where it is another than the one that came after the name
// before when that was last met: the asks of a book have the same fields.
func (s *scrubber) name(raw jsontext.Value) *fieldName {
	if s.last != nil && s.last.next != nil && s.last.next.raw == string(raw) {
		s.last = s.last.next
		return s.last
	}
	name, met := s.names[string(raw)]
	if !met {
		name = &fieldName{raw: string(raw), isAddress: addressNames.MatchString(plainText(raw)), holds: holdsAddress(raw)}
		s.names[name.raw] = name
	}
	if s.last != nil {
		s.last.next = name
	}
	s.last = name
	return name
}

// isAddressText reports whether a text holds an address or names a host. A book
// repeats its versions and places by the thousand.
func (s *scrubber) isAddressText(raw jsontext.Value) bool {
	const short, enough = 64, 4096
	if !bytes.ContainsAny(raw, `.:-\`) {
		return false
	}
	verdict, met := s.texts[string(raw)]
	if !met {
		verdict = holdsAddress(raw) || isHost(raw)
		if len(raw) <= short && len(s.texts) < enough {
			s.texts[string(raw)] = verdict
		}
	}
	return verdict
}

// replace writes another value in place of the one just read.
func (s *scrubber) replace(raw jsontext.Value, with string) {
	end := int(s.dec.InputOffset())
	s.out = append(s.out, s.body[s.copied:end-len(raw)]...)
	s.out = append(s.out, with...)
	s.copied = end
}

func plainText(raw jsontext.Value) string {
	text, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return string(raw)
	}
	return string(text)
}

// holdsAddress looks closer only at texts that have the points or colons of an
// address: a book has a hundred thousand texts.
func holdsAddress(raw []byte) bool {
	if bytes.Count(raw, []byte(".")) < 3 && bytes.Count(raw, []byte(":")) < 2 && !bytes.Contains(raw, []byte(`\`)) {
		return false
	}
	for _, found := range addressLike.FindAllString(plainText(raw), -1) {
		if isAddress(found) {
			return true
		}
	}
	return false
}

func isHost(raw []byte) bool {
	return bytes.ContainsAny(raw, `.:-\`) && hostValue.MatchString(plainText(raw))
}

// isAddress counts every dotted quad, also one that no parser takes; colons
// alone may be a time.
func isAddress(text string) bool {
	if strings.Contains(text, ".") {
		return true
	}
	// A single colon at either end is punctuation: "from:2001:db8::1:".
	if !strings.HasPrefix(text, "::") {
		text = strings.TrimPrefix(text, ":")
	}
	if !strings.HasSuffix(text, "::") {
		text = strings.TrimSuffix(text, ":")
	}
	_, err := netip.ParseAddr(text)
	return err == nil
}

// scrubText repeats until nothing is left to hide, since in broken text what is
// taken out may join what stood around it.
func scrubText(body []byte) ([]byte, error) {
	const passes = 8
	for range passes {
		next := scrubOnce(body)
		if bytes.Equal(next, body) {
			return next, nil
		}
		body = next
	}
	return nil, errors.New("not JSON, and its addresses can't be told from its text")
}

func scrubOnce(body []byte) []byte {
	text := namedText.ReplaceAllStringFunc(string(body), func(pair string) string {
		part := namedText.FindStringSubmatch(pair)
		if addressNames.MatchString(part[1]) || hostValue.MatchString(part[2]) {
			return `"` + part[1] + `": null`
		}
		return pair
	})
	return []byte(addressLike.ReplaceAllStringFunc(text, func(found string) string {
		if isAddress(found) {
			return scrubbed
		}
		return found
	}))
}
