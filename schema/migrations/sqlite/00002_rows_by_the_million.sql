-- Two tables are written by the million, by an import of years. What a row of them
-- costs beside its own bytes is taken away; what they hold is the same.

-- +goose Up

-- SQLite makes a table of a list of three words anew for every row that it checks
-- by it: a fifth of the time that the row takes.
CREATE TABLE observations_2 (
    day               INTEGER NOT NULL,
    slot              INTEGER NOT NULL,
    offer_id          INTEGER NOT NULL REFERENCES offers (id),
    source            TEXT NOT NULL,
    fetch_id          INTEGER NOT NULL REFERENCES fetches (id),
    origin            TEXT NOT NULL CHECK (origin = 'live' OR origin = 'recorded' OR origin = 'import'),
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
INSERT INTO observations_2 SELECT * FROM observations;
DROP TABLE observations;
ALTER TABLE observations_2 RENAME TO observations;

-- A daily price is made from the observations of its day and may name no offer but
-- theirs (offersAmong); to look that up for each row again would take half of its time.
CREATE TABLE daily_prices_2 (
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
    min_offer_id   INTEGER,
    as_of          INTEGER NOT NULL,
    PRIMARY KEY (gpu_class, day, provider, tier, term, commitment_min, commitment_max, gpu_count, origin)
) STRICT, WITHOUT ROWID;
INSERT INTO daily_prices_2 SELECT * FROM daily_prices;
DROP TABLE daily_prices;
ALTER TABLE daily_prices_2 RENAME TO daily_prices;
CREATE INDEX daily_prices_day ON daily_prices (day);
