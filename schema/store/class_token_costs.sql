SELECT day, statistic, inputs, origin, provider, tier, gpus, replicas, usd_per_hour, usd_raw, usd_utilized, usd_all_in
FROM daily_token_costs
WHERE gpu_class = $1 AND day BETWEEN $2 AND $3 AND workload = $4 AND term = $5
ORDER BY day, statistic, inputs, origin
