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

func observationValues(args []any, o db.Observation) []any {
	return append(args,
		o.Day, o.Slot, o.OfferID, o.Source, o.FetchID, o.Origin, o.Tier, o.PriceText, o.Currency, o.UsdGpuHour,
		o.UsdInstanceHour, null(o.Stock), o.StockPoints, null(o.MaxDays), null(o.Nvlink), null(o.Datacenter),
		null(o.ReliabilityPpm), null(o.StorageGb), o.Note, o.ExcludedReason, null(o.QuarantineID),
	)
}

func null(n sql.NullInt64) any {
	if !n.Valid {
		return nil
	}
	return n.Int64
}

func affected(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
