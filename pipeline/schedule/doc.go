// Package schedule decides when a night is due and runs it: a cron expression in
// UTC says when, the ledger of runs says whether that was done. It is the only
// importer of robfig/cron, and knows neither the store nor the pipeline.
//
// The unit is the logical day, the UTC day of its slot. A day is run once; when
// its slot was slept through it is caught up, once, for as long as the day lasts:
// live pages belong to the day on which they are fetched, so that a day that is
// over stays a gap. An attempt that gave nothing is tried once more an hour
// later, and then left to the next day's slot.
package schedule
