package export

import (
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// rowGroupRows bounds what is held in memory: the columns of one row group. A
// reader can skip a group of which it needs nothing.
const rowGroupRows = 128 << 10

// dictionaryBytes is where a column of many different texts stops to pay for a
// dictionary.
const dictionaryBytes = 1 << 20

func newParquetWriter[R any](w io.Writer) rowWriter[R] {
	return parquet.NewGenericWriter[R](w,
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest}),
		// The column index has the bounds of each page, which need not be found twice.
		parquet.DataPageStatistics(false),
		parquet.MaxRowsPerRowGroup(rowGroupRows),
		parquet.DictionaryMaxBytes(dictionaryBytes),
		parquet.CreatedBy("mtok", "", ""),
	)
}
