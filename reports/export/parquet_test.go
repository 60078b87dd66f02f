package export_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"mtok/reports/export"
	"mtok/schema"
)

// TestParquet reads every table back by its own schema, as a program does that
// knows nothing of ours, and compares it with the CSV.
func TestParquet(t *testing.T) {
	texts := tables(t, export.CSV)
	for name, data := range tables(t, export.Parquet) {
		records, err := csv.NewReader(bytes.NewReader(texts[name])).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		want, got := plainCells(records), readParquet(t, data)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-csv +parquet):\n%s", name, diff)
		}
	}
}

// plainCells takes the apostrophes of CSV off; where a character was replaced
// there, the cell is left out.
func plainCells(records [][]string) [][]string {
	for _, record := range records[1:] {
		for i, cell := range record {
			record[i] = strings.TrimPrefix(cell, "'")
			if strings.ContainsRune(cell, '\uFFFD') {
				record[i] = "replaced"
			}
		}
	}
	return records
}

// readParquet is a table as text: the names, then the rows.
func readParquet(t *testing.T, data []byte) [][]string {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	fields := f.Schema().Fields()
	for _, field := range fields {
		names = append(names, field.Name())
	}
	for _, chunk := range f.Metadata().RowGroups[0].Columns {
		if codec := chunk.MetaData.Codec.String(); codec != "ZSTD" {
			t.Errorf("%v is compressed by %s", chunk.MetaData.PathInSchema, codec)
		}
	}
	out := [][]string{names}
	rows := parquet.NewReader(f)
	for {
		buffer := make([]parquet.Row, 1)
		n, err := rows.ReadRows(buffer)
		if n == 1 {
			var cells []string
			for i, v := range buffer[0] {
				cells = append(cells, cellOf(fields[i], v))
			}
			out = append(out, cells)
		}
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// cellOf is a value as CSV has it, by the logical type of the file.
func cellOf(f parquet.Field, v parquet.Value) string {
	if v.IsNull() {
		return ""
	}
	logical := ""
	if t := f.Type().LogicalType(); t != nil {
		logical = t.String()
	}
	switch logical {
	case "DATE":
		return time.Unix(int64(v.Int32())*86400, 0).UTC().Format(time.DateOnly)
	case "TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS)":
		return time.UnixMilli(v.Int64()).UTC().Format("2006-01-02T15:04:05.000Z07:00")
	case "DECIMAL(18,6)":
		return fmt.Sprintf("%d.%06d", v.Int64()/1_000_000, v.Int64()%1_000_000)
	case "STRING":
		if strings.ContainsAny(v.String(), "\u2028\x1b") {
			return "replaced"
		}
	}
	return v.String()
}

// TestRowsKept: a row, and what it points to, is valid only while it is written.
func TestRowsKept(t *testing.T) {
	for _, f := range []export.Format{export.CSV, export.Parquet} {
		o, days, yes := plain(), int64(0), false
		o.Offer.Attributes = schema.Attributes{MaxDays: &days, NVLink: &yes, Datacenter: &yes, ReliabilityPPM: &days, StorageGB: &days}
		var b bytes.Buffer
		sink := export.Observations(&b, f)
		want := [][]string{}
		for i := range 600 {
			days, yes = int64(i), i%2 == 0
			o.Fetch.PageSHA256, o.QuarantineID, o.QuarantineState = fmt.Sprintf("%064x", i), int64(i), schema.QuarantineHeld
			if err := sink.Write(o); err != nil {
				t.Fatal(err)
			}
			number := fmt.Sprint(i)
			row := []string{number, fmt.Sprint(yes), fmt.Sprint(yes), number, number, number, o.Fetch.PageSHA256}
			if i == 0 {
				row[5] = "" // no quarantine
			}
			want = append(want, row)
		}
		if err := sink.Close(); err != nil {
			t.Fatal(err)
		}
		table, err := [][]string(nil), error(nil)
		if f == export.CSV {
			table, err = csv.NewReader(&b).ReadAll()
		} else {
			table = readParquet(t, b.Bytes())
		}
		if err != nil {
			t.Fatal(err)
		}
		got := [][]string{}
		for _, record := range table[1:] {
			var row []string
			for _, name := range []string{"max_days", "nvlink", "datacenter", "reliability_ppm", "storage_gb", "quarantine_id", "page_sha256"} {
				row = append(row, record[slices.Index(table[0], name)])
			}
			got = append(got, row)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f, diff)
		}
	}
}

// TestEmptyIsNotMissing: the import of a file without a licence says so.
func TestEmptyIsNotMissing(t *testing.T) {
	imported := full()
	imported.ImportedFrom.Licence = ""
	type licence struct {
		Licence    *string `parquet:"licence,optional"`
		File       *string `parquet:"import_file,optional"`
		ImportedAt *int64  `parquet:"imported_at,optional"`
	}
	b := written(t, func(w *bytes.Buffer) export.Sink[schema.ExportedObservation] {
		return export.Observations(w, export.Parquet)
	}, plain(), imported)
	got, err := parquet.Read[licence](bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	want := []licence{{}, {ptr(""), ptr("catalog.csv"), ptr(imported.ImportedFrom.At.UnixMilli())}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestParquetManyGroups: more rows than one group holds, in order.
func TestParquetManyGroups(t *testing.T) {
	const rows = 140_000
	var b bytes.Buffer
	sink := export.Observations(&b, export.Parquet)
	for i := range rows {
		o := plain()
		o.Offer.SKU, o.USDPerGPUHour = fmt.Sprintf("machine %d", i%5_000), schema.USD(i+1)
		if err := sink.Write(o); err != nil {
			t.Fatal(err)
		}
	}
	if err := sink.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if f.NumRows() != rows || len(f.RowGroups()) < 2 {
		t.Fatalf("%d rows in %d groups", f.NumRows(), len(f.RowGroups()))
	}
	type price struct {
		SKU string `parquet:"sku"`
		USD int64  `parquet:"usd_gpu_hour"`
	}
	got, err := parquet.Read[price](bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range got {
		if want := (price{fmt.Sprintf("machine %d", i%5_000), int64(i + 1)}); p != want {
			t.Fatalf("row %d is %v, want %v", i, p, want)
		}
	}
}
