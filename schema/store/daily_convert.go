package store

import (
	"mtok/schema"
	"mtok/schema/store/db"
)

// msPerSecond converts the unix seconds of DailyPrice.AsOf.
const msPerSecond = 1000

func fromDailyPrice(p schema.DailyPrice) db.DailyPrice {
	return db.DailyPrice{
		Day:           int64(p.Day),
		GpuClass:      string(p.Class),
		Provider:      string(p.Provider),
		Tier:          string(p.Tier),
		Term:          string(p.Term),
		CommitmentMin: int64(p.Commitment.MinDays),
		CommitmentMax: int64(p.Commitment.MaxDays),
		GpuCount:      int64(p.GPUCount),
		Origin:        string(p.Origin),
		N:             int64(p.N),
		Gpus:          int64(p.GPUs),
		UsdMin:        int64(p.Min),
		UsdP10:        int64(p.P10),
		UsdMedian:     int64(p.Median),
		UsdMax:        int64(p.Max),
		MinOfferID:    optionalID(p.MinOfferID),
		AsOf:          p.AsOf * msPerSecond,
	}
}

func toDailyPrice(p db.DailyPrice) schema.DailyPrice {
	return schema.DailyPrice{
		Day:        schema.Day(p.Day),
		Class:      schema.ClassID(p.GpuClass),
		Provider:   schema.ProviderID(p.Provider),
		Tier:       schema.Tier(p.Tier),
		Term:       schema.Term(p.Term),
		Commitment: schema.Commitment{MinDays: int(p.CommitmentMin), MaxDays: int(p.CommitmentMax)},
		GPUCount:   int(p.GpuCount),
		Origin:     schema.Origin(p.Origin),
		N:          int(p.N),
		GPUs:       int(p.Gpus),
		Min:        schema.USD(p.UsdMin),
		P10:        schema.USD(p.UsdP10),
		Median:     schema.USD(p.UsdMedian),
		Max:        schema.USD(p.UsdMax),
		MinOfferID: p.MinOfferID.Int64,
		AsOf:       p.AsOf / msPerSecond,
	}
}

func fromDailyMarket(m schema.DailyMarket) db.DailyMarket {
	return db.DailyMarket{
		Day:              int64(m.Day),
		GpuClass:         string(m.Class),
		Term:             string(m.Term),
		Origin:           string(m.Origin),
		UsdCheapest:      int64(m.Cheapest),
		CheapestProvider: string(m.CheapestProvider),
		CheapestTier:     string(m.CheapestTier),
		UsdMedian:        int64(m.Median),
		Providers:        int64(m.Providers),
	}
}

func toDailyMarket(m db.DailyMarket) schema.DailyMarket {
	return schema.DailyMarket{
		Day:              schema.Day(m.Day),
		Class:            schema.ClassID(m.GpuClass),
		Term:             schema.Term(m.Term),
		Origin:           schema.Origin(m.Origin),
		Cheapest:         schema.USD(m.UsdCheapest),
		CheapestProvider: schema.ProviderID(m.CheapestProvider),
		CheapestTier:     schema.Tier(m.CheapestTier),
		Median:           schema.USD(m.UsdMedian),
		Providers:        int(m.Providers),
	}
}

func fromTokenCost(c schema.DailyTokenCost) db.DailyTokenCost {
	return db.DailyTokenCost{
		Day:         int64(c.Day),
		GpuClass:    string(c.Class),
		Term:        string(c.Term),
		Workload:    c.Workload,
		Statistic:   c.Statistic,
		Inputs:      c.Inputs,
		Origin:      string(c.Origin),
		Provider:    string(c.Provider),
		Tier:        string(c.Tier),
		Gpus:        int64(c.GPUs),
		Replicas:    int64(c.Replicas),
		UsdPerHour:  int64(c.USDPerHour),
		UsdRaw:      int64(c.Raw),
		UsdUtilized: int64(c.Utilized),
		UsdAllIn:    int64(c.AllIn),
	}
}

func toTokenCost(c db.DailyTokenCost) schema.DailyTokenCost {
	return schema.DailyTokenCost{
		Day:        schema.Day(c.Day),
		Class:      schema.ClassID(c.GpuClass),
		Term:       schema.Term(c.Term),
		Workload:   c.Workload,
		Statistic:  c.Statistic,
		Inputs:     c.Inputs,
		Origin:     schema.Origin(c.Origin),
		Provider:   schema.ProviderID(c.Provider),
		Tier:       schema.Tier(c.Tier),
		GPUs:       int(c.Gpus),
		Replicas:   int(c.Replicas),
		USDPerHour: schema.USD(c.UsdPerHour),
		Raw:        schema.USD(c.UsdRaw),
		Utilized:   schema.USD(c.UsdUtilized),
		AllIn:      schema.USD(c.UsdAllIn),
	}
}
