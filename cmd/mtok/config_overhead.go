package main

import (
	"mtok/reports/cost"
	"mtok/schema"
)

// OverheadConfig are the costs beside the rent by name. As soon as one of them
// costs anything they stand in the place of [cost] overhead.
type OverheadConfig struct {
	StorageGB            number `toml:"storage_gb"`
	StorageUSDPerGBMonth number `toml:"storage_usd_per_gb_month"`
	EgressUSDPerGB       number `toml:"egress_usd_per_gb"`
	BytesPerToken        number `toml:"bytes_per_token"`
	OpsUSDMonth          number `toml:"ops_usd_month"`
	// Replicas serve, and share the monthly amounts; SpareReplicas are rented and
	// serve nothing.
	Replicas      int `toml:"replicas"`
	SpareReplicas int `toml:"spare_replicas"`
	// SpotInterrupted is the share of paid spot time that is lost.
	SpotInterrupted number `toml:"spot_interrupted"`
	// Owned says that the fleets stand on machines of one's own: then power counts,
	// and for the fleets alone.
	Owned     bool   `toml:"owned"`
	KWPerGPU  number `toml:"kw_per_gpu"`
	PUE       number `toml:"pue"`
	USDPerKWh number `toml:"usd_per_kwh"`
}

func defaultOverhead() OverheadConfig {
	return OverheadConfig{StorageGB: "200", StorageUSDPerGBMonth: "0", EgressUSDPerGB: "0", BytesPerToken: "250", OpsUSDMonth: "0",
		Replicas: 1, SpotInterrupted: "0", KWPerGPU: "0", PUE: "1", USDPerKWh: "0"}
}

func (c OverheadConfig) validate() error {
	at := func(key string) []string { return []string{"overhead", key} }
	for _, v := range []struct {
		key         string
		is          number
		least, most string
	}{
		{"storage_gb", c.StorageGB, "0", "1000000000"}, {"storage_usd_per_gb_month", c.StorageUSDPerGBMonth, "0", "1000"},
		{"egress_usd_per_gb", c.EgressUSDPerGB, "0", "1000"}, {"bytes_per_token", c.BytesPerToken, "1", "1000000"},
		{"ops_usd_month", c.OpsUSDMonth, "0", "1000000000"}, {"spot_interrupted", c.SpotInterrupted, "0", "0.99"},
		{"kw_per_gpu", c.KWPerGPU, "0", "100"}, {"pue", c.PUE, "1", "10"}, {"usd_per_kwh", c.USDPerKWh, "0", "100"},
	} {
		if _, err := v.is.decimal(v.least, v.most); err != nil {
			return invalidf(at(v.key), "%s", err)
		}
	}
	switch {
	case c.Replicas < 1:
		return invalidf(at("replicas"), "%d is less than 1", c.Replicas)
	case c.SpareReplicas < 0:
		return invalidf(at("spare_replicas"), "%d is negative", c.SpareReplicas)
	case c.Owned && schema.MustDecimal(string(c.KWPerGPU)).Rat().Sign() == 0:
		return invalidf(at("kw_per_gpu"), "is needed for machines of your own: what one GPU draws, with its share of the server")
	case c.Owned && schema.MustDecimal(string(c.USDPerKWh)).Rat().Sign() == 0:
		return invalidf(at("usd_per_kwh"), "is needed for machines of your own")
	}
	return nil
}

// items are those of a valid section.
func (c OverheadConfig) items() cost.Items {
	d := func(n number) schema.Decimal { return schema.MustDecimal(string(n)) }
	return cost.Items{
		StorageGB: d(c.StorageGB), StorageUSDPerGBMonth: d(c.StorageUSDPerGBMonth), EgressUSDPerGB: d(c.EgressUSDPerGB),
		BytesPerToken: d(c.BytesPerToken), OpsUSDMonth: d(c.OpsUSDMonth), Replicas: c.Replicas, SpareReplicas: c.SpareReplicas,
		InterruptedShare: d(c.SpotInterrupted), Owned: c.Owned, KWPerGPU: d(c.KWPerGPU), PUE: d(c.PUE), USDPerKWh: d(c.USDPerKWh),
	}
}
