// Package cost is the arithmetic of mtok: from the hourly price of a
// configuration and its measured throughput to the cost of a million output
// tokens, and from a provider's offers to the price of a configuration. It is
// pure and exact, and imports nothing of mtok but schema.
package cost
