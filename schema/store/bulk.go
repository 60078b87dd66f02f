package store

import (
	"database/sql"

	"mtok/schema/store/db"
)

// observationColumns are the columns of both bulk writers, in the order of
// observationValues.
const observationColumns = "day slot offer_id source fetch_id origin tier price_text currency usd_gpu_hour " +
	"usd_instance_hour stock stock_points max_days nvlink datacenter reliability_ppm storage_gb note " +
	"excluded_reason quarantine_id"

func observationValues(into []value, o *db.Observation) []value {
	return append(into,
		number(o.Day), number(o.Slot), number(o.OfferID), text(o.Source), number(o.FetchID), text(o.Origin), text(o.Tier),
		text(o.PriceText), text(o.Currency), number(o.UsdGpuHour), number(o.UsdInstanceHour), optionalNumber(o.Stock),
		text(o.StockPoints), optionalNumber(o.MaxDays), optionalNumber(o.Nvlink), optionalNumber(o.Datacenter),
		optionalNumber(o.ReliabilityPpm), optionalNumber(o.StorageGb), text(o.Note), text(o.ExcludedReason),
		optionalNumber(o.QuarantineID),
	)
}

func affected(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
