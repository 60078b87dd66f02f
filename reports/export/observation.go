package export

import (
	"cmp"

	"mtok/schema"
)

// observationRow is one price.
type observationRow struct {
	Day           date   `parquet:"day,date" doc:"logical day"`
	Slot          millis `parquet:"slot,timestamp(millisecond)" doc:"of the run; midnight for a night"`
	Provider      string `parquet:"provider,dict"`
	SKU           string `parquet:"sku,dict" doc:"the provider's own key; with the next six the identity of the offer"`
	GPUCount      int64  `parquet:"gpu_count"`
	Region        string `parquet:"region,dict" doc:"as printed; empty where one price holds for all"`
	Term          string `parquet:"term,dict" doc:"on_demand, spot, bid_floor (a minimum bid, no price) or reserved"`
	CommitmentMin int64  `parquet:"commitment_min_days"`
	CommitmentMax int64  `parquet:"commitment_max_days"`
	Tier          string `parquet:"tier,dict" doc:"of the offer: secure, community, cluster"`
	Class         string `parquet:"gpu_class,dict" doc:"by the catalog of the export"`
	GPURaw        string `parquet:"gpu_raw,dict" doc:"GPU as printed"`
	FormRaw       string `parquet:"form_raw,dict" doc:"form factor as printed"`
	VRAMMiB       int64  `parquet:"vram_mib" doc:"of one GPU; 0 where not printed"`
	Basis         string `parquet:"basis,dict" doc:"instance, or gpu_component: the GPU without its server"`
	Unit          string `parquet:"unit,dict" doc:"that the price is listed in"`
	GroupKey      string `parquet:"group_key,dict" doc:"machine at a marketplace"`
	PerGPU        bool   `parquet:"per_gpu" doc:"any count up to max_gpus can be rented"`
	MaxGPUs       int64  `parquet:"max_gpus"`

	Source         string `parquet:"source,dict"`
	Origin         string `parquet:"origin,dict" doc:"live, recorded or import"`
	ObservedTier   string `parquet:"observed_tier,dict" doc:"of that night, at a marketplace; else tier"`
	PriceText      string `parquet:"price_text,dict" doc:"as printed"`
	Currency       string `parquet:"currency,dict"`
	USDGPUHour     micros `parquet:"usd_gpu_hour,decimal(6:18)" doc:"a GPU and hour"`
	USDInstance    micros `parquet:"usd_instance_hour,decimal(6:18)" doc:"all GPUs of the offer"`
	Available      *bool  `parquet:"available,optional" doc:"null where stock is not published"`
	StockPoints    string `parquet:"stock_points,dict" doc:"stock by GPU count and region"`
	MaxDays        *int64 `parquet:"max_days,optional" doc:"that the machine is still offered for"`
	NVLink         *bool  `parquet:"nvlink,optional"`
	Datacenter     *bool  `parquet:"datacenter,optional"`
	ReliabilityPPM *int64 `parquet:"reliability_ppm,optional" doc:"millionths"`
	StorageGB      *int64 `parquet:"storage_gb,optional" doc:"disk that the price includes"`
	Note           string `parquet:"note,dict"`
	Excluded       string `parquet:"excluded_reason,dict" doc:"why the price never counts; empty for most"`
	Published      bool   `parquet:"published" doc:"not held, discarded, excluded or a component: what a report may count"`

	quarantineColumns
	fetchColumns
	importColumns

	own observationValues
}

// observationValues are what the pointers of a row point to: what it was made of
// is valid no longer when it is written.
type observationValues struct {
	available, nvlink, datacenter bool
	maxDays, reliability, storage int64
}

// quarantineColumns say what was decided of the row.
type quarantineColumns struct {
	QuarantineID    int64  `parquet:"quarantine_id,optional"`
	QuarantineState string `parquet:"quarantine_state,dict" doc:"held, confirmed, discarded or replaced; empty for none"`
}

// fetchColumns are the evidence.
type fetchColumns struct {
	RunID      int64  `parquet:"run_id,delta"`
	FetchID    int64  `parquet:"fetch_id,delta"`
	RequestKey string `parquet:"request_key,dict"`
	Method     string `parquet:"method,dict"`
	URL        string `parquet:"url,dict"`
	HTTPStatus int64  `parquet:"http_status"`
	FetchedAt  millis `parquet:"fetched_at,timestamp(millisecond)"`
	PageSHA256 string `parquet:"page_sha256,optional,dict" doc:"of the page that the price was read from"`
}

// importColumns are null but for imported rows.
type importColumns struct {
	ImportFormat maybeText `parquet:"import_format,string,optional,dict"`
	ImportFile   maybeText `parquet:"import_file,string,optional,dict"`
	Licence      maybeText `parquet:"licence,string,optional,dict"`
	Attribution  maybeText `parquet:"attribution,string,optional,dict"`
	Provenance   maybeText `parquet:"provenance,string,optional,dict" doc:"primary, aggregator or static"`
	ImportedAt   millis    `parquet:"imported_at,optional,timestamp(millisecond)"`
}

func fillObservation(r *observationRow, o *schema.ExportedObservation) {
	offer, a := &o.Offer, &o.Offer.Attributes
	*r = observationRow{
		Day: dateOf(o.Day), Slot: slotOf(o.Slot), Provider: string(offer.Provider), SKU: offer.SKU,
		GPUCount: int64(offer.GPUCount), Region: offer.Region, Term: string(offer.Term),
		CommitmentMin: int64(offer.Commitment.MinDays), CommitmentMax: int64(offer.Commitment.MaxDays),
		Tier: string(offer.Tier), Class: string(o.Class), GPURaw: offer.GPURaw, FormRaw: offer.FormRaw,
		VRAMMiB: offer.VRAMMiB, Basis: string(offer.Basis), Unit: string(offer.Unit), GroupKey: offer.GroupKey,
		PerGPU: offer.PerGPU, MaxGPUs: int64(offer.MaxGPUs),

		Source: o.Source, Origin: string(o.Origin), ObservedTier: string(cmp.Or(a.Tier, offer.Tier)),
		PriceText: offer.PriceText, Currency: offer.Currency,
		USDGPUHour: microsOf(o.USDPerGPUHour), USDInstance: microsOf(o.USDPerInstanceHour),
		StockPoints: o.StockPoints, Note: offer.Note, Excluded: o.Excluded,
		Published: o.Evidence.Published(o.Excluded) && offer.Basis != schema.BasisGPUComponent,
	}
	if offer.Stock != schema.StockUnknown {
		available := offer.Stock == schema.StockAvailable
		r.Available = keep(&r.own.available, &available)
	}
	r.MaxDays, r.NVLink = keep(&r.own.maxDays, a.MaxDays), keep(&r.own.nvlink, a.NVLink)
	r.Datacenter = keep(&r.own.datacenter, a.Datacenter)
	r.ReliabilityPPM, r.StorageGB = keep(&r.own.reliability, a.ReliabilityPPM), keep(&r.own.storage, a.StorageGB)
	r.quarantineColumns, r.fetchColumns, r.importColumns = evidence(&o.Evidence)
}

// keep copies a value, where there is one, and returns where to.
func keep[T any](to, from *T) *T {
	if from == nil {
		return nil
	}
	*to = *from
	return to
}

func evidence(e *schema.Evidence) (quarantineColumns, fetchColumns, importColumns) {
	q := quarantineColumns{QuarantineID: e.QuarantineID, QuarantineState: e.QuarantineState}
	f := &e.Fetch
	fetch := fetchColumns{
		RunID: f.RunID, FetchID: f.ID, RequestKey: f.Key, Method: f.Method, URL: f.URL,
		HTTPStatus: int64(f.Status), FetchedAt: millisOf(f.FetchedAt), PageSHA256: f.PageSHA256,
	}
	i := e.ImportedFrom
	if i == nil {
		return q, fetch, importColumns{}
	}
	from := importColumns{
		ImportFormat: maybeText(i.Format), ImportFile: maybeText(i.File), Licence: maybeText(i.Licence),
		Attribution: maybeText(i.Attribution), Provenance: maybeText(i.Provenance),
	}
	if !i.At.IsZero() {
		from.ImportedAt = millisOf(i.At)
	}
	return q, fetch, from
}
