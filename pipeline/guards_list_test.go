//go:build guards

package pipeline_test

import "slices"

// guards are the conditions that stand between a wrong price and the reader, in
// the order in which a price passes them.
func guards() []guard {
	return slices.Concat(fetchGuards(), pageGuards(), answerGuards(), ruleGuards(), keptGuards())
}

// in names the package of guards and its tests that must miss each of them.
func in(pkg, run string, list ...guard) []guard {
	for i := range list {
		list[i].file, list[i].pkg, list[i].run = pkg+"/"+list[i].file, pkg, run
	}
	return list
}

// fetchGuards stand before a page is kept.
func fetchGuards() []guard {
	return slices.Concat(
		in("scrapers/fetch", ".",
			guard{name: "robots gate", file: "robots.go", cond: "!h.robots.data.TestAgent(path, f.opts.UserAgent)"},
			guard{name: "robots unreadable", file: "robots.go", cond: "err != nil || trouble"},
			guard{name: "body limit", file: "body.go", cond: "capped{r: resp.Body, left: limit}", with: "capped{r: resp.Body, left: 1 << 40}"},
			guard{name: "unpacked limit", file: "body.go", cond: "capped{r: z, left: limit}", with: "capped{r: z, left: 1 << 40}"},
			guard{name: "dialled address", file: "dial.go", cond: "!allow(ap)"},
			guard{name: "hops", file: "redirect.go", cond: "len(via) > f.opts.Limits.MaxRedirects"},
			guard{name: "redirect address", file: "redirect.go", cond: "ok && !f.opts.AllowAddress(ap)"},
		),
		in("scrapers", "Scrub", guard{name: "vast addresses", file: "vast_scrub.go", cond: "holdsAddress(raw) || isHost(raw)"}),
	)
}

// pageGuards stand in the parsers of pages.
func pageGuards() []guard {
	return slices.Concat(
		in("scrapers", "TestParse|TestVast",
			guard{name: "price grammar", file: "price.go", cond: `\.\d{2}$` + "`", with: `\.\d{1,9}$` + "`"},
			guard{name: "zero is no price", file: "price.go", cond: "err != nil || amount.Rat().Sign() <= 0", with: "err != nil"},
			guard{name: "one identity, two prices", file: "offers.go", cond: "dup && text != o.PriceText"},
			guard{name: "footnote mark", file: "html.go", cond: `b.WriteByte('^')`, with: `_ = 0`},
			guard{name: "not shown", file: "html.go", cond: `.FilterFunction(unseen).Remove()`, with: `.FilterFunction(unseen)`},
			guard{name: "template", file: "html.go", cond: `doc.Find("template, noscript").Remove()`, with: `doc.Find("template, noscript")`},
			guard{name: "page breaks off", file: "html.go", cond: `bytes.Contains(body, []byte("<html"))`},
			guard{name: "heading cells", file: "html.go", cond: "!slices.Equal(texts, want)"},
			guard{name: "sizes apart", file: "alike.go", cond: `name == "" || !farApart(perGPU(s.low), perGPU(s.high))`, with: "true || " + `name == "" || !farApart(perGPU(s.low), perGPU(s.high))`},
			guard{name: "dearer in bulk", file: "alike.go", cond: `perGPU(a).Cmp(perGPU(b)) < 0 {`, with: `false && perGPU(a).Cmp(perGPU(b)) < 0 {`},
			guard{name: "lambda rows in tabs", file: "lambda.go", cond: "tabs.Length() == 0 || rows != attributed"},
			guard{name: "lambda one panel a tab", file: "lambda.go", cond: "read[id] {", with: "false && read[id] {"},
			guard{name: "lambda panel's own tab", file: "lambda.go", cond: `by != "" && by != tab.AttrOr("id", "")`},
			guard{name: "lambda cell labels", file: "lambda.go", cond: "label != columns[i]", with: `false && label != ""`},
			guard{name: "lambda plan names", file: "lambda.go", cond: `row.plan == "" || row.cells["Plan"] != row.plan`},
			guard{name: "lambda sizes grow", file: "lambda_alike.go", cond: "gpus > other.gpus && vcpus <= other.vcpus || gpus < other.gpus && vcpus >= other.vcpus"},
			guard{name: "lambda clusters' unit", file: "lambda_alike.go", cond: "ratio.Cmp(big.NewRat(2, 5)) < 0 || ratio.Cmp(big.NewRat(5, 2)) > 0"},
			guard{name: "lambda API count", file: "lambda_api.go", cond: "m[1] != strconv.FormatInt(gpus, 10)"},
			guard{name: "lambda API no GPUs", file: "lambda_api.go", cond: "r.err == nil && gpus == 0 && lambdaDescription.MatchString(description)"},
			guard{name: "coreweave wide and narrow price", file: "coreweave.go", cond: "desktop(p.column) != value"},
			guard{name: "coreweave wide and narrow count", file: "coreweave.go", cond: "desktop(1) != o.count || desktop(2) != o.vram"},
			guard{name: "coreweave label and unit", file: "coreweave.go", cond: "cellText(span) != want"},
			guard{name: "coreweave node sizes", file: "coreweave.go", cond: "!slices.Contains(coreweaveNodes, gpus)"},
			guard{name: "coreweave region named once", file: "coreweave.go", cond: "slices.ContainsFunc(regions, func(r coreweaveRegion) bool { return r.name == name })"},
			guard{name: "coreweave rows in tables", file: "coreweave.go", cond: "all != rows {", with: "false && all != rows {"},
			guard{name: "coreweave tables exchanged", file: "coreweave.go", cond: "at[coreweaveRegions[1]].inference && !at[coreweaveRegions[0]].inference"},
			guard{name: "coreweave spot below on demand", file: "coreweave_doubt.go", cond: "onDemand.IsSet() && spot.IsSet() && spot.Rat().Cmp(onDemand.Rat()) > 0"},
			guard{name: "coreweave inference price", file: "coreweave_doubt.go", cond: "farApart(each, one.Rat())"},
			guard{name: "coreweave named nodes", file: "coreweave_doubt.go", cond: "strings.Contains(o.name, node.word) && gpus != node.gpus"},
			guard{name: "crusoe list items", file: "crusoe.go", cond: "items.Length() == 0 || listed != items.Length()"},
			guard{name: "crusoe one heading", file: "crusoe.go", cond: `fence.Length() != 1 || fence.Find("h1, h2, h3, div.pricing-dd").Length() != 1`, with: "fence.Length() != 1"},
			guard{name: "crusoe parts of a card", file: "crusoe.go", cond: "head.Length() != 1 || cells.Length() != len(crusoeTerms) || parts.Length() != 1+len(crusoeTerms)"},
			guard{name: "crusoe bare price", file: "crusoe.go", cond: "!bare || !crusoePrice.MatchString(text)"},
			guard{name: "crusoe spot below on demand", file: "crusoe.go", cond: "onDemand.IsSet() && spot.IsSet() && spot.Rat().Cmp(onDemand.Rat()) > 0"},
			guard{name: "fluidstack bare price", file: "fluidstack.go", cond: "err != nil || !bare", with: "err != nil || false && !bare"},
			guard{name: "fluidstack year below on demand", file: "fluidstack.go", cond: "year.Rat().Cmp(onDemand.Rat()) > 0"},
		),
	)
}

// answerGuards stand in the parsers of JSON.
func answerGuards() []guard {
	return slices.Concat(
		in("scrapers", "TestParse|TestVast",
			guard{name: "null and repeated fields", file: "json.go", cond: "f.times > 1"},
			guard{name: "kind of a field", file: "json.go", cond: "f.kind() == k {", with: "f.kind() == k || true {"},
			guard{name: "graphql errors", file: "runpod_graphql.go", cond: `failed.given() && failed.text != "[]"`},
			guard{name: "runpod not sold", file: "runpod.go", cond: "case !*c.sold && c.price.IsSet():", with: "case false && !*c.sold && c.price.IsSet():"},
			guard{name: "runpod boolean renamed", file: "runpod.go", cond: "!said && len(types) > 0"},
			guard{name: "runpod sold at 0", file: "runpod_doubt.go", cond: "free > 1"},
			guard{name: "runpod clouds exchanged", file: "runpod_doubt.go", cond: "dearer > 1 && dearer*2 > both"},
			guard{name: "runpod spot beside", file: "runpod_doubt.go", cond: "ratio.Cmp(big.NewRat(1, 2)) <= 0 || ratio.Cmp(big.NewRat(4, 1)) >= 0"},
			guard{name: "runpod prices apart", file: "runpod_doubt.go", cond: "ratio.Cmp(big.NewRat(1, 4)) < 0 || ratio.Cmp(most) > 0"},
			guard{name: "runpod spot says the same", file: "runpod_doubt.go", cond: "t.clouds[0].spoken() && t.clouds[1].spoken()", with: "true || t.clouds[0].spoken()"},
			guard{name: "vast parts of a price", file: "vast_ask.go", cond: "storage.IsSet() && (low+disk > sum+slack || low+disk < sum-slack)"},
			guard{name: "vast disk in the price", file: "vast_ask.go", cond: "disk != nil && *disk != vastStorageGB && *disk != vastOldStorageGB"},
			guard{name: "vast total above base", file: "vast_ask.go", cond: "!storage.IsSet() && sum > low+low/10+vastDearDisk"},
			guard{name: "vast memory of all", file: "vast_ask.go", cond: "given && one > 0 && all != one*gpus"},
			guard{name: "vast other model", file: "vast_ask.go", cond: "vastKey(name) != key"},
			guard{name: "vast rented", file: "vast.go", cond: "case slice.gone:", with: "case false && slice.gone:"},
			guard{name: "vast broken machine", file: "vast_book.go", cond: "s.perf < median/10"},
			guard{name: "vast bid is a floor", file: "vast_book.go", cond: "offer.Term, offer.PriceText, offer.Amount = schema.TermBidFloor", with: "offer.Term, offer.PriceText, offer.Amount = schema.TermSpot"},
		),
	)
}

// ruleGuards are the rules of rows and of nights.
func ruleGuards() []guard {
	return slices.Concat(
		in("pipeline/validate", ".",
			guard{name: "currency", file: "row.go", cond: `o.Currency != "USD"`},
			guard{name: "basis", file: "row.go", cond: "o.Basis != schema.BasisInstance"},
			guard{name: "node size", file: "row.go", cond: "case !countAllowed(o):", with: "case false && !countAllowed(o):"},
			guard{name: "band of the class", file: "row.go", cond: "!band.Holds(price.PerGPUHour)"},
			guard{name: "second reading of the price", file: "row.go", cond: "err := printedAgrees(o); err != nil", with: "err := printedAgrees(o); false && err != nil"},
			guard{name: "name and count", file: "name.go", cond: "n != o.GPUCount"},
			guard{name: "name and memory", file: "name.go", cond: "diff*100 > size*tolerance"},
			guard{name: "contradiction", file: "duplicates.go", cond: "if agree(group) {", with: "if agree(group) || group[0].Offer.GroupKey == \"\" {"},
			guard{name: "canary: offers", file: "canary.go", cond: "rows < e.MinOffers && (last"},
			guard{name: "canary: classes", file: "canary.go", cond: "!seen && n.Answered"},
			guard{name: "canary: bands", file: "canary.go", cond: "!b.Holds(o.USDPerGPUHour)", with: "false && b.Holds(0)"},
			guard{name: "class changed", file: "canary.go", cond: "n.ClassOf(before) != o.Class"},
			guard{name: "unit ratio", file: "moves.go", cond: "return schema.UnitRatio(before, after, ratioPermille)", with: "return 0"},
			guard{name: "price jump", file: "moves.go", cond: "return max(after-before, before-after)*100 > before*jumpPercent", with: "return false"},
			guard{name: "prices exchanged", file: "exchanged.go", cond: "before[m.after] && (len(hidden) > 0 || after[m.before])"},
			guard{name: "exchanged with an unread offer", file: "exchanged.go", cond: "hidden = append(hidden, price(k.Offer, k.USDPerGPUHour))", with: "_ = price(k.Offer, k.USDPerGPUHour)"},
			guard{name: "GPU count changed", file: "exchanged.go", cond: "count, ok := gone[sizeless{key, price}]; ok", with: "count, ok := gone[sizeless{key, price}]; false && ok"},
			guard{name: "first night: rows exchanged", file: "shipped.go", cond: "breaches := strayed(n)", with: "breaches := []Breach(nil)"},
			guard{name: "first night: rows shifted", file: "shipped.go", cond: "found := shifted(moved, hidden)", with: "found := shifted(nil, hidden)"},
			guard{name: "first night: sizes", file: "shipped.go", cond: "breaches = append(breaches, resized(n)...)", with: "_ = 0"},
			guard{name: "first night: other offers", file: "shipped.go", cond: "breaches = append(breaches, strange(n)...)", with: "_ = strange(n)"},
			guard{name: "first night: priced again", file: "shipped.go", cond: "if known.Unpriced {", with: "if false && known.Unpriced {"},
			guard{name: "first night: half a dollar", file: "pattern.go", cond: "known || n.shippedElsewhere(o)", with: "known"},
			guard{name: "one value", file: "pattern.go", cond: "same && !already"},
			guard{name: "spot is a copy", file: "pattern.go", cond: "copied && !already"},
			guard{name: "placeholders", file: "pattern.go", cond: "err == nil && slices.Contains(fillers(), printed)"},
			guard{name: "short night", file: "shape.go", cond: "len(n.Seen)*2*100 < usual*rowsPercent"},
			guard{name: "class gone", file: "shape.go", cond: "len(gone) > 0"},
			guard{name: "unmatched share", file: "shape.go", cond: "now <= rows*unmatchedPercent ||", with: "true || now <= rows*unmatchedPercent ||"},
			guard{name: "market median", file: "market.go", cond: "min(machines, wereMachines) < marketMachines ||", with: "true || min(machines, wereMachines) < marketMachines ||"},
		),
	)
}

// keptGuards stand between a judged night and a figure.
func keptGuards() []guard {
	return slices.Concat(
		in("pipeline", "TestCanary|TestUnitFlip|TestOneProviders|TestOlderPage|TestListingThat|TestIncomplete|TestFailedRerun|TestLock|TestSecond|TestLedger|TestRunning|TestBegin",
			guard{name: "held night", file: "judge.go", cond: "hold != nil {", with: "false && hold != nil {"},
			guard{name: "panic of a provider", file: "provider.go", cond: "r := recover(); r != nil", with: "r := any(nil); r != nil"},
			guard{name: "older page", file: "request.go", cond: "fetchErr == nil && published && fetch.Day < newest && !pn.night.Redate"},
			guard{name: "unread listing", file: "judge.go", cond: "len(unread) > 0"},
			guard{name: "incomplete answer", file: "request.go", cond: `result.Incomplete != ""`},
			guard{name: "living holder of the lock", file: "ledger.go", cond: "!l.dead(holder)"},
		),
		in("schema/store", ".",
			guard{name: "run lock", file: "runs.go", cond: "if err == nil {\n\t\t\treturn &RunningError", with: "if false && err == nil {\n\t\t\treturn &RunningError"},
			guard{name: "held prices in readings", file: "list_observations.sql", cond: "CAST($8 AS bigint) = 1)", with: "CAST($8 AS bigint) >= 0)"},
			guard{name: "held prices in a market's asks", file: "market_asks.sql", cond: "quarantines.state = 'confirmed'", with: "1 = 1"},
			guard{name: "held prices in the last offers", file: "last_offers.sql",
				cond: "  AND (observations.quarantine_id IS NULL OR quarantines.state = 'confirmed')", with: "  AND 1 = 1"},
			guard{name: "held prices in the baseline", file: "db/query.sql.go",
				cond: "observations.offer_id = offers.id\n  AND observations.origin <> 'import'\n  AND (observations.quarantine_id IS NULL OR quarantines.state = 'confirmed')",
				with: "observations.offer_id = offers.id\n  AND observations.origin <> 'import'"},
			guard{name: "fence of a lost run", file: "runs.go", cond: "err == nil && n == 0"},
			guard{name: "offer of a daily price", file: "settle.go", cond: "id != 0 && !offers[id]"},
			guard{name: "page of another hash", file: "page.go", cond: "hash != p.SHA256"},
		),
		in("pipeline/history", ".",
			guard{name: "import of a day to come", file: "judge_row.go", cond: "row.Day <= 0 || row.Day > g.Today"},
			guard{name: "import carried forward", file: "judge_row.go", cond: "!row.Taken.IsZero() && schema.DayOf(row.Taken) < row.Day"},
			guard{name: "import of a placeholder", file: "judge_row.go", cond: "half && k.found && k.class.Band.Low > halfDollar"},
			guard{name: "import of two tiers in one key", file: "judge_row.go", cond: `o.Provider == "runpod" && o.Tier == "" && g.format.Name != "the-full-stack"`},
			guard{name: "import of another GPU's price", file: "judge_row.go", cond: `o.Provider == "lambda" && o.Term == schema.TermOnDemand && strings.EqualFold(o.GPURaw, "H200")`},
		),
		in("reports", ".",
			guard{name: "fresh only in daily figures", file: "recompute.go", cond: "o.Day != day ||", with: "o.Day > day ||"},
			guard{name: "floors of bids", file: "recompute.go", cond: "|| o.Offer.Term == schema.TermBidFloor", with: "|| false"},
			guard{name: "held and excluded prices", file: "freshness.go", cond: `o.Quarantine == 0 && exclusion(o) == ""`, with: "exclusion(o) != \"-\""},
			guard{name: "community tier", file: "eligible.go", cond: "tierOf(o.Offer) == schema.TierCommunity && !e.Community"},
			guard{name: "sold out", file: "eligible.go", cond: "stockOn(o.Offer, gpus) == schema.StockSoldOut"},
			guard{name: "carried too long", file: "freshness.go", cond: "age < 0 || age > schema.Day(maxAge)"},
		),
	)
}
