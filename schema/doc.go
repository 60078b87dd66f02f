// Package schema is the vocabulary of mtok: offers, observations, runs, pages,
// GPU classes, exact money and days, and the embedded catalogs with their
// sources. It does no I/O but reading its own embedded files, and imports no
// other package of mtok.
package schema
