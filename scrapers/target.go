package scrapers

import "context"

// SourceRobots is the Source of the Target under which a host's robots.txt is
// fetched, archived and recorded.
const SourceRobots = "robots.txt"

type targetKey struct{}

// WithTarget tags a context with the target of a request, so that a transport
// below the HTTP client can tell what the request is for: URLs alone do not
// name a source or a key.
func WithTarget(ctx context.Context, t Target) context.Context {
	return context.WithValue(ctx, targetKey{}, t)
}

// TargetFrom returns the target that WithTarget put into a context.
func TargetFrom(ctx context.Context) (Target, bool) {
	t, ok := ctx.Value(targetKey{}).(Target)
	return t, ok
}
