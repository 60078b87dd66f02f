package store

import (
	"context"

	"mtok/schema/store/db"
)

// The columns of an offer in the SQL that is read row by row, in this order and from
// the first column on.
const (
	rawOfferID = iota
	rawOfferProvider
	rawOfferSKU
	rawOfferGPUCount
	rawOfferRegion
	rawOfferTerm
	rawOfferCommitmentMin
	rawOfferCommitmentMax
	rawOfferTier
	rawOfferGPURaw
	rawOfferFormRaw
	rawOfferVRAM
	rawOfferBasis
	rawOfferUnit
	rawOfferGroupKey
	rawOfferPerGPU
	rawOfferMaxGPUs
	rawOfferClass
	rawOfferWidth
)

func (r rawRow) offer() db.Offer {
	return db.Offer{
		ID: r.integer(rawOfferID), Provider: r.text(rawOfferProvider), Sku: r.text(rawOfferSKU),
		GpuCount: r.integer(rawOfferGPUCount), Region: r.text(rawOfferRegion), Term: r.text(rawOfferTerm),
		CommitmentMin: r.integer(rawOfferCommitmentMin), CommitmentMax: r.integer(rawOfferCommitmentMax),
		Tier: r.text(rawOfferTier), GpuRaw: r.text(rawOfferGPURaw), FormRaw: r.text(rawOfferFormRaw),
		VramMib: r.integer(rawOfferVRAM), Basis: r.text(rawOfferBasis), Unit: r.text(rawOfferUnit),
		GroupKey: r.text(rawOfferGroupKey), PerGpu: r.integer(rawOfferPerGPU), MaxGpus: r.integer(rawOfferMaxGPUs),
		GpuClass: r.text(rawOfferClass),
	}
}

// each is eachRow in the transaction.
func (t *tx) each(ctx context.Context, width int, do func(rawRow) error, query string, args ...any) error {
	return eachRow(ctx, t.conn, width, do, query, args...)
}

// each is eachRow in the transaction that the store is of, else on a connection that
// reads.
func (s *Store) each(ctx context.Context, width int, do func(rawRow) error, query string, args ...any) error {
	if s.within != nil {
		return s.within.each(ctx, width, do, query, args...)
	}
	conn, err := s.read.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return eachRow(ctx, conn, width, do, query, args...)
}
