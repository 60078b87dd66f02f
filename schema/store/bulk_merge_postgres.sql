INSERT INTO observations (day, slot, offer_id, source, fetch_id, origin, tier, price_text, currency, usd_gpu_hour,
    usd_instance_hour, stock, stock_points, max_days, nvlink, datacenter, reliability_ppm, storage_gb, note,
    excluded_reason, quarantine_id)
SELECT day, slot, offer_id, source, fetch_id, origin, tier, price_text, currency, usd_gpu_hour,
    usd_instance_hour, stock, stock_points, max_days, nvlink, datacenter, reliability_ppm, storage_gb, note,
    excluded_reason, quarantine_id
FROM incoming_observations
ON CONFLICT (day, slot, offer_id, source) DO UPDATE SET
    fetch_id = excluded.fetch_id, origin = excluded.origin, tier = excluded.tier, price_text = excluded.price_text,
    currency = excluded.currency, usd_gpu_hour = excluded.usd_gpu_hour,
    usd_instance_hour = excluded.usd_instance_hour, stock = excluded.stock, stock_points = excluded.stock_points,
    max_days = excluded.max_days, nvlink = excluded.nvlink, datacenter = excluded.datacenter,
    reliability_ppm = excluded.reliability_ppm, storage_gb = excluded.storage_gb, note = excluded.note,
    excluded_reason = excluded.excluded_reason, quarantine_id = excluded.quarantine_id
WHERE (observations.origin = 'import') = (excluded.origin = 'import')
