package fetch

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

const mask = "REDACTED"

// A shorter value is no key, and masking it would hit ordinary words. A body is
// data that must parse, so only what can be nothing but a key is masked there.
const (
	minSecret     = 6
	minBodySecret = 16
)

var urlPattern = regexp.MustCompile(`[a-zA-Z][a-zA-Z0-9+.-]*://[^\s"'<>]+`)

// secretName tells by its name whether a query parameter or a header is secret:
// "api_key", "X-Api-Key", "access_token", but not "sort_key".
func secretName(name string) bool {
	name = strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(name))
	switch name {
	case "key", "auth", "sig", "pwd", "cookie", "session":
		return true
	}
	for _, end := range []string{
		"apikey", "accesskey", "privatekey", "secretkey", "authkey", "token", "secret", "password",
		"passwd", "authorization", "signature", "credential", "credentials", "sessionid",
	} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// redactURL is a URL that may be logged and archived: without user and
// fragment, the values of secret parameters masked, all else unchanged.
func redactURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "(unreadable URL)"
	}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	if u.Opaque != "" {
		u.Opaque = mask
	}
	parts := strings.Split(u.RawQuery, "&")
	for i, part := range parts {
		name, value, _ := strings.Cut(part, "=")
		plain, err := url.QueryUnescape(name)
		if value != "" && (err != nil || secretName(plain)) {
			parts[i] = name + "=" + mask
		}
	}
	u.RawQuery = strings.Join(parts, "&")
	return u.String()
}

// secrets are the secret values of one request, longest first, in every
// spelling under which a text may repeat them.
type secrets []string

// secretsOf collects what a request carries in its URL and headers.
func secretsOf(u *url.URL, header http.Header) secrets {
	var found secrets
	add := func(value string) {
		for _, v := range []string{value, url.QueryEscape(value), url.PathEscape(value)} {
			if len(v) >= minSecret && !slices.Contains(found, v) {
				found = append(found, v)
			}
		}
	}
	if password, ok := u.User.Password(); ok {
		add(password)
	}
	for name, values := range u.Query() {
		if secretName(name) {
			for _, v := range values {
				add(v)
			}
		}
	}
	for name, values := range header {
		if !secretName(name) {
			continue
		}
		for _, v := range values {
			add(v)
			if _, credentials, ok := strings.Cut(v, " "); ok { // "Bearer KEY"
				add(credentials)
			}
			for pair := range strings.SplitSeq(v, ";") { // "session=KEY; other=KEY"
				if _, crumb, ok := strings.Cut(pair, "="); ok {
					add(crumb)
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b string) int { return len(b) - len(a) })
	return found
}

// hide masks the secrets in a text.
func (s secrets) hide(text string) string {
	for _, secret := range s {
		text = strings.ReplaceAll(text, secret, mask)
	}
	return text
}

// hideBody masks keys in a body that a server echoed, before it is archived.
func (s secrets) hideBody(body []byte) []byte {
	for _, secret := range s {
		if len(secret) >= minBodySecret {
			body = bytes.ReplaceAll(body, []byte(secret), []byte(mask))
		}
	}
	return body
}

// url is a URL that may be shown.
func (s secrets) url(raw string) string { return s.hide(redactURL(raw)) }

// cause is an error's text without secrets. Only the two context sentinels stay
// reachable: the errors of net/http hold whole URLs, whoever unwraps them.
type cause struct {
	text     string
	sentinel error
}

func (c *cause) Error() string { return c.text }

func (c *cause) Unwrap() error { return c.sentinel }

// strip makes a cause of any error; nil stays nil.
func (s secrets) strip(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	for e := err; e != nil; e = errors.Unwrap(e) {
		if ue, ok := e.(*url.Error); ok && ue.Err != nil {
			text = strings.ReplaceAll(text, ue.Error(), ue.Err.Error())
		}
	}
	c := &cause{text: s.hide(urlPattern.ReplaceAllStringFunc(text, redactURL))}
	for _, sentinel := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, sentinel) {
			c.sentinel = sentinel
		}
	}
	return c
}
