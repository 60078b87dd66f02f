package notify

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/nicholas-fedor/shoutrrr/pkg/router"
	"github.com/nicholas-fedor/shoutrrr/pkg/services/chat/discord"
	"github.com/nicholas-fedor/shoutrrr/pkg/services/specialized/generic"
	"github.com/nicholas-fedor/shoutrrr/pkg/types"

	"mtok/schema"
)

// Channel is where messages go.
type Channel struct {
	Name string
	URL  schema.Secret // of shoutrrr: "slack://...", "generic+https://..."
	// Broken says why there is no URL, such as that its variable is not set: every
	// try then fails with it.
	Broken string
}

// Options are what a Sender goes by.
type Options struct {
	// AllowAddress is the dialer policy; PermittedAddress where it is nil.
	AllowAddress func(netip.AddrPort) bool
	// AllowHTTP lets plain http go anywhere.
	AllowHTTP bool
	Timeout   time.Duration // of one try; 20 s where it is 0
	Now       func() time.Time
}

const sendTimeout = 20 * time.Second

// Sender sends one message to one channel.
type Sender struct {
	policy  policy
	timeout time.Duration
	client  *http.Client
	now     func() time.Time
}

// NewSender makes a Sender.
func NewSender(o Options) *Sender {
	s := &Sender{policy: policy{o.AllowAddress, o.AllowHTTP}, timeout: o.Timeout, now: o.Now}
	if s.policy.allow == nil {
		s.policy.allow = PermittedAddress
	}
	if s.timeout == 0 {
		s.timeout = sendTimeout
	}
	s.client = s.policy.client(s.timeout, s.now)
	return s
}

// CheckURL reports in words what is wrong with the URL of a channel; nothing is
// sent.
func CheckURL(c Channel) error {
	_, err := service(c)
	if err != nil {
		return err
	}
	return nil
}

// service is the one that a channel's URL names.
func service(c Channel) (types.Service, *Fault) {
	if c.Broken != "" {
		return nil, fault("%s", c.Broken)
	}
	text := c.URL.Reveal()
	scheme, _, found := strings.Cut(text, ":")
	scheme, _, _ = strings.Cut(scheme, "+")
	if !found || scheme == "logger" { // which only prints
		return nil, fault("its URL is none of a notification service, such as slack://, smtp:// or generic+https://")
	}
	if scheme == "http" || scheme == "https" {
		return nil, fault("its URL is a plain one: a webhook is written generic+%s://", scheme)
	}
	found = false
	for _, known := range new(router.ServiceRouter).ListServices() {
		found = found || known == strings.ToLower(scheme)
	}
	if !found {
		return nil, fault("its URL names no service that is known")
	}
	s, err := new(router.ServiceRouter).Locate(text)
	if err != nil {
		return nil, fault("its URL is not one that the service %s can read", strings.ToLower(scheme))
	}
	return s, nil
}

// Send sends a message, within the timeout. Its error is a *Fault.
func (s *Sender) Send(ctx context.Context, c Channel, m Message) error {
	to, f := service(c)
	if f != nil {
		return f
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	if hook, ok := to.(*generic.Service); ok {
		f = s.post(ctx, hook, m)
	} else {
		f = s.through(ctx, to, c, m)
	}
	if f != nil {
		return f
	}
	return nil
}

// through sends by a service of the library, on our client where it takes one.
func (s *Sender) through(ctx context.Context, to types.Service, c Channel, m Message) *Fault {
	switch service := to.(type) {
	case interface{ SetHTTPClient(*http.Client) }:
		service.SetHTTPClient(s.client)
	case *discord.Service:
		service.HTTPClient = s.client
	default:
		if f := s.checkHost(ctx, c); f != nil {
			return f
		}
	}
	done := make(chan error, 1) // the library knows no context: it may end later
	go func() { done <- to.Send(m.Text, &types.Params{types.TitleKey: m.Title}) }()
	select {
	case err := <-done:
		if err != nil {
			return faultOf(err)
		}
		return nil
	case <-ctx.Done():
		return faultOf(ctx.Err())
	}
}

// checkHost looks at where a service would dial, as far as its URL names a host:
// with services such as slack the host is a part of the token.
func (s *Sender) checkHost(ctx context.Context, c Channel) *Fault {
	u, err := url.Parse(c.URL.Reveal())
	if err != nil {
		return fault("its URL can't be read")
	}
	switch strings.ToLower(u.Scheme) {
	case "smtp", "gotify", "matrix", "mattermost", "rocketchat", "signal", "bark", "zulip", "opsgenie", "lark", "googlechat":
	default:
		return nil
	}
	if u.Hostname() == "" {
		return nil // the service's own
	}
	port := u.Port()
	if port == "" {
		port = "443"
	}
	return s.policy.reachable(ctx, u.Hostname(), port)
}
