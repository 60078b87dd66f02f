package web

import "github.com/prometheus/client_golang/prometheus"

// The metrics. All are gauges: each says how things stand after the newest night.
var (
	priceDesc = desc("price_usd_per_gpu_hour",
		"Lowest price of the newest published day, in USD per GPU-hour. Bid floors are none of these.",
		"class", "provider", "tier", "term", "commitment_days")
	costDesc = desc("token_cost_usd_per_mtok",
		"USD per million output tokens on the newest published day: of the rent (raw), of the rent at the configured utilization (utilized), and that times the overhead (all_in).",
		"class", "term", "workload", "statistic", "kind")
	publishedDesc = desc("published_day_timestamp_seconds",
		"Midnight UTC of the newest published day, which prices and costs are of.")
	upDesc = desc("provider_up",
		"1 if the provider's newest night is complete, 0 if it is partial, held, failed or missing.", "provider")
	successDesc = desc("provider_last_success_timestamp_seconds",
		"When the provider's newest complete night was saved.", "provider")
	offersDesc  = desc("offers", "Offers read in the provider's newest night.", "provider")
	rejectsDesc = desc("rejects",
		"Rows of the provider's newest night that were understood but not used, by the rule that put them out.", "provider", "rule")
	bytesDesc = desc("fetch_bytes", "Bodies fetched in the provider's newest night, uncompressed.", "provider")
	tookDesc  = desc("fetch_duration_seconds",
		"From the start of the provider's newest night until its part was fetched, read and saved.", "provider")
	runDesc      = desc("last_run_timestamp_seconds", "End of the newest finished night, however it ended.")
	databaseDesc = desc("database_bytes", "Size of the database.")
	walDesc      = desc("wal_bytes", "Size of the write-ahead log of a SQLite database.")
	buildDesc    = desc("build_info", "Always 1; the version of mtok is a label.", "version")
	errorDesc    = desc("scrape_error", "1 if part of these metrics could not be read and is missing.")
)

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(prometheus.BuildFQName("mtok", "", name), help, labels, nil)
}
