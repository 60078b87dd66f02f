INSERT INTO daily_prices (day, gpu_class, provider, tier, term, commitment_min, commitment_max, gpu_count, origin,
    n, gpus, usd_min, usd_p10, usd_median, usd_max, min_offer_id, as_of)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
