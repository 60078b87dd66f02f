-- CROSS JOIN makes SQLite go through the days in question, not through all offers.
SELECT offers.id, offers.provider, offers.sku, offers.gpu_count, offers.region, offers.term, offers.commitment_min,
    offers.commitment_max, offers.tier, offers.gpu_raw, offers.form_raw, offers.vram_mib, offers.basis, offers.unit,
    offers.group_key, offers.per_gpu, offers.max_gpus, offers.gpu_class,
    observations.day, observations.slot, observations.fetch_id, observations.usd_gpu_hour, observations.price_text,
    observations.currency, observations.excluded_reason, observations.tier
FROM observations CROSS JOIN offers
LEFT JOIN quarantines ON quarantines.id = observations.quarantine_id
WHERE offers.id = observations.offer_id
  AND observations.day = (
    SELECT seen.day FROM observations seen CROSS JOIN offers sold
    LEFT JOIN quarantines q ON q.id = seen.quarantine_id
    WHERE sold.id = seen.offer_id AND seen.day BETWEEN $1 AND $2
      AND seen.origin <> 'import' AND sold.provider = $3
      AND (seen.quarantine_id IS NULL OR q.state = 'confirmed')
    ORDER BY seen.day DESC LIMIT 1)
  AND observations.origin <> 'import' AND offers.provider = $3
  AND (observations.quarantine_id IS NULL OR quarantines.state = 'confirmed')
