package scrapers

import (
	"time"

	"mtok/schema"
)

// Target names a request by provider, source and key: the name under which it
// is archived and recorded.
type Target struct {
	Provider schema.ProviderID
	Source   string
	Key      string
	Accepts  []int // statuses besides 200 that are an answer
}

// Validators are the ETag and Last-Modified of an earlier live fetch.
type Validators struct {
	ETag         string
	LastModified string
}

// Fetched is an answer.
type Fetched struct {
	URL          string // after redirects
	Status       int
	ContentType  string // as served; charset=utf-8 where Body was decoded from another charset
	Body         []byte // UTF-8 where the type is textual
	ETag         string
	LastModified string
	FetchedAt    time.Time
	// NotModified is a 304 to our validators: the body is the archived one.
	NotModified bool
	// Robots is the answer for robots.txt, set on the first fetch from a host
	// in a run so that it can be archived too; Status 404 means none.
	Robots *Fetched
}
