-- A bounded part of a day, after the row that the part before it ended with. What
-- most rows say alike comes as null, since to the SQLite driver each value costs
-- more than the row; origin is the fetch's.
SELECT nullif(slot, day * 86400), offer_id, source, fetch_id, nullif(tier, ''), price_text, nullif(currency, 'USD'),
    usd_gpu_hour, usd_instance_hour, stock, nullif(stock_points, ''), max_days, nvlink, datacenter, reliability_ppm,
    storage_gb, nullif(note, ''), nullif(excluded_reason, ''), quarantine_id
FROM observations
WHERE day = $1 AND (slot, offer_id, source) > ($2, $3, $4)
ORDER BY slot, offer_id, source LIMIT 10000
