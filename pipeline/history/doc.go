// Package history reads other people's records of past prices: one file a format,
// pure functions from bytes to rows, and the rules by which the rows are believed.
// What is understood and not believed is a listed reject, never a price; the rules
// of pipeline/validate judge an import as they judge a night of our own.
package history
