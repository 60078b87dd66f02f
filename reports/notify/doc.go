// Package notify takes the messages of the outbox to their channels, at least once
// each: every try of a message carries the same id, the messages of a channel go in
// the order in which their events came up, and after six tries a message is a dead
// letter until somebody has it sent again.
//
// A channel is a notification URL of shoutrrr, and a secret: no error, log line or
// row of the database holds any part of it. It is the only package that imports
// shoutrrr. A generic webhook is posted to by this package itself, in shoutrrr's
// form, since the answer must be seen: its status, and Retry-After.
package notify
