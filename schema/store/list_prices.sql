-- From the provider's nights to its offers, and to each of them on each night: not
-- through the rows of a market. The slots are those that a night writes.
SELECT observations.day, observations.source, observations.tier, observations.usd_gpu_hour, observations.reliability_ppm,
    observations.excluded_reason, offers.sku, offers.gpu_count, offers.region, offers.term, offers.commitment_min,
    offers.commitment_max, offers.tier, offers.basis, offers.group_key, offers.gpu_class
FROM (
    SELECT DISTINCT parts.day AS day, CASE WHEN runs.day = parts.day THEN runs.slot ELSE parts.day * 86400 END AS slot
    FROM provider_runs parts JOIN runs ON runs.id = parts.run_id
    WHERE parts.provider = $1 AND parts.day BETWEEN $2 AND $3
) nights CROSS JOIN offers CROSS JOIN observations
LEFT JOIN quarantines ON quarantines.id = observations.quarantine_id
WHERE offers.provider = $1
  AND observations.day = nights.day AND observations.slot = nights.slot AND observations.offer_id = offers.id
  AND observations.origin <> 'import'
  AND (observations.quarantine_id IS NULL OR quarantines.state = 'confirmed')
ORDER BY observations.day, observations.slot, offers.sku, offers.gpu_count, offers.region, offers.term,
    offers.commitment_min, offers.commitment_max, offers.tier, observations.source
