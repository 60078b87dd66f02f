// Package alert decides what is worth telling: rules, moves of prices and the
// states of alerts. It is pure: series in, events and transitions out; no clock,
// no store, no delivery. The night and the replay of history judge by the same
// code, and the same input in any order gives the same answer.
//
// # Moves of list prices
//
// Moves follows each offer, as each source names it, night by night. A move is one
// price gone and one new between nights at most 4 days apart, or a whole list by
// one ratio within 3 %; anything else is a Composition and never a cut. The old
// price was read on two nights and was not held. It is told, as an Event, when
//
//   - a second source shows it within 7 days, of a unit ratio on two nights, or a
//     person confirms the night; or
//   - it stands on the second night and nothing speaks against it: no unit ratio
//     (within 1 %), no return to a price of the last 14 nights of that provider,
//     class and tier, no price of a sibling form or tier, no other primary source
//     that still lists the old price of a drop.
//
// The same unit ratio on two chips of a provider in one night is a change of unit
// and never told. Steps too small and too quick for two nights are told as a drift:
// three one way within 14 days that sum up to 5 % of the last told price.
//
// One event per provider, class, term, tier and new price within 30 days: what
// shows it later confirms it. Counts of one list that move by one ratio are one
// event, told by the lowest price. Within the cooldown a further rise below 5 % is
// part of the event told, a return waits, and a new lower price tells again.
//
// # What each rule needs
//
//	metric      needs                                              judged by
//	price       Readings of 45 days, Nights, Confirmed, Bands      Rule.Events
//	market      Readings (Market, eligible asks) of 14 days        Rule.Events
//	mtok        daily_token_costs of a class and workload:         Rule.RelativeTo,
//	            baseline + 1 days                                  Rule.Target
//	break_even  the same, and the API's price of each day          Rule.Sides, BreakEven
//	new_low     daily_prices of baseline days, or all              Rule.NewLow
//	available   the stock of a shape on one night                  Rule.Sides, Available
//	mine        the market's price and the contract's; its end     Rule.Mine, Renewal
//	stale       the last good day of a source                      Rule.Stale
//
// Rules price and market give Events, each with an ID that is the same whenever it
// is derived again; the events of tonight are those with its Day. The other
// functions give a Check for one night, which Rule.Next takes into the State that
// is kept of the rule and the series. A price rule with a target (Rule.Moves
// is then false) is judged by Target on daily_prices and may fire on the first night.
package alert
