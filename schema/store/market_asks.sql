-- CROSS JOIN makes SQLite go through the days in question, not through all offers.
SELECT observations.day, observations.source, observations.tier, observations.usd_gpu_hour, observations.reliability_ppm,
    observations.excluded_reason, offers.sku, offers.gpu_count, offers.region, offers.commitment_min,
    offers.commitment_max, offers.tier, offers.basis, offers.group_key, offers.gpu_class
FROM observations CROSS JOIN offers
LEFT JOIN quarantines ON quarantines.id = observations.quarantine_id
WHERE offers.id = observations.offer_id AND observations.day BETWEEN $1 AND $2
  AND offers.provider = $3 AND offers.term = $4 AND observations.origin <> 'import'
  AND (observations.quarantine_id IS NULL OR quarantines.state = 'confirmed')
ORDER BY observations.day, observations.slot, observations.offer_id, observations.source
