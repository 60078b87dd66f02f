-- export_rows.sql with each row handed to a function of ours, which costs a third
-- of asking the driver for the values one by one. Its result is null.
SELECT take_row(slot, offer_id, source, fetch_id, tier, price_text, currency, usd_gpu_hour, usd_instance_hour, stock, stock_points,
    max_days, nvlink, datacenter, reliability_ppm, storage_gb, note, excluded_reason, quarantine_id)
FROM observations
WHERE day = $1 AND (slot, offer_id, source) > ($2, $3, $4)
ORDER BY slot, offer_id, source LIMIT 10000
