package history

import (
	"fmt"
	"strings"

	"mtok/schema"
)

// OwnName is the name of our own export as a format.
const OwnName = "mtok"

// OwnExpects says what a file of it looks like.
const OwnExpects = "JSON lines or CSV as mtok export observations writes them"

// ReadOwn adds a table of an export to an archive. Which table it is, its columns
// say. An error is ErrFormat or ErrStructure, and of the whole file: it was written
// by us, so that nothing in it may be unclear.
func ReadOwn(a *schema.Archive, body []byte) error {
	other := func() error {
		return fmt.Errorf("%w: expected %s (%s), found %s", ErrFormat, OwnName, OwnExpects, found(body))
	}
	if strings.HasPrefix(string(body[:min(4, len(body))]), "PAR1") {
		return fmt.Errorf("%w: Parquet is for analysts: export it as jsonl (mtok export observations --format jsonl)", ErrFormat)
	}
	rows, err := ownRows(body)
	if err != nil {
		if first := firstLine(body); strings.Contains(string(first), "fetched_at") || strings.Contains(string(first), "run_id") {
			return err
		}
		return other()
	}
	for i := range rows {
		r := &rows[i]
		switch {
		case r.has("job") && r.has("run_day"):
			a.Nights = append(a.Nights, r.night())
		case r.has("since_day") && r.has("fetch_id"):
			a.Notices = append(a.Notices, r.notice())
		case r.has("decided_by") && r.has("evidence"):
			a.Quarantines = append(a.Quarantines, r.quarantine())
		case r.has("parser_version") && r.has("parsed_at"):
			a.Parses = append(a.Parses, r.parse())
		case r.has("position") && r.has("rule"):
			a.Rejects = append(a.Rejects, r.reject())
		case r.has("model") && r.has("fetch_provider"):
			a.TokenPrices = append(a.TokenPrices, r.tokenPrice())
		case r.has("sku") && r.has("fetch_id"):
			a.Observations = append(a.Observations, r.observation())
		default:
			return other()
		}
		if r.err != nil {
			return r.err
		}
	}
	return nil
}

func (r *ownRow) night() schema.ExportedNight {
	return schema.ExportedNight{
		Run: schema.Run{
			ID: r.int("run_id"), Job: r.text("job"), Day: r.day("run_day"), Slot: r.time("slot").Unix(), Trigger: r.text("trigger"),
			Status: schema.RunStatus(r.text("run_status")), Version: r.text("version"), StartedAt: r.time("started_at"), FinishedAt: r.time("finished_at"),
		},
		Result: schema.ProviderRun{
			RunID: r.int("run_id"), Provider: schema.ProviderID(r.text("provider")), Day: r.day("day"), Status: schema.RunStatus(r.text("status")),
			Offers: int(r.int("offers")), Rejects: int(r.int("rejects")), ErrorKind: r.text("error_kind"), Detail: r.text("detail"), EndedAt: r.time("ended_at"),
		},
	}
}

func (r *ownRow) notice() schema.ExportedNotice {
	n := schema.ExportedNotice{Notice: schema.Notice{
		Provider: schema.ProviderID(r.text("provider")), Kind: r.text("kind"), Detail: r.text("detail"),
		Since: r.day("since_day"), Last: r.day("last_day"), FetchID: r.int("fetch_id"),
	}}
	n.Fetch = r.fetch(n.Provider, r.text("source"), n.Last)
	return n
}

func (r *ownRow) quarantine() schema.Quarantine {
	return schema.Quarantine{
		ID: r.int("id"), RunID: r.int("run_id"), Provider: schema.ProviderID(r.text("provider")), Day: r.day("day"), Rule: r.text("rule"),
		Evidence: r.text("evidence"), State: r.text("state"), DecidedBy: r.text("decided_by"), DecidedAt: r.time("decided_at"), CreatedAt: r.time("created_at"),
	}
}

// fetch are the columns of the evidence. What is imported has the format as its
// provider.
func (r *ownRow) fetch(provider schema.ProviderID, source string, day schema.Day) schema.Fetch {
	f := schema.Fetch{
		ID: r.int("fetch_id"), RunID: r.int("run_id"), Day: day, Provider: provider, Source: source, Key: r.text("request_key"),
		Origin: schema.Origin(r.text("origin")), Method: r.text("method"), URL: r.text("url"), Status: int(r.int("http_status")),
		PageSHA256: r.text("page_sha256"), FetchedAt: r.time("fetched_at"),
	}
	if f.Origin == schema.OriginImport && r.has("import_format") {
		f.Provider = schema.ProviderID(r.text("import_format"))
	}
	return f
}

func (r *ownRow) evidence(provider schema.ProviderID, source string, day schema.Day) schema.Evidence {
	e := schema.Evidence{Fetch: r.fetch(provider, source, day), QuarantineState: r.text("quarantine_state")}
	if id := r.optional("quarantine_id"); id != nil {
		e.QuarantineID = *id
	}
	e.ImportedFrom = r.importedFrom()
	return e
}

func (r *ownRow) observation() schema.ExportedObservation {
	day := r.day("day")
	o := schema.ExportedObservation{StockPoints: r.text("stock_points")}
	o.Offer = schema.Offer{
		OfferKey: schema.OfferKey{
			Provider: schema.ProviderID(r.text("provider")), SKU: r.text("sku"), GPUCount: int(r.int("gpu_count")), Region: r.text("region"),
			Term: schema.Term(r.text("term")), Tier: schema.Tier(r.text("tier")),
			Commitment: schema.Commitment{MinDays: int(r.int("commitment_min_days")), MaxDays: int(r.int("commitment_max_days"))},
		},
		GPURaw: r.text("gpu_raw"), FormRaw: r.text("form_raw"), VRAMMiB: r.int("vram_mib"), Basis: schema.Basis(r.text("basis")),
		Unit: schema.Unit(r.text("unit")), GroupKey: r.text("group_key"), PerGPU: r.bool("per_gpu"), MaxGPUs: int(r.int("max_gpus")),
		PriceText: r.text("price_text"), Currency: r.text("currency"), Note: r.text("note"),
		Attributes: schema.Attributes{
			MaxDays: r.optional("max_days"), NVLink: r.optionalBool("nvlink"), Datacenter: r.optionalBool("datacenter"),
			ReliabilityPPM: r.optional("reliability_ppm"), StorageGB: r.optional("storage_gb"),
		},
	}
	if tier := schema.Tier(r.text("observed_tier")); tier != o.Offer.Tier {
		o.Offer.Attributes.Tier = tier
	}
	switch available := r.optionalBool("available"); {
	case available == nil:
	case *available:
		o.Offer.Stock = schema.StockAvailable
	default:
		o.Offer.Stock = schema.StockSoldOut
	}
	if o.StockPoints != "" {
		if err := o.Offer.StockPoints.UnmarshalText([]byte(o.StockPoints)); err != nil {
			r.fault("stock_points", "%v", err)
		}
	}
	o.Day, o.Slot, o.Source, o.Class = day, r.time("slot").Unix(), r.text("source"), schema.ClassID(r.text("gpu_class"))
	o.Origin, o.Excluded = schema.Origin(r.text("origin")), r.text("excluded_reason")
	o.USDPerGPUHour, o.USDPerInstanceHour = r.usd("usd_gpu_hour"), r.usd("usd_instance_hour")
	o.Evidence = r.evidence(o.Offer.Provider, o.Source, day)
	return o
}

func (r *ownRow) tokenPrice() schema.ExportedTokenPrice {
	p := schema.ExportedTokenPrice{
		Day: r.day("day"), Slot: r.time("slot").Unix(), Source: r.text("source"), Model: r.text("model"), Endpoint: r.text("endpoint"),
		Precision: r.text("precision"), MinPromptTokens: r.int("min_prompt_tokens"), Origin: schema.Origin(r.text("origin")),
		USDIn: r.optionalUSD("usd_in"), USDOut: r.optionalUSD("usd_out"), USDCacheRead: r.optionalUSD("usd_cache_read"),
		USDCacheWrite: r.optionalUSD("usd_cache_write"), UptimePPM: r.optional("uptime_ppm"), PriceText: r.text("price_text"), Excluded: r.text("excluded_reason"),
	}
	p.Evidence = r.evidence(schema.ProviderID(r.text("fetch_provider")), p.Source, p.Day)
	return p
}
