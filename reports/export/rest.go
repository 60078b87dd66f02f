package export

import "mtok/schema"

// tokenPriceRow is one API price.
type tokenPriceRow struct {
	Day             date    `parquet:"day,date"`
	Slot            millis  `parquet:"slot,timestamp(millisecond)"`
	Source          string  `parquet:"source,dict"`
	Model           string  `parquet:"model,dict"`
	Endpoint        string  `parquet:"endpoint,dict"`
	Precision       string  `parquet:"precision,dict"`
	MinPromptTokens int64   `parquet:"min_prompt_tokens" doc:"where a tier by prompt length begins"`
	Origin          string  `parquet:"origin,dict"`
	USDIn           *micros `parquet:"usd_in,optional,decimal(6:18)" doc:"a million tokens, as the next three"`
	USDOut          *micros `parquet:"usd_out,optional,decimal(6:18)"`
	USDCacheRead    *micros `parquet:"usd_cache_read,optional,decimal(6:18)"`
	USDCacheWrite   *micros `parquet:"usd_cache_write,optional,decimal(6:18)"`
	UptimePPM       *int64  `parquet:"uptime_ppm,optional"`
	PriceText       string  `parquet:"price_text,dict"`
	Excluded        string  `parquet:"excluded_reason,dict"`
	Published       bool    `parquet:"published"`
	quarantineColumns
	FetchProvider string `parquet:"fetch_provider,dict"`
	fetchColumns
	importColumns
}

func fillTokenPrice(r *tokenPriceRow, p *schema.ExportedTokenPrice) {
	*r = tokenPriceRow{
		Day: dateOf(p.Day), Slot: slotOf(p.Slot), Source: p.Source, Model: p.Model, Endpoint: p.Endpoint,
		Precision: p.Precision, MinPromptTokens: p.MinPromptTokens, Origin: string(p.Origin),
		USDIn: amount(p.USDIn), USDOut: amount(p.USDOut), USDCacheRead: amount(p.USDCacheRead),
		USDCacheWrite: amount(p.USDCacheWrite), UptimePPM: p.UptimePPM, PriceText: p.PriceText,
		Excluded: p.Excluded, Published: p.Evidence.Published(p.Excluded), FetchProvider: string(p.Fetch.Provider),
	}
	r.quarantineColumns, r.fetchColumns, r.importColumns = evidence(&p.Evidence)
}

func amount(u *schema.USD) *micros {
	if u == nil {
		return nil
	}
	m := microsOf(*u)
	return &m
}

// nightRow is one provider's part in a run.
type nightRow struct {
	RunID      int64   `parquet:"run_id"`
	Job        string  `parquet:"job,dict"`
	RunDay     date    `parquet:"run_day,date"`
	Slot       millis  `parquet:"slot,timestamp(millisecond)"`
	Trigger    string  `parquet:"trigger,dict"`
	RunStatus  string  `parquet:"run_status,dict"`
	Version    string  `parquet:"version,dict" doc:"of mtok"`
	StartedAt  millis  `parquet:"started_at,timestamp(millisecond)"`
	FinishedAt *millis `parquet:"finished_at,optional,timestamp(millisecond)"`
	Provider   string  `parquet:"provider,dict"`
	Day        date    `parquet:"day,date"`
	Status     string  `parquet:"status,dict" doc:"complete, partial, quarantined or failed; only after complete is an absent offer gone"`
	Offers     int64   `parquet:"offers"`
	Rejects    int64   `parquet:"rejects"`
	ErrorKind  string  `parquet:"error_kind,dict"`
	Detail     string  `parquet:"detail"`
	EndedAt    millis  `parquet:"ended_at,timestamp(millisecond)"`
}

func fillNight(r *nightRow, n *schema.ExportedNight) {
	run, result := &n.Run, &n.Result
	*r = nightRow{
		RunID: run.ID, Job: run.Job, RunDay: dateOf(run.Day), Slot: slotOf(run.Slot), Trigger: run.Trigger,
		RunStatus: string(run.Status), Version: run.Version, StartedAt: millisOf(run.StartedAt),
		FinishedAt: ended(run.FinishedAt), Provider: string(result.Provider), Day: dateOf(result.Day),
		Status: string(result.Status), Offers: int64(result.Offers), Rejects: int64(result.Rejects),
		ErrorKind: result.ErrorKind, Detail: result.Detail, EndedAt: millisOf(result.EndedAt),
	}
}

// noticeRow is a standing fact.
type noticeRow struct {
	Provider   string  `parquet:"provider,dict"`
	Kind       string  `parquet:"kind,dict"`
	Since      date    `parquet:"since_day,date"`
	Last       date    `parquet:"last_day,date"`
	Detail     string  `parquet:"detail"`
	RunID      int64   `parquet:"run_id" doc:"of the fetch that said so last, as the rest"`
	FetchID    int64   `parquet:"fetch_id"`
	Source     string  `parquet:"source,dict"`
	RequestKey string  `parquet:"request_key,dict"`
	Origin     string  `parquet:"origin,dict"`
	Method     string  `parquet:"method,dict"`
	URL        string  `parquet:"url,dict"`
	HTTPStatus int64   `parquet:"http_status"`
	FetchedAt  millis  `parquet:"fetched_at,timestamp(millisecond)"`
	PageSHA256 *string `parquet:"page_sha256,optional"`
}

func fillNotice(r *noticeRow, n *schema.ExportedNotice) {
	f := &n.Fetch
	*r = noticeRow{
		Provider: string(n.Provider), Kind: n.Kind, Since: dateOf(n.Since), Last: dateOf(n.Last), Detail: n.Detail,
		RunID: f.RunID, FetchID: f.ID, Source: f.Source, RequestKey: f.Key, Origin: string(f.Origin),
		Method: f.Method, URL: f.URL, HTTPStatus: int64(f.Status), FetchedAt: millisOf(f.FetchedAt),
		PageSHA256: known(f.PageSHA256),
	}
}

// quarantineRow is a night that was doubted.
type quarantineRow struct {
	ID        int64   `parquet:"id"`
	RunID     int64   `parquet:"run_id"`
	Provider  string  `parquet:"provider,dict"`
	Day       date    `parquet:"day,date"`
	Rule      string  `parquet:"rule,dict"`
	Evidence  string  `parquet:"evidence"`
	State     string  `parquet:"state,dict"`
	DecidedBy string  `parquet:"decided_by,dict"`
	DecidedAt *millis `parquet:"decided_at,optional,timestamp(millisecond)"`
	CreatedAt millis  `parquet:"created_at,timestamp(millisecond)"`
}

func fillQuarantine(r *quarantineRow, q *schema.Quarantine) {
	*r = quarantineRow{
		ID: q.ID, RunID: q.RunID, Provider: string(q.Provider), Day: dateOf(q.Day), Rule: q.Rule,
		Evidence: q.Evidence, State: q.State, DecidedBy: q.DecidedBy, DecidedAt: ended(q.DecidedAt),
		CreatedAt: millisOf(q.CreatedAt),
	}
}
