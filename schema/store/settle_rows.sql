SELECT slot, offer_id, source, fetch_id, usd_gpu_hour, usd_instance_hour, origin, tier, stock, stock_points, max_days,
    nvlink, datacenter, reliability_ppm, storage_gb, excluded_reason, quarantine_id
FROM observations WHERE day = $1 ORDER BY day, slot, offer_id, source
