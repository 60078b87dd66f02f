// Package validate holds the rules by which a price is believed. They are pure:
// the night, reparse and the replay of history judge by the same code.
//
// Row rules (Row) reject a row with its reason: currency, basis, unit, a count
// that no node has or that the GPU's name contradicts, memory that the name
// contradicts, a price outside the band of its class and term, and a printed
// price that a second reading (ParsePrice) does not find to be the one that the
// parser read. Duplicates and Unread look at a page as a whole.
//
// Batch rules (Judge) hold prices back until a second night or a person says that
// they are right. Of a list provider they are
//
//	class_changed        a known key under the name of another chip
//	unit_ratio           a price moved by 2, 4, 8, 10, 100, 730 or 1000 within 1.5 %
//	canary_price_band    outside 1/2.5 to 2.5 times the provider's own list price
//	placeholder          0.01, 9.99, 99.99, 999 ...; 0.50 moved to, or of 3 classes
//	one_value            two thirds of a term (6 offers, 3 classes) at one price
//	spot_copy            spot equal to on demand on over 95 % of 5 pairs
//	prices_exchanged     each of some offers has what another of them had
//	gpu_count_changed    a listing under another GPU count, at the price it had
//	other_offers         of a tier and term nothing is known and nothing known is listed
//	priced_again         prices of a provider that published none
//	price_jump           a price moved by more than 40 %
//	share_moved          the same for more than a quarter of the known offers
//	canary_class_missing, canary_min_offers   what every complete night has
//	rows                 fewer than 70 % of the usual rows (median of 14 days)
//	class_gone           a class of each of the last three complete nights
//	unmatched_share      over 20 % of unknown GPUs, and 2 points more than before
//
// and of a market, where every host sets a price of its own: class_changed,
// canaries, one_value, rows and class_gone of a model that is asked for (fewer
// than 30 % of 10 asks or more), and market_jump (the median of three verified
// machines or more moved more than threefold; unit_ratio where by 4, 8, ...).
//
// What is held (Decide): a single offer that broke a rule is held alone, and the
// night is then partial: nobody says that the offer is gone. Two or more offers,
// a tenth of the rows, or a rule about the night as a whole hold the night. In a
// market only the tenth counts.
//
// What lifts it (Decided): where the move was the fault, the next complete night
// that has the same prices within 2 % publishes both; where what was read may
// have been misread (the rules down to priced_again), every night would agree with
// itself, so that only a person confirms. A changed class can't be confirmed at
// all, since the class stands with the offer's key. What a person confirmed, or a
// day has published, is not asked about again.
//
// A first night has no night before it. For half a year after mtok was made it is held
// against the recorded night that comes with it, by the place of its prices alone:
// prices_exchanged (a shift by a row included), gpu_count_changed, other_offers,
// priced_again, and 0.50 where another price is known. How high a price is says nothing
// then: it may have moved since.
//
// A frozen page (the same bytes for weeks) is no breach but a notice of the
// pipeline: list prices do stand for months.
package validate
