-- Every query runs on SQLite and on PostgreSQL. Optional filters are
-- CAST(sqlc.narg(x) AS type); inserts name their columns.

-- name: StartRun :one
INSERT INTO runs (job, day, slot, trigger, status, version, owner, started_at, beat_at)
VALUES ($1, $2, $3, $4, 'running', $5, $6, $7, $8)
RETURNING id;

-- name: RunningRun :one
-- Whatever its job: no two of them write at a time.
SELECT * FROM runs WHERE status = 'running' ORDER BY id LIMIT 1;

-- name: BeatRun :execrows
UPDATE runs SET beat_at = $1 WHERE id = $2 AND status = 'running';

-- name: EndRun :execrows
UPDATE runs SET status = sqlc.arg(status), finished_at = CAST(sqlc.arg(finished_at) AS bigint)
WHERE id = sqlc.arg(id) AND status = 'running';

-- name: LastRuns :many
SELECT * FROM runs
WHERE CAST(sqlc.narg(job) AS text) IS NULL OR job = CAST(sqlc.narg(job) AS text)
ORDER BY id DESC LIMIT sqlc.arg(n);

-- name: RunsOnDay :many
SELECT * FROM runs
WHERE day = sqlc.arg(day)
  AND (CAST(sqlc.narg(job) AS text) IS NULL OR job = CAST(sqlc.narg(job) AS text))
ORDER BY id;

-- name: PutProviderRun :exec
INSERT INTO provider_runs (run_id, provider, day, status, offers, rejects, error_kind, detail, ended_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (run_id, provider, day) DO UPDATE SET
    status = excluded.status, offers = excluded.offers, rejects = excluded.rejects,
    error_kind = excluded.error_kind, detail = excluded.detail, ended_at = excluded.ended_at;

-- name: ProviderRuns :many
SELECT * FROM provider_runs
WHERE day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day)
ORDER BY day, run_id, provider;

-- name: LatestProviderRuns :many
-- Steps from provider to provider through the index, not through the rows.
WITH RECURSIVE known (provider) AS (
    SELECT min(provider) FROM provider_runs
    UNION ALL
    SELECT (SELECT min(later.provider) FROM provider_runs later WHERE later.provider > known.provider)
    FROM known WHERE known.provider IS NOT NULL
)
SELECT provider_runs.* FROM known JOIN provider_runs ON provider_runs.provider = known.provider
WHERE provider_runs.day = (SELECT newest.day FROM provider_runs newest
    WHERE newest.provider = known.provider ORDER BY newest.day DESC, newest.run_id DESC LIMIT 1)
  AND provider_runs.run_id = (SELECT max(r.run_id) FROM provider_runs r
    WHERE r.provider = known.provider AND r.day = provider_runs.day)
ORDER BY provider_runs.provider;

-- name: LastCompleteDays :many
SELECT provider, CAST(max(day) AS bigint) AS day FROM provider_runs
WHERE status = 'complete'
GROUP BY provider;

-- name: CompleteNightsBetween :one
SELECT count(*) FROM provider_runs
WHERE provider = sqlc.arg(provider) AND status = 'complete'
  AND day > sqlc.arg(after_day) AND day < sqlc.arg(before_day);

-- name: InsertPage :exec
INSERT INTO pages (sha256, media_type, size, body) VALUES ($1, $2, $3, $4)
ON CONFLICT (sha256) DO NOTHING;

-- name: CountPage :one
SELECT count(*) FROM pages WHERE sha256 = $1;

-- name: GetPage :one
SELECT * FROM pages WHERE sha256 = $1;

-- name: PageHashes :many
SELECT sha256 FROM pages ORDER BY sha256;

-- name: InsertFetch :one
INSERT INTO fetches (run_id, day, provider, source, request_key, origin, method, url, status, etag, last_modified,
    page_sha256, error_kind, error, fetched_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
RETURNING id;

-- name: ListFetches :many
SELECT * FROM fetches
WHERE (CAST(sqlc.narg(run_id) AS bigint) IS NULL OR run_id = CAST(sqlc.narg(run_id) AS bigint))
  AND day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day)
  AND (CAST(sqlc.narg(provider) AS text) IS NULL OR provider = CAST(sqlc.narg(provider) AS text))
ORDER BY day, id;

-- name: FetchDays :many
-- Steps from day to day through the index, not through the rows.
WITH RECURSIVE days (day) AS (
    SELECT min(fetches.day) FROM fetches
    UNION ALL
    SELECT (SELECT min(later.day) FROM fetches later WHERE later.day > days.day)
    FROM days WHERE days.day IS NOT NULL
)
SELECT CAST(days.day AS bigint) AS day FROM days WHERE days.day IS NOT NULL ORDER BY days.day;

-- name: FetchedBytes :many
SELECT fetches.provider, CAST(sum(pages.size) AS bigint) AS bytes
FROM fetches JOIN pages ON pages.sha256 = fetches.page_sha256
WHERE fetches.run_id = $1 AND fetches.status <> 304
GROUP BY fetches.provider;

-- name: GetFetch :one
SELECT * FROM fetches WHERE id = $1;

-- name: LastFetch :one
SELECT * FROM fetches
WHERE provider = sqlc.arg(provider) AND source = sqlc.arg(source) AND request_key = sqlc.arg(request_key)
  AND (origin = 'live' OR (origin = 'recorded' AND CAST(sqlc.arg(live_only) AS bigint) = 0)) AND status IN (200, 304) AND page_sha256 IS NOT NULL AND error_kind = ''
ORDER BY id DESC LIMIT 1;

-- name: PageSince :one
-- Since when, and on how many days, a source has given one page and no other.
SELECT CAST(coalesce(min(fetches.day), 0) AS bigint) AS since, count(DISTINCT fetches.day) AS nights
FROM fetches
WHERE fetches.provider = sqlc.arg(provider) AND fetches.source = sqlc.arg(source) AND fetches.origin <> 'import'
  AND fetches.page_sha256 = sqlc.arg(page) AND fetches.day <= sqlc.arg(day)
  AND fetches.day > (SELECT coalesce(max(other.day), 0) FROM fetches other
    WHERE other.provider = sqlc.arg(provider) AND other.source = sqlc.arg(source) AND other.origin <> 'import'
      AND other.page_sha256 <> sqlc.arg(page) AND other.error_kind = '' AND other.day <= sqlc.arg(day));

-- name: MovedProviders :many
-- The other providers of which a listed price changed; a market's change daily. From
-- the listed offers to each of them on each night, not through the rows of a market.
SELECT DISTINCT moved.provider FROM (
    SELECT offers.provider AS provider
    FROM offers CROSS JOIN (
        SELECT DISTINCT parts.provider AS provider, parts.day AS day,
            CASE WHEN runs.day = parts.day THEN runs.slot ELSE parts.day * 86400 END AS slot
        FROM provider_runs parts JOIN runs ON runs.id = parts.run_id
        WHERE parts.day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day)
    ) nights CROSS JOIN observations
    LEFT JOIN quarantines ON quarantines.id = observations.quarantine_id
    WHERE offers.group_key = '' AND offers.provider <> sqlc.arg(but) AND nights.provider = offers.provider
      AND observations.day = nights.day AND observations.slot = nights.slot AND observations.offer_id = offers.id
      AND observations.origin <> 'import'
      AND (observations.quarantine_id IS NULL OR quarantines.state = 'confirmed')
    GROUP BY offers.provider, observations.offer_id, observations.source
    HAVING min(observations.usd_gpu_hour) <> max(observations.usd_gpu_hour)
) moved
ORDER BY moved.provider;

-- name: PutParse :exec
INSERT INTO parses (fetch_id, parser_version, offers, rejects, error, parsed_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (fetch_id, parser_version) DO UPDATE SET
    offers = excluded.offers, rejects = excluded.rejects, error = excluded.error, parsed_at = excluded.parsed_at;

-- name: ListParses :many
SELECT parses.* FROM parses JOIN fetches ON fetches.id = parses.fetch_id
WHERE fetches.run_id = $1
ORDER BY parses.fetch_id, parses.parser_version;

-- name: ListDayParses :many
SELECT parses.* FROM parses JOIN fetches ON fetches.id = parses.fetch_id
WHERE fetches.day = $1
ORDER BY parses.fetch_id, parses.parser_version;

-- name: DeleteRejects :exec
DELETE FROM rejects WHERE fetch_id = $1;

-- name: InsertReject :exec
INSERT INTO rejects (fetch_id, position, source, label, price_text, rule, reason)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: ListRejects :many
SELECT sqlc.embed(rejects), fetches.run_id, fetches.day, fetches.provider
FROM rejects JOIN fetches ON fetches.id = rejects.fetch_id
WHERE (CAST(sqlc.narg(run_id) AS bigint) IS NULL OR fetches.run_id = CAST(sqlc.narg(run_id) AS bigint))
  AND fetches.day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day)
  AND (CAST(sqlc.narg(provider) AS text) IS NULL OR fetches.provider = CAST(sqlc.narg(provider) AS text))
ORDER BY fetches.day, rejects.fetch_id, rejects.position;

-- name: ProviderNotices :many
SELECT * FROM notices WHERE provider = $1 ORDER BY kind, since_day;

-- name: ListNotices :many
SELECT * FROM notices ORDER BY provider, kind, since_day;

-- name: PutNotice :exec
INSERT INTO notices (provider, kind, since_day, last_day, detail, fetch_id)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (provider, kind, since_day) DO UPDATE SET
    last_day = excluded.last_day, detail = excluded.detail, fetch_id = excluded.fetch_id;

-- name: DeleteNotice :exec
DELETE FROM notices WHERE provider = $1 AND kind = $2 AND since_day = $3;

-- name: InsertQuarantine :one
INSERT INTO quarantines (run_id, provider, day, rule, evidence, state, decided_by, decided_at, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
RETURNING id;

-- name: ReplaceQuarantines :exec
UPDATE quarantines SET state = 'replaced', decided_by = sqlc.arg(decided_by),
    decided_at = CAST(sqlc.arg(decided_at) AS bigint)
WHERE provider = sqlc.arg(provider) AND day = sqlc.arg(day) AND state = 'held';

-- name: ReplaceEmptiedQuarantines :exec
-- Of a day whose rows were written again one by one: what is left without a row.
UPDATE quarantines SET state = 'replaced', decided_by = sqlc.arg(decided_by),
    decided_at = CAST(sqlc.arg(decided_at) AS bigint)
WHERE quarantines.provider = sqlc.arg(provider) AND quarantines.day = sqlc.arg(day) AND quarantines.state = 'held'
  AND quarantines.id <> sqlc.arg(but)
  AND NOT EXISTS (SELECT 1 FROM observations
    WHERE observations.day = quarantines.day AND observations.quarantine_id = quarantines.id)
  AND NOT EXISTS (SELECT 1 FROM token_prices
    WHERE token_prices.day = quarantines.day AND token_prices.quarantine_id = quarantines.id);

-- name: DecideQuarantine :one
UPDATE quarantines SET state = sqlc.arg(state), decided_by = sqlc.arg(decided_by),
    decided_at = CAST(sqlc.arg(decided_at) AS bigint)
WHERE id = sqlc.arg(id) AND state = 'held'
RETURNING day;

-- name: DayQuarantines :many
SELECT * FROM quarantines WHERE provider = $1 AND day = $2 ORDER BY id;

-- name: HeldQuarantines :many
SELECT * FROM quarantines WHERE state = 'held' ORDER BY day, provider, id;

-- name: InsertOffer :one
INSERT INTO offers (provider, sku, gpu_count, region, term, commitment_min, commitment_max, tier,
    gpu_raw, form_raw, vram_mib, basis, unit, group_key, per_gpu, max_gpus, gpu_class)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
RETURNING id;

-- name: UpdateOffer :exec
UPDATE offers SET gpu_raw = $1, form_raw = $2, vram_mib = $3, basis = $4, unit = $5, group_key = $6,
    per_gpu = $7, max_gpus = $8, gpu_class = $9
WHERE id = $10;

-- name: DeleteOwnObservations :exec
DELETE FROM observations
WHERE day = $1 AND slot = $2 AND origin <> 'import'
  AND offer_id IN (SELECT offers.id FROM offers WHERE offers.provider = $3);

-- name: FetchOffers :many
SELECT offers.* FROM observations JOIN offers ON offers.id = observations.offer_id
WHERE observations.day = $1 AND observations.slot = $2 AND observations.fetch_id = $3;

-- name: DeleteObservation :exec
DELETE FROM observations WHERE day = $1 AND slot = $2 AND offer_id = $3 AND fetch_id = $4;

-- name: CountPublished :one
SELECT count(*)
FROM observations JOIN offers ON offers.id = observations.offer_id
LEFT JOIN quarantines ON quarantines.id = observations.quarantine_id
WHERE observations.day = $1 AND observations.slot = $2 AND observations.origin <> 'import' AND offers.provider = $3
  AND (observations.quarantine_id IS NULL OR quarantines.state = 'confirmed');

-- name: PublishedOffers :many
-- From the provider's nights to its offers, and to each of them on each night: not
-- through the rows of the other providers. The slots are those that a night writes.
SELECT sqlc.embed(observations), sqlc.embed(offers)
FROM (
    SELECT DISTINCT parts.day AS day, CASE WHEN runs.day = parts.day THEN runs.slot ELSE parts.day * 86400 END AS slot
    FROM provider_runs parts JOIN runs ON runs.id = parts.run_id
    WHERE parts.provider = sqlc.arg(provider) AND parts.day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day)
) nights CROSS JOIN offers CROSS JOIN observations
LEFT JOIN quarantines ON quarantines.id = observations.quarantine_id
WHERE offers.provider = sqlc.arg(provider)
  AND observations.day = nights.day AND observations.slot = nights.slot AND observations.offer_id = offers.id
  AND observations.origin <> 'import'
  AND (observations.quarantine_id IS NULL OR quarantines.state = 'confirmed')
ORDER BY observations.day DESC, offers.sku, offers.gpu_count, offers.region, offers.term, offers.commitment_min,
    offers.commitment_max, offers.tier, observations.slot DESC, observations.fetch_id;

-- name: PublishedOn :many
SELECT DISTINCT sqlc.embed(offers)
FROM observations CROSS JOIN offers
LEFT JOIN quarantines ON quarantines.id = observations.quarantine_id
WHERE offers.id = observations.offer_id AND observations.day = sqlc.arg(day) AND observations.slot = sqlc.arg(slot)
  AND observations.origin <> 'import' AND offers.provider = sqlc.arg(provider)
  AND (observations.quarantine_id IS NULL OR quarantines.state = 'confirmed');

-- name: ObservationDays :many
-- Steps from day to day through the key, not through the rows.
WITH RECURSIVE days (day) AS (
    SELECT min(observations.day) FROM observations
    UNION ALL
    SELECT (SELECT min(later.day) FROM observations later WHERE later.day > days.day)
    FROM days WHERE days.day IS NOT NULL
)
SELECT CAST(days.day AS bigint) AS day FROM days WHERE days.day IS NOT NULL ORDER BY days.day;

-- name: UnsettleDay :exec
INSERT INTO unsettled_days (day) VALUES ($1) ON CONFLICT (day) DO NOTHING;

-- name: UnsettleClass :exec
INSERT INTO unsettled_days (day)
SELECT DISTINCT observations.day FROM observations
WHERE observations.offer_id IN (SELECT offers.id FROM offers WHERE offers.provider = $1 AND offers.gpu_class = $2)
ON CONFLICT (day) DO NOTHING;

-- name: SettleDay :exec
DELETE FROM unsettled_days WHERE day = $1;

-- name: UnsettledDays :many
SELECT day FROM unsettled_days ORDER BY day;

-- name: DeleteDailyPrices :exec
DELETE FROM daily_prices WHERE day = $1;

-- name: DeleteDailyMarket :exec
DELETE FROM daily_market WHERE day = $1;

-- name: DeleteDailyTokenCosts :exec
DELETE FROM daily_token_costs WHERE day = $1;

-- name: InsertDailyPrice :exec
INSERT INTO daily_prices (day, gpu_class, provider, tier, term, commitment_min, commitment_max, gpu_count, origin,
    n, gpus, usd_min, usd_p10, usd_median, usd_max, min_offer_id, as_of)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17);

-- name: InsertDailyMarket :exec
INSERT INTO daily_market (day, gpu_class, term, origin, usd_cheapest, cheapest_provider, cheapest_tier, usd_median,
    providers)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: InsertCostInputs :exec
INSERT INTO cost_inputs (hash, body) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING;

-- name: InsertDailyTokenCost :exec
INSERT INTO daily_token_costs (day, gpu_class, term, workload, statistic, inputs, origin, provider, tier, gpus,
    replicas, usd_per_hour, usd_raw, usd_utilized, usd_all_in)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15);

-- name: ListDailyPrices :many
SELECT * FROM daily_prices
WHERE day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day)
  AND (CAST(sqlc.narg(gpu_class) AS text) IS NULL OR gpu_class = CAST(sqlc.narg(gpu_class) AS text))
ORDER BY day, gpu_class, provider, tier, term, commitment_min, commitment_max, gpu_count, origin;

-- name: ListDailyMarkets :many
SELECT * FROM daily_market
WHERE day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day)
  AND (CAST(sqlc.narg(gpu_class) AS text) IS NULL OR gpu_class = CAST(sqlc.narg(gpu_class) AS text))
ORDER BY day, gpu_class, term, origin;

-- name: ListDailyTokenCosts :many
SELECT * FROM daily_token_costs
WHERE day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day)
  AND (CAST(sqlc.narg(gpu_class) AS text) IS NULL OR gpu_class = CAST(sqlc.narg(gpu_class) AS text))
ORDER BY day, gpu_class, term, workload, statistic, inputs, origin;

-- name: GetCostInputs :one
SELECT * FROM cost_inputs WHERE hash = $1;

-- name: LatestDay :one
-- An import publishes nothing: it is shown apart.
SELECT day FROM daily_prices WHERE origin <> 'import' ORDER BY day DESC LIMIT 1;

-- name: LatestDayUpTo :one
SELECT day FROM daily_prices WHERE day <= $1 AND origin <> 'import' ORDER BY day DESC LIMIT 1;

-- name: Counts :one
SELECT (SELECT count(*) FROM runs) AS runs,
    (SELECT count(*) FROM fetches) AS fetches,
    (SELECT count(*) FROM pages) AS pages,
    (SELECT CAST(coalesce(sum(size), 0) AS bigint) FROM pages) AS raw_bytes,
    (SELECT CAST(coalesce(sum(length(body)), 0) AS bigint) FROM pages) AS stored_bytes,
    (SELECT count(*) FROM offers) AS offers,
    (SELECT count(*) FROM observations) AS observations,
    (SELECT count(*) FROM rejects) AS rejects,
    (SELECT count(*) FROM daily_prices) AS daily_prices;

-- name: ObservationsWithoutPage :many
SELECT observations.day, observations.offer_id, observations.fetch_id
FROM observations JOIN fetches ON fetches.id = observations.fetch_id
WHERE fetches.page_sha256 IS NULL
ORDER BY observations.day, observations.offer_id LIMIT 20;

-- name: ObservationsOfOtherOrigin :many
SELECT observations.day, observations.offer_id, observations.fetch_id
FROM observations
JOIN offers ON offers.id = observations.offer_id
JOIN fetches ON fetches.id = observations.fetch_id
WHERE observations.origin <> fetches.origin
   OR (observations.origin <> 'import' AND offers.provider <> fetches.provider)
ORDER BY observations.day, observations.offer_id LIMIT 20;

-- name: CompleteRunsWithoutProviders :many
SELECT id, job, day FROM runs
WHERE job = 'nightly' AND status = 'complete'
  AND NOT EXISTS (SELECT 1 FROM provider_runs WHERE provider_runs.run_id = runs.id)
ORDER BY id LIMIT 20;

-- Export, retention and checks.

-- name: DayOffers :many
SELECT * FROM offers WHERE id IN (SELECT observations.offer_id FROM observations WHERE observations.day = $1);

-- name: GetQuarantine :one
SELECT * FROM quarantines WHERE id = $1;

-- name: GetRun :one
SELECT * FROM runs WHERE id = $1;

-- name: GetImport :one
SELECT * FROM imports WHERE fetch_id = $1;

-- name: TokenPriceDays :many
SELECT DISTINCT day FROM token_prices ORDER BY day;

-- name: ExportTokenPrices :many
SELECT * FROM token_prices WHERE day = $1 ORDER BY slot, source, model, endpoint, precision, min_prompt_tokens;

-- name: ExportNights :many
SELECT sqlc.embed(provider_runs), sqlc.embed(runs)
FROM provider_runs JOIN runs ON runs.id = provider_runs.run_id
WHERE provider_runs.day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day)
ORDER BY provider_runs.run_id, provider_runs.provider, provider_runs.day;

-- name: ExportQuarantines :many
SELECT * FROM quarantines WHERE day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day) ORDER BY id;

-- name: PageStored :one
-- The compressed bytes of a page, 0 where only its hash is known.
SELECT CAST(length(body) AS bigint) FROM pages WHERE sha256 = $1;

-- name: ObservedPages :many
-- Whatever day an observation is of: read once before anything is dropped.
SELECT DISTINCT fetches.page_sha256 FROM observations JOIN fetches ON fetches.id = observations.fetch_id
WHERE fetches.page_sha256 IS NOT NULL
UNION
SELECT DISTINCT fetches.page_sha256 FROM token_prices JOIN fetches ON fetches.id = token_prices.fetch_id
WHERE fetches.page_sha256 IS NOT NULL;

-- name: ObservationsOfDroppedPages :many
-- An import of another database's export knows pages by their hash alone.
SELECT observations.day, observations.offer_id, fetches.page_sha256
FROM pages
JOIN fetches ON fetches.page_sha256 = pages.sha256
JOIN observations ON observations.day = fetches.day AND observations.fetch_id = fetches.id
WHERE length(pages.body) = 0 AND NOT EXISTS (SELECT 1 FROM imports WHERE imports.fetch_id = fetches.id)
ORDER BY observations.day, observations.offer_id LIMIT 20;

-- name: HeldByOtherProvider :many
SELECT observations.day, observations.offer_id, quarantines.id AS quarantine_id
FROM observations
JOIN offers ON offers.id = observations.offer_id
JOIN quarantines ON quarantines.id = observations.quarantine_id
WHERE quarantines.day <> observations.day OR quarantines.provider <> offers.provider
ORDER BY observations.day, observations.offer_id LIMIT 20;

-- name: ImportsWithoutSource :many
SELECT fetches.id, fetches.day, fetches.source FROM fetches
WHERE fetches.origin = 'import'
  AND NOT EXISTS (SELECT 1 FROM imports WHERE imports.fetch_id = fetches.id)
ORDER BY fetches.id LIMIT 20;

-- name: DropPageBody :execrows
UPDATE pages SET body = sqlc.arg(empty) WHERE sha256 = sqlc.arg(sha256);

-- name: FillPageBody :exec
-- The body of a page that retention took, or that an export put back by its hash
-- alone, come again.
UPDATE pages SET body = sqlc.arg(body), media_type = sqlc.arg(media_type), size = sqlc.arg(size) WHERE sha256 = sqlc.arg(sha256) AND length(body) = 0;

-- Imports of other people's prices.

-- name: CountImported :one
SELECT count(*) FROM imports
JOIN fetches ON fetches.id = imports.fetch_id
JOIN parses ON parses.fetch_id = imports.fetch_id
WHERE imports.format = sqlc.arg(format) AND fetches.page_sha256 = sqlc.arg(page_sha256) AND parses.parser_version = sqlc.arg(parser_version)
  AND (CAST(sqlc.narg(request_key) AS text) IS NULL OR fetches.request_key = CAST(sqlc.narg(request_key) AS text));

-- name: EarlierImports :many
SELECT imports.fetch_id FROM imports
JOIN fetches ON fetches.id = imports.fetch_id
WHERE imports.format = sqlc.arg(format) AND fetches.page_sha256 = sqlc.arg(page_sha256)
  AND (CAST(sqlc.narg(request_key) AS text) IS NULL OR fetches.request_key = CAST(sqlc.narg(request_key) AS text))
ORDER BY imports.fetch_id;

-- name: ImportedPriceDays :many
SELECT day FROM observations WHERE observations.fetch_id = sqlc.arg(fetch_id)
UNION
SELECT day FROM token_prices WHERE token_prices.fetch_id = sqlc.arg(fetch_id)
ORDER BY day;

-- name: DropImportedPrices :exec
DELETE FROM observations WHERE fetch_id = $1 AND origin = 'import';

-- name: DropImportedTokenPrices :exec
DELETE FROM token_prices WHERE fetch_id = $1 AND origin = 'import';

-- name: InsertImport :exec
INSERT INTO imports (fetch_id, format, file, licence, attribution, provenance, imported_at)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: ListImports :many
SELECT * FROM imports ORDER BY fetch_id;

-- The user's contracts.

-- name: DeleteFleets :exec
DELETE FROM fleets WHERE day = $1;

-- name: InsertFleet :exec
INSERT INTO fleets (day, name, gpu_class, gpus, usd_gpu_hour, fixed_from, fixed_to, notice_days, model, tokens_per_month, hours_on)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- name: ListFleets :many
SELECT * FROM fleets WHERE day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day) ORDER BY day, name;

-- name: DeleteQuotes :exec
DELETE FROM quotes WHERE day = $1;

-- name: InsertQuote :exec
INSERT INTO quotes (day, name, provider, gpu_class, gpu_count, term, commitment_min, commitment_max, usd_gpu_hour, usd_instance_hour, quoted_on, source)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- name: ListQuotes :many
SELECT * FROM quotes WHERE day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day) ORDER BY day, name;

-- name: DeleteOwnTokenPrices :exec
-- A source is 'openrouter/models-api': a provider's are those that begin with its name.
DELETE FROM token_prices
WHERE day = sqlc.arg(day) AND slot = sqlc.arg(slot) AND origin <> 'import'
  AND substr(source, 1, length(CAST(sqlc.arg(provider) AS text)) + 1) = CAST(sqlc.arg(provider) AS text) || '/';

-- name: DeleteFetchTokenPrices :exec
DELETE FROM token_prices WHERE day = $1 AND slot = $2 AND fetch_id = $3;

-- name: CountPublishedTokenPrices :one
SELECT count(*) FROM token_prices LEFT JOIN quarantines ON quarantines.id = token_prices.quarantine_id
WHERE token_prices.day = sqlc.arg(day) AND token_prices.slot = sqlc.arg(slot) AND token_prices.origin <> 'import'
  AND substr(token_prices.source, 1, length(CAST(sqlc.arg(provider) AS text)) + 1) = CAST(sqlc.arg(provider) AS text) || '/'
  AND (token_prices.quarantine_id IS NULL OR quarantines.state = 'confirmed');

-- name: PutTokenPrice :execrows
INSERT INTO token_prices (day, slot, source, model, endpoint, precision, min_prompt_tokens, fetch_id, origin,
    usd_in, usd_out, usd_cache_read, usd_cache_write, uptime_ppm, price_text, excluded_reason, quarantine_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
ON CONFLICT (day, slot, source, model, endpoint, precision, min_prompt_tokens) DO UPDATE SET
    fetch_id = excluded.fetch_id, origin = excluded.origin, usd_in = excluded.usd_in, usd_out = excluded.usd_out,
    usd_cache_read = excluded.usd_cache_read, usd_cache_write = excluded.usd_cache_write,
    uptime_ppm = excluded.uptime_ppm, price_text = excluded.price_text, excluded_reason = excluded.excluded_reason,
    quarantine_id = excluded.quarantine_id
WHERE (token_prices.origin = 'import') = (excluded.origin = 'import');

-- name: ListTokenPrices :many
SELECT sqlc.embed(token_prices), fetches.page_sha256, fetches.fetched_at,
    CAST(coalesce(quarantines.state, '') AS text) AS quarantine_state
FROM token_prices
JOIN fetches ON fetches.id = token_prices.fetch_id
LEFT JOIN quarantines ON quarantines.id = token_prices.quarantine_id
WHERE token_prices.day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day)
  AND (CAST(sqlc.narg(provider) AS text) IS NULL
    OR substr(token_prices.source, 1, length(CAST(sqlc.narg(provider) AS text)) + 1) = CAST(sqlc.narg(provider) AS text) || '/')
  AND (token_prices.quarantine_id IS NULL OR quarantines.state = 'confirmed'
    OR (quarantines.state = 'held' AND CAST(sqlc.arg(include_held) AS bigint) = 1))
ORDER BY token_prices.day, token_prices.slot, token_prices.source, token_prices.model, token_prices.endpoint,
    token_prices.precision, token_prices.min_prompt_tokens;

-- name: LastTokenDay :one
-- The newest day up to one on which a provider's own list was published.
SELECT provider_runs.day FROM provider_runs
WHERE provider_runs.provider = sqlc.arg(provider) AND provider_runs.day <= sqlc.arg(to_day)
  AND EXISTS (SELECT 1 FROM token_prices LEFT JOIN quarantines ON quarantines.id = token_prices.quarantine_id
    WHERE token_prices.day = provider_runs.day AND token_prices.origin <> 'import'
      AND substr(token_prices.source, 1, length(CAST(sqlc.arg(provider) AS text)) + 1) = CAST(sqlc.arg(provider) AS text) || '/'
      AND (token_prices.quarantine_id IS NULL OR quarantines.state = 'confirmed'))
ORDER BY provider_runs.day DESC LIMIT 1;

-- name: DeleteDailyAPIPrices :exec
DELETE FROM daily_api_prices WHERE day = $1;

-- name: InsertDailyAPIPrice :exec
INSERT INTO daily_api_prices (day, source, model, endpoint, precision, min_prompt_tokens, origin, usd_in, usd_out,
    usd_cache_read, usd_cache_write, price_text, as_of)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13);

-- name: ListDailyAPIPrices :many
SELECT * FROM daily_api_prices
WHERE day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day)
  AND (CAST(sqlc.narg(model) AS text) IS NULL OR model = CAST(sqlc.narg(model) AS text))
ORDER BY day, source, model, endpoint, precision, min_prompt_tokens, origin;

-- name: GetAlertStates :many
SELECT * FROM alerts ORDER BY rule, series;

-- name: PutAlertState :exec
INSERT INTO alerts (rule, series, rule_checksum, state, day, value, baseline, detail, active_at, fired_at,
    resolved_at, sent_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
ON CONFLICT (rule, series) DO UPDATE SET
    rule_checksum = excluded.rule_checksum, state = excluded.state, day = excluded.day, value = excluded.value,
    baseline = excluded.baseline, detail = excluded.detail, active_at = excluded.active_at,
    fired_at = excluded.fired_at, resolved_at = excluded.resolved_at, sent_at = excluded.sent_at;

-- name: KnownAlertEvent :one
SELECT count(*) FROM alert_events WHERE event = $1;

-- name: InsertAlertEvent :one
INSERT INTO alert_events (event, run_id, rule, series, day, kind, severity, from_value, to_value, detail, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
RETURNING id;

-- name: LastAlertEvents :many
SELECT * FROM alert_events ORDER BY id DESC LIMIT sqlc.arg(n);

-- name: InsertSilence :one
INSERT INTO silences (rule, series, comment, created_by, created_at, until_at)
VALUES ($1, $2, $3, $4, $5, $6)
RETURNING id;

-- name: SilencesAt :many
SELECT * FROM silences WHERE until_at IS NULL OR until_at > CAST(sqlc.arg(at) AS bigint) ORDER BY id;

-- name: InsertDelivery :exec
INSERT INTO deliveries (event_id, channel, message, state, tries, next_at, error, created_at)
VALUES ($1, $2, $3, 'pending', 0, $4, '', $4);

-- name: OutboxMessages :many
-- The rows of one message go through its tries together.
SELECT message, channel, state, CAST(count(*) AS bigint) AS events, CAST(max(tries) AS bigint) AS tries,
    CAST(max(next_at) AS bigint) AS next_at, CAST(max(error) AS text) AS error,
    CAST(min(created_at) AS bigint) AS created_at, CAST(min(id) AS bigint) AS first
FROM deliveries WHERE state = sqlc.arg(state)
GROUP BY message, channel, state ORDER BY min(id);

-- name: ClaimMessage :execrows
-- Without an error, as HurryMessages knows a try that is under way.
UPDATE deliveries SET tries = tries + 1, next_at = CAST(sqlc.arg(until_at) AS bigint), error = ''
WHERE message = sqlc.arg(message) AND channel = sqlc.arg(channel) AND state = 'pending'
  AND tries = sqlc.arg(tries) AND next_at <= CAST(sqlc.arg(now) AS bigint);

-- name: MessageEvents :many
SELECT alert_events.* FROM deliveries JOIN alert_events ON alert_events.id = deliveries.event_id
WHERE deliveries.message = sqlc.arg(message) AND deliveries.channel = sqlc.arg(channel)
ORDER BY alert_events.id;

-- name: MessageSent :exec
UPDATE deliveries SET state = 'sent', sent_at = CAST(sqlc.arg(sent_at) AS bigint), error = ''
WHERE message = sqlc.arg(message) AND channel = sqlc.arg(channel) AND state <> 'sent';

-- name: MessageFailed :exec
UPDATE deliveries SET state = sqlc.arg(state), next_at = sqlc.arg(next_at), error = sqlc.arg(error)
WHERE message = sqlc.arg(message) AND channel = sqlc.arg(channel) AND state <> 'sent';

-- name: ReviveDeadLetters :execrows
UPDATE deliveries SET state = 'pending', tries = 0, next_at = sqlc.arg(now)
WHERE state = 'dead' AND (CAST(sqlc.narg(channel) AS text) IS NULL OR channel = CAST(sqlc.narg(channel) AS text));

-- Trends: one class over many days, by the keys that begin with it.

-- name: ClassMarkets :many
SELECT * FROM daily_market
WHERE gpu_class = sqlc.arg(gpu_class) AND day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day)
ORDER BY day, term, origin;

-- name: ClassPrices :many
-- All node sizes together.
SELECT * FROM daily_prices
WHERE gpu_class = sqlc.arg(gpu_class) AND day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day)
  AND gpu_count = 0 AND term = sqlc.arg(term)
ORDER BY day, provider, tier, commitment_min, commitment_max, origin;

-- name: ModelAPIPrices :many
SELECT * FROM daily_api_prices
WHERE model = sqlc.arg(model) AND day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day)
ORDER BY day, source, endpoint, precision, min_prompt_tokens, origin;

-- name: APIModels :many
-- Steps from model to model through the key, not through the rows.
WITH RECURSIVE models (model) AS (
    SELECT min(daily_api_prices.model) FROM daily_api_prices
    UNION ALL
    SELECT (SELECT min(later.model) FROM daily_api_prices later WHERE later.model > models.model)
    FROM models WHERE models.model IS NOT NULL
)
SELECT CAST(models.model AS text) AS model FROM models WHERE models.model IS NOT NULL ORDER BY models.model;

-- name: NewestMarketDay :one
-- Imports included.
SELECT day FROM daily_market ORDER BY day DESC LIMIT 1;

-- name: DailyDays :many
SELECT DISTINCT daily_prices.day FROM daily_prices
UNION
SELECT DISTINCT daily_market.day FROM daily_market
UNION
SELECT DISTINCT daily_token_costs.day FROM daily_token_costs
UNION
SELECT DISTINCT daily_api_prices.day FROM daily_api_prices
ORDER BY day;

-- name: CompleteDays :many
SELECT DISTINCT day FROM provider_runs
WHERE provider = sqlc.arg(provider) AND day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day) AND status = 'complete'
ORDER BY day;

-- name: CountRejects :many
SELECT fetches.provider, rejects.rule, count(*) AS n, CAST(max(fetches.day) AS bigint) AS last_day,
    CAST(max(rejects.reason) AS text) AS reason
FROM fetches JOIN rejects ON rejects.fetch_id = fetches.id
WHERE fetches.day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day)
GROUP BY fetches.provider, rejects.rule ORDER BY fetches.provider, rejects.rule;

-- name: CountParses :many
SELECT fetches.provider, parses.parser_version, count(*) AS n, CAST(min(fetches.day) AS bigint) AS first_day,
    CAST(max(fetches.day) AS bigint) AS last_day,
    CAST(sum(CASE WHEN parses.error <> '' THEN 1 ELSE 0 END) AS bigint) AS errors
FROM fetches JOIN parses ON parses.fetch_id = fetches.id
WHERE fetches.day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day)
  AND fetches.provider <> 'mtok' -- a file of our own export is nobody's page
GROUP BY fetches.provider, parses.parser_version ORDER BY fetches.provider, parses.parser_version;

-- name: EndSilences :execrows
UPDATE silences SET until_at = CAST(sqlc.arg(now) AS bigint)
WHERE rule = sqlc.arg(rule) AND series = sqlc.arg(series)
  AND (until_at IS NULL OR until_at > CAST(sqlc.arg(now) AS bigint));

-- name: RunAlertEvents :many
SELECT * FROM alert_events WHERE run_id = CAST(sqlc.arg(run_id) AS bigint) ORDER BY id;

-- name: AlertEventsOn :many
SELECT * FROM alert_events WHERE day = sqlc.arg(day) ORDER BY id;

-- name: HurryMessages :exec
UPDATE deliveries SET next_at = CAST(sqlc.arg(now) AS bigint)
WHERE state = 'pending' AND next_at > CAST(sqlc.arg(now) AS bigint) AND error <> ''
  AND (CAST(sqlc.narg(channel) AS text) IS NULL OR channel = CAST(sqlc.narg(channel) AS text));

-- name: CountKept :one
-- What an export that is put back would meet.
SELECT CAST((SELECT count(*) FROM observations) + (SELECT count(*) FROM provider_runs) + (SELECT count(*) FROM token_prices) AS bigint) AS kept;

-- name: InsertEndedRun :one
INSERT INTO runs (job, day, slot, trigger, status, version, owner, started_at, beat_at, finished_at)
VALUES ($1, $2, $3, $4, $5, $6, '', $7, $8, $9)
RETURNING id;

-- name: OffersBetween :many
SELECT * FROM offers WHERE id BETWEEN sqlc.arg(first) AND sqlc.arg(last);

-- name: ExportParses :many
SELECT sqlc.embed(parses), sqlc.embed(fetches) FROM parses JOIN fetches ON fetches.id = parses.fetch_id
WHERE fetches.day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day) AND fetches.provider <> 'mtok'
ORDER BY parses.fetch_id, parses.parser_version;

-- name: FetchRejects :many
SELECT * FROM rejects WHERE fetch_id = $1 ORDER BY position;

-- name: ImportedBy :many
-- The offer behind each day's lowest imported price: its key names the record.
SELECT daily_market.day, offers.sku FROM daily_market
JOIN daily_prices ON daily_prices.gpu_class = daily_market.gpu_class AND daily_prices.day = daily_market.day
  AND daily_prices.provider = daily_market.cheapest_provider AND daily_prices.tier = daily_market.cheapest_tier
  AND daily_prices.term = daily_market.term AND daily_prices.gpu_count = 0 AND daily_prices.origin = daily_market.origin
JOIN offers ON offers.id = daily_prices.min_offer_id
WHERE daily_market.gpu_class = sqlc.arg(gpu_class) AND daily_market.day BETWEEN sqlc.arg(from_day) AND sqlc.arg(to_day)
  AND daily_market.term = sqlc.arg(term) AND daily_market.origin = 'import'
  AND daily_prices.usd_min = daily_market.usd_cheapest
ORDER BY daily_market.day, offers.sku;

-- name: DailyPricesWithoutOffer :many
-- Made from observations of offers that are not there.
SELECT daily_prices.gpu_class, daily_prices.day, daily_prices.min_offer_id FROM daily_prices
LEFT JOIN offers ON offers.id = daily_prices.min_offer_id
WHERE daily_prices.min_offer_id IS NOT NULL AND offers.id IS NULL
ORDER BY daily_prices.gpu_class, daily_prices.day LIMIT 20;

-- name: SomeDailyPrices :one
-- 0 where there are none, else 1.
SELECT count(*) FROM (SELECT 1 FROM daily_prices LIMIT 1) AS found;
