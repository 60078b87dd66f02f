// Package reports answers questions from what the store holds: it recomputes
// the daily figures and builds each report as a Document. Builders are pure
// functions of plain values; the Source interface is all that they ask of a
// store. It imports schema and its own sub-packages, and never pipeline or the
// store.
package reports
