-- Units, everywhere: money is micro-dollars (usd_*), a time is unix
-- milliseconds (*_at, as_of), a slot unix seconds, a day the number of days
-- since 1970-01-01, a boolean 0, 1 or null for "not published".

-- +goose Up
CREATE TABLE runs (
    id          INTEGER PRIMARY KEY,
    job         TEXT NOT NULL,
    day         INTEGER NOT NULL,
    slot        INTEGER NOT NULL,
    trigger     TEXT NOT NULL,
    status      TEXT NOT NULL CHECK (status IN ('running', 'complete', 'partial', 'quarantined', 'failed', 'abandoned')),
    version     TEXT NOT NULL,
    owner       TEXT NOT NULL,
    started_at  INTEGER NOT NULL,
    beat_at     INTEGER NOT NULL,
    finished_at INTEGER CHECK ((finished_at IS NULL) = (status = 'running'))
) STRICT;
-- The run lock: a second running row of a job cannot be inserted.
CREATE UNIQUE INDEX runs_lock ON runs (job) WHERE status = 'running';
CREATE INDEX runs_day ON runs (day, job);

-- A run has one entry a provider and day: recorded pages may be of several days.
CREATE TABLE provider_runs (
    run_id     INTEGER NOT NULL REFERENCES runs (id),
    provider   TEXT NOT NULL,
    day        INTEGER NOT NULL,
    status     TEXT NOT NULL CHECK (status IN ('complete', 'partial', 'quarantined', 'failed')),
    offers     INTEGER NOT NULL,
    rejects    INTEGER NOT NULL,
    error_kind TEXT NOT NULL,
    detail     TEXT NOT NULL,
    ended_at   INTEGER NOT NULL,
    PRIMARY KEY (run_id, provider, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX provider_runs_newest ON provider_runs (provider, day, run_id);
CREATE INDEX provider_runs_complete ON provider_runs (provider, day) WHERE status = 'complete';
CREATE INDEX provider_runs_day ON provider_runs (day);

-- The body is zstd of the raw body; sha256 (lower-case hex) and size are of the
-- raw body.
CREATE TABLE pages (
    sha256     TEXT NOT NULL PRIMARY KEY CHECK (length(sha256) = 64),
    media_type TEXT NOT NULL,
    size       INTEGER NOT NULL CHECK (size >= 0),
    body       BLOB NOT NULL
) STRICT;

CREATE TABLE fetches (
    id            INTEGER PRIMARY KEY,
    run_id        INTEGER NOT NULL REFERENCES runs (id),
    day           INTEGER NOT NULL,
    provider      TEXT NOT NULL,
    source        TEXT NOT NULL,
    request_key   TEXT NOT NULL,
    origin        TEXT NOT NULL CHECK (origin IN ('live', 'recorded', 'import')),
    method        TEXT NOT NULL,
    url           TEXT NOT NULL,
    status        INTEGER NOT NULL,
    etag          TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    page_sha256   TEXT REFERENCES pages (sha256),
    error_kind    TEXT NOT NULL,
    error         TEXT NOT NULL,
    fetched_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX fetches_day ON fetches (day, id);
CREATE INDEX fetches_run ON fetches (run_id);
CREATE INDEX fetches_target ON fetches (provider, source, request_key, id);
CREATE INDEX fetches_page ON fetches (page_sha256);

CREATE TABLE imports (
    fetch_id    INTEGER NOT NULL PRIMARY KEY REFERENCES fetches (id),
    format      TEXT NOT NULL,
    file        TEXT NOT NULL,
    licence     TEXT NOT NULL,
    attribution TEXT NOT NULL,
    provenance  TEXT NOT NULL,
    imported_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE parses (
    fetch_id       INTEGER NOT NULL REFERENCES fetches (id),
    parser_version INTEGER NOT NULL,
    offers         INTEGER NOT NULL,
    rejects        INTEGER NOT NULL,
    error          TEXT NOT NULL,
    parsed_at      INTEGER NOT NULL,
    PRIMARY KEY (fetch_id, parser_version)
) STRICT, WITHOUT ROWID;

CREATE TABLE rejects (
    fetch_id   INTEGER NOT NULL REFERENCES fetches (id),
    position   INTEGER NOT NULL,
    source     TEXT NOT NULL,
    label      TEXT NOT NULL,
    price_text TEXT NOT NULL,
    rule       TEXT NOT NULL,
    reason     TEXT NOT NULL,
    PRIMARY KEY (fetch_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE notices (
    provider  TEXT NOT NULL,
    kind      TEXT NOT NULL,
    since_day INTEGER NOT NULL,
    last_day  INTEGER NOT NULL CHECK (last_day >= since_day),
    detail    TEXT NOT NULL,
    fetch_id  INTEGER NOT NULL REFERENCES fetches (id),
    PRIMARY KEY (provider, kind, since_day)
) STRICT, WITHOUT ROWID;

CREATE TABLE quarantines (
    id         INTEGER PRIMARY KEY,
    run_id     INTEGER NOT NULL REFERENCES runs (id),
    provider   TEXT NOT NULL,
    day        INTEGER NOT NULL,
    rule       TEXT NOT NULL,
    evidence   TEXT NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('held', 'confirmed', 'discarded', 'replaced')),
    decided_by TEXT NOT NULL,
    decided_at INTEGER CHECK ((decided_at IS NULL) = (state = 'held')),
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX quarantines_day ON quarantines (provider, day);

-- A commitment is in days. gpu_class is derived: a catalog change may move it.
CREATE TABLE offers (
    id             INTEGER PRIMARY KEY,
    provider       TEXT NOT NULL,
    sku            TEXT NOT NULL,
    gpu_count      INTEGER NOT NULL CHECK (gpu_count >= 0),
    region         TEXT NOT NULL,
    term           TEXT NOT NULL,
    commitment_min INTEGER NOT NULL,
    commitment_max INTEGER NOT NULL,
    tier           TEXT NOT NULL,
    gpu_raw        TEXT NOT NULL,
    form_raw       TEXT NOT NULL,
    vram_mib       INTEGER NOT NULL,
    basis          TEXT NOT NULL,
    unit           TEXT NOT NULL,
    group_key      TEXT NOT NULL,
    per_gpu        INTEGER NOT NULL CHECK (per_gpu IN (0, 1)),
    max_gpus       INTEGER NOT NULL,
    gpu_class      TEXT NOT NULL,
    UNIQUE (provider, sku, gpu_count, region, term, commitment_min, commitment_max, tier)
) STRICT;
CREATE INDEX offers_class ON offers (gpu_class);

-- tier repeats the offer's, but where a marketplace has it as an attribute of
-- the night. stock is 1 available, 0 sold out, null not published; stock_points
-- says it by GPU count and region, '1x high, 8x us-west none', '' for nothing.
CREATE TABLE observations (
    day               INTEGER NOT NULL,
    slot              INTEGER NOT NULL,
    offer_id          INTEGER NOT NULL REFERENCES offers (id),
    source            TEXT NOT NULL,
    fetch_id          INTEGER NOT NULL REFERENCES fetches (id),
    origin            TEXT NOT NULL CHECK (origin IN ('live', 'recorded', 'import')),
    tier              TEXT NOT NULL,
    price_text        TEXT NOT NULL,
    currency          TEXT NOT NULL,
    usd_gpu_hour      INTEGER NOT NULL CHECK (usd_gpu_hour > 0),
    usd_instance_hour INTEGER NOT NULL CHECK (usd_instance_hour > 0),
    stock             INTEGER CHECK (stock IN (0, 1)),
    stock_points      TEXT NOT NULL,
    max_days          INTEGER,
    nvlink            INTEGER CHECK (nvlink IN (0, 1)),
    datacenter        INTEGER CHECK (datacenter IN (0, 1)),
    reliability_ppm   INTEGER,
    storage_gb        INTEGER,
    note              TEXT NOT NULL,
    excluded_reason   TEXT NOT NULL,
    quarantine_id     INTEGER REFERENCES quarantines (id),
    PRIMARY KEY (day, slot, offer_id, source)
) STRICT, WITHOUT ROWID;

-- The days whose observations changed after their daily figures were made.
CREATE TABLE unsettled_days (
    day INTEGER NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- The keys of the daily tables begin with the class: trends read one class over many days.
CREATE TABLE daily_prices (
    day            INTEGER NOT NULL,
    gpu_class      TEXT NOT NULL,
    provider       TEXT NOT NULL,
    tier           TEXT NOT NULL,
    term           TEXT NOT NULL,
    commitment_min INTEGER NOT NULL,
    commitment_max INTEGER NOT NULL,
    gpu_count      INTEGER NOT NULL, -- 0 for all node sizes together
    origin         TEXT NOT NULL,
    n              INTEGER NOT NULL,
    gpus           INTEGER NOT NULL,
    usd_min        INTEGER NOT NULL,
    usd_p10        INTEGER NOT NULL,
    usd_median     INTEGER NOT NULL,
    usd_max        INTEGER NOT NULL,
    min_offer_id   INTEGER REFERENCES offers (id),
    as_of          INTEGER NOT NULL,
    PRIMARY KEY (gpu_class, day, provider, tier, term, commitment_min, commitment_max, gpu_count, origin)
) STRICT, WITHOUT ROWID;
CREATE INDEX daily_prices_day ON daily_prices (day);

CREATE TABLE daily_market (
    day               INTEGER NOT NULL,
    gpu_class         TEXT NOT NULL,
    term              TEXT NOT NULL,
    origin            TEXT NOT NULL,
    usd_cheapest      INTEGER NOT NULL,
    cheapest_provider TEXT NOT NULL,
    cheapest_tier     TEXT NOT NULL,
    usd_median        INTEGER NOT NULL,
    providers         INTEGER NOT NULL,
    PRIMARY KEY (gpu_class, day, term, origin)
) STRICT, WITHOUT ROWID;
CREATE INDEX daily_market_day ON daily_market (day);

-- Token prices are micro-dollars per million tokens; min_prompt_tokens is where
-- a price tier by prompt length begins, 0 for the first.
CREATE TABLE token_prices (
    day               INTEGER NOT NULL,
    slot              INTEGER NOT NULL,
    source            TEXT NOT NULL,
    model             TEXT NOT NULL,
    endpoint          TEXT NOT NULL,
    precision         TEXT NOT NULL,
    min_prompt_tokens INTEGER NOT NULL,
    fetch_id          INTEGER NOT NULL REFERENCES fetches (id),
    origin            TEXT NOT NULL CHECK (origin IN ('live', 'recorded', 'import')),
    usd_in            INTEGER,
    usd_out           INTEGER,
    usd_cache_read    INTEGER,
    usd_cache_write   INTEGER,
    uptime_ppm        INTEGER,
    price_text        TEXT NOT NULL,
    excluded_reason   TEXT NOT NULL,
    quarantine_id     INTEGER REFERENCES quarantines (id),
    PRIMARY KEY (day, slot, source, model, endpoint, precision, min_prompt_tokens)
) STRICT, WITHOUT ROWID;

CREATE TABLE daily_api_prices (
    day               INTEGER NOT NULL,
    source            TEXT NOT NULL,
    model             TEXT NOT NULL,
    endpoint          TEXT NOT NULL,
    precision         TEXT NOT NULL,
    min_prompt_tokens INTEGER NOT NULL,
    origin            TEXT NOT NULL,
    usd_in            INTEGER,
    usd_out           INTEGER,
    usd_cache_read    INTEGER,
    usd_cache_write   INTEGER,
    price_text        TEXT NOT NULL,
    as_of             INTEGER NOT NULL,
    PRIMARY KEY (model, day, source, endpoint, precision, min_prompt_tokens, origin)
) STRICT, WITHOUT ROWID;
CREATE INDEX daily_api_prices_day ON daily_api_prices (day);

CREATE TABLE cost_inputs (
    hash TEXT NOT NULL PRIMARY KEY CHECK (length(hash) = 64),
    body TEXT NOT NULL
) STRICT;

CREATE TABLE daily_token_costs (
    day          INTEGER NOT NULL,
    gpu_class    TEXT NOT NULL,
    term         TEXT NOT NULL,
    workload     TEXT NOT NULL,
    statistic    TEXT NOT NULL,
    inputs       TEXT NOT NULL REFERENCES cost_inputs (hash),
    origin       TEXT NOT NULL,
    provider     TEXT NOT NULL,
    tier         TEXT NOT NULL,
    gpus         INTEGER NOT NULL,
    replicas     INTEGER NOT NULL,
    usd_per_hour INTEGER NOT NULL,
    usd_raw      INTEGER NOT NULL,
    usd_utilized INTEGER NOT NULL,
    usd_all_in   INTEGER NOT NULL,
    PRIMARY KEY (gpu_class, day, term, workload, statistic, inputs, origin)
) STRICT, WITHOUT ROWID;
CREATE INDEX daily_token_costs_day ON daily_token_costs (day);

-- The user's contracts and hand-typed offers as they stood in the configuration
-- of a day.
CREATE TABLE fleets (
    day              INTEGER NOT NULL,
    name             TEXT NOT NULL,
    gpu_class        TEXT NOT NULL,
    gpus             INTEGER NOT NULL,
    usd_gpu_hour     INTEGER NOT NULL,
    fixed_from       INTEGER,
    fixed_to         INTEGER,
    notice_days      INTEGER,
    model            TEXT NOT NULL,
    tokens_per_month INTEGER,
    hours_on         TEXT NOT NULL,
    PRIMARY KEY (day, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE quotes (
    day               INTEGER NOT NULL,
    name              TEXT NOT NULL,
    provider          TEXT NOT NULL,
    gpu_class         TEXT NOT NULL,
    gpu_count         INTEGER NOT NULL,
    term              TEXT NOT NULL,
    commitment_min    INTEGER NOT NULL,
    commitment_max    INTEGER NOT NULL,
    usd_gpu_hour      INTEGER NOT NULL,
    usd_instance_hour INTEGER NOT NULL,
    quoted_on         INTEGER NOT NULL,
    source            TEXT NOT NULL,
    PRIMARY KEY (day, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE alerts (
    rule          TEXT NOT NULL,
    series        TEXT NOT NULL,
    rule_checksum TEXT NOT NULL,
    state         TEXT NOT NULL CHECK (state IN ('inactive', 'pending', 'firing', 'resolved')),
    day           INTEGER NOT NULL,
    value         INTEGER,
    baseline      INTEGER,
    detail        TEXT NOT NULL,
    active_at     INTEGER,
    fired_at      INTEGER,
    resolved_at   INTEGER,
    sent_at       INTEGER,
    PRIMARY KEY (rule, series)
) STRICT, WITHOUT ROWID;

-- event is the stable id that every delivery of it carries.
CREATE TABLE alert_events (
    id         INTEGER PRIMARY KEY,
    event      TEXT NOT NULL UNIQUE,
    run_id     INTEGER REFERENCES runs (id),
    rule       TEXT NOT NULL,
    series     TEXT NOT NULL,
    day        INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    severity   TEXT NOT NULL,
    from_value INTEGER,
    to_value   INTEGER,
    detail     TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX alert_events_series ON alert_events (rule, series, id);

CREATE TABLE silences (
    id         INTEGER PRIMARY KEY,
    rule       TEXT NOT NULL,
    series     TEXT NOT NULL,
    comment    TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    until_at   INTEGER
) STRICT;

-- The outbox: one row an event and channel. Rows with one message id went out,
-- or will, as one grouped message.
CREATE TABLE deliveries (
    id         INTEGER PRIMARY KEY,
    event_id   INTEGER NOT NULL REFERENCES alert_events (id),
    channel    TEXT NOT NULL,
    message    TEXT NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('pending', 'sent', 'dead')),
    tries      INTEGER NOT NULL,
    next_at    INTEGER NOT NULL,
    error      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    sent_at    INTEGER CHECK ((sent_at IS NOT NULL) = (state = 'sent')),
    UNIQUE (event_id, channel)
) STRICT;
CREATE INDEX deliveries_due ON deliveries (state, next_at);
