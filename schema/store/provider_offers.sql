SELECT id, provider, sku, gpu_count, region, term, commitment_min, commitment_max, tier, gpu_raw, form_raw, vram_mib, basis,
    unit, group_key, per_gpu, max_gpus, gpu_class
FROM offers WHERE provider = $1
