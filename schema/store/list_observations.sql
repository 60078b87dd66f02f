SELECT offers.id, offers.provider, offers.sku, offers.gpu_count, offers.region, offers.term, offers.commitment_min,
    offers.commitment_max, offers.tier, offers.gpu_raw, offers.form_raw, offers.vram_mib, offers.basis, offers.unit,
    offers.group_key, offers.per_gpu, offers.max_gpus, offers.gpu_class,
    observations.day, observations.slot, observations.source, observations.fetch_id, observations.origin,
    observations.tier, observations.price_text, observations.currency, observations.usd_gpu_hour,
    observations.usd_instance_hour, observations.stock, observations.stock_points, observations.max_days,
    observations.nvlink, observations.datacenter, observations.reliability_ppm, observations.storage_gb,
    observations.note, observations.excluded_reason, observations.quarantine_id,
    fetches.page_sha256, fetches.fetched_at, coalesce(quarantines.state, '')
FROM observations
JOIN offers ON offers.id = observations.offer_id
JOIN fetches ON fetches.id = observations.fetch_id
LEFT JOIN quarantines ON quarantines.id = observations.quarantine_id
WHERE observations.day BETWEEN $1 AND $2
  AND ($3 = '' OR offers.provider = $3)
  AND ($4 = '' OR offers.gpu_class = $4)
  AND ($5 = '' OR offers.term = $5)
  AND ($6 = '' OR offers.term <> $6)
  AND ($7 = '' OR observations.origin = $7)
  AND (observations.quarantine_id IS NULL OR quarantines.state = 'confirmed'
    OR (quarantines.state = 'held' AND CAST($8 AS bigint) = 1))
ORDER BY observations.day, observations.slot, offers.provider, offers.sku, offers.gpu_count, offers.region,
    offers.term, offers.commitment_min, offers.commitment_max, offers.tier, observations.source
