// Package pipeline runs one night: fetch, archive, parse, normalise, validate,
// save. It knows providers and the vocabulary; the store and the network are
// behind the small interfaces that it declares, and it never sees a report.
package pipeline
