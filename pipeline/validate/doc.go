// Package validate holds the rules by which a price is believed. They are pure:
// the night, reparse and the replay of history judge by the same code.
package validate
