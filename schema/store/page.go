package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"mtok/schema"
	"mtok/schema/store/db"
)

// maxPage bounds what a stored body may unpack to. It is above every limit of
// fetching and of imports, so that only a damaged or planted body meets it.
const maxPage = 1 << 30

// Page returns an archived body, or ErrNotFound. A body that is not the one that
// the hash names is ErrHash, never returned; one of which only the hash is known is
// ErrNotHeld.
func (s *Store) Page(ctx context.Context, hash string) (schema.Page, error) {
	row, err := s.queries.GetPage(ctx, hash)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	if err != nil {
		return schema.Page{}, s.fault("read page "+hash, err)
	}
	page, err := unpack(row)
	return page, s.fault("read page "+hash, err)
}

// putPage stores a body that is not stored yet.
func putPage(ctx context.Context, t *tx, p schema.Page) error {
	got := make(chan string, 1)
	go func() { got <- hashOf(p.Body) }() // of a large file that takes as long as to pack it
	stored, known, err := pageStored(ctx, t.Queries, p.SHA256)
	var packed []byte
	if err == nil && stored == 0 {
		packed, err = pack(p.Body)
	}
	if hash := <-got; hash != p.SHA256 {
		return fmt.Errorf("%w: page %s has %s", ErrHash, p.SHA256, hash)
	}
	if err != nil || stored > 0 {
		return err
	}
	if known { // by its hash alone
		return t.FillPageBody(ctx, db.FillPageBodyParams{
			Body: packed, MediaType: clean(p.MediaType), Size: int64(len(p.Body)), Sha256: p.SHA256,
		})
	}
	return t.InsertPage(ctx, db.InsertPageParams{
		Sha256: p.SHA256, MediaType: clean(p.MediaType), Size: int64(len(p.Body)), Body: packed,
	})
}

// packWindow is how far back a page is searched for what it repeats. A longer one
// packs a book of thousands of machines no better, and takes 16 MiB a page.
const packWindow = 1 << 20

func pack(body []byte) ([]byte, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(packWindow), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	defer encoder.Close()
	return encoder.EncodeAll(body, nil), nil
}

func unpack(row db.Page) (schema.Page, error) {
	if len(row.Body) == 0 {
		return schema.Page{}, ErrNotHeld
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPage))
	if err != nil {
		return schema.Page{}, err
	}
	defer decoder.Close()
	body, err := decoder.DecodeAll(row.Body, nil)
	if err != nil {
		return schema.Page{}, fmt.Errorf("%w: %w", ErrHash, err)
	}
	if got := hashOf(body); got != row.Sha256 || int64(len(body)) != row.Size {
		return schema.Page{}, fmt.Errorf("%w: the body has %s and %d bytes", ErrHash, got, len(body))
	}
	return schema.Page{SHA256: row.Sha256, MediaType: row.MediaType, Body: body}, nil
}

func hashOf(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}
