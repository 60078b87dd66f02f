package scrapers

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"mtok/schema"
)

// vastBook is one answer: {"offers":[...]}.
type vastBook struct {
	asks   []vastAsk
	others int // elements that are no objects
}

func readVastBook(body []byte) (vastBook, error) {
	var answer struct {
		Success field    `json:"success"`
		Error   field    `json:"error"`
		Message field    `json:"msg"`
		Offers  vastAsks `json:"offers"`
	}
	if err := decodeJSON(body, &answer); err != nil {
		return vastBook{}, err
	}
	if answer.Success.text == "false" || answer.Error.given() {
		return vastBook{}, layoutf("the market answers an error: %s %s", clip(answer.Error.text), clip(answer.Message.text))
	}
	if answer.Offers.times != 1 || !answer.Offers.isArray {
		return vastBook{}, layoutf("no single array of offers")
	}
	return answer.Offers.vastBook, nil
}

// vastAsks decodes a book of thousands of asks without holding it twice.
type vastAsks struct {
	vastBook
	isArray bool
	times   int
}

// UnmarshalJSONFrom takes any value, and the objects of an array.
func (a *vastAsks) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	a.times++
	a.isArray = dec.PeekKind() == '['
	if !a.isArray {
		return dec.SkipValue()
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != ']' {
		if dec.PeekKind() != '{' {
			a.others++
			if err := dec.SkipValue(); err != nil {
				return err
			}
			continue
		}
		a.asks = append(a.asks, vastAsk{})
		if err := a.asks[len(a.asks)-1].UnmarshalJSONFrom(dec); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

// vastSlice is an ask that was read.
type vastSlice struct {
	gpus, machine int64
	name          string

	sku   string // also of an ask that can't be read, where it names its machine
	offer schema.Offer
	bid   schema.Decimal
	bidAs string // the bid as printed
	gone  bool
	perf  int64 // per GPU in millionths, 0 where not published
	mute  bool  // cpu_cores is null: the machine does not report itself
}

// label is what a reject says that it is of.
func (s vastSlice) label() string {
	return fmt.Sprintf("%dx %s, machine %d", s.gpus, clip(s.name), s.machine)
}

// read makes a slice of the ask, for a request that asked for the model of key.
// An error is a fault of this ask alone.
func (a *vastAsk) read(key string) (vastSlice, error) {
	var r rowReader
	machine, _ := r.whole("machine_id", a.Machine)
	gpus, _ := r.whole("num_gpus", a.GPUs)
	name := r.str("gpu_name", a.Name)
	s := vastSlice{gpus: gpus, name: name, machine: machine}
	switch {
	case r.err != nil:
	case machine == 0 || name == "":
		r.fail(ruleField, "machine_id or gpu_name is missing")
	case gpus < 1 || gpus > maxVastGPUs:
		r.fail(ruleCount, "num_gpus is %s", clip(a.GPUs.text))
	case vastKey(name) != key:
		r.fail("other_model", "the request asked for %s", key)
	}
	if machine != 0 && name != "" {
		s.sku = strconv.FormatInt(machine, 10) + "/" + name
	}
	price := a.readPrice(&r)
	bid := r.number("min_bid", a.MinBid)
	s.perf = a.readPerf(&r, gpus)
	s.mute = a.CPUCores.times > 0 && !a.CPUCores.given()
	s.gone = a.readGone(&r)
	attributes := a.readAttributes(&r)
	vram := a.readMemory(&r, gpus)
	if disk := attributes.StorageGB; disk != nil && *disk != vastStorageGB && *disk != vastOldStorageGB {
		// The rate of the disk stands apart from the price: a price in another
		// unit includes another disk (testdata/vast/price-of-other-disk).
		r.fail("price_parts", "the price includes %d GB of disk, %d were asked for", *disk, vastStorageGB)
	}
	if r.err != nil {
		return s, r.err
	}
	id := strconv.FormatInt(machine, 10)
	s.bid, s.bidAs = bid, a.MinBid.text
	s.offer = schema.Offer{
		OfferKey: schema.OfferKey{
			Provider: "vast", SKU: s.sku, GPUCount: int(gpus), Term: schema.TermOnDemand,
		},
		GPURaw:     name,
		VRAMMiB:    vram,
		Basis:      schema.BasisInstance,
		Unit:       schema.UnitInstanceHour,
		GroupKey:   id,
		PriceText:  a.Total.text,
		Currency:   "USD",
		Amount:     price,
		Stock:      schema.StockAvailable,
		Attributes: attributes,
	}
	return s, nil
}

// vastDearDisk is more than any disk of the size that is asked for costs, in
// 1e-9 USD per hour: 0.10, where the dearest seen was 0.006.
const vastDearDisk = 100_000_000

// maxVastGPUs bounds what a single machine can hold.
const maxVastGPUs = 128

// readPrice reads dph_total and holds it against its parts: on all 53 asks of
// 2026 that were looked at, dph_base and the disk make the total to the last
// digit. A total with something else in it is not understood.
func (a *vastAsk) readPrice(r *rowReader) schema.Decimal {
	total := r.number("dph_total", a.Total)
	base := r.number("dph_base", a.Base)
	storage := r.number("storage_total_cost", a.Storage)
	if r.err != nil {
		return total
	}
	sum, ok := scaled(total, 9)
	if !ok || sum == 0 {
		r.fail(ruleField, "dph_total is %s", cmp.Or(clip(a.Total.text), "missing"))
		return total
	}
	slack := sum/1_000_000 + 2 // the sum is exact but for the float's last digit
	low, ok := scaled(base, 9)
	disk, okDisk := scaled(storage, 9)
	switch {
	case !base.IsSet():
	case !storage.IsSet() && sum > low+low/10+vastDearDisk:
		r.fail("price_parts", "dph_total %s is far above dph_base %s", clip(a.Total.text), clip(a.Base.text))
	case !ok || !okDisk || low > sum+slack:
		r.fail("price_parts", "dph_total %s is below dph_base %s", clip(a.Total.text), clip(a.Base.text))
	case storage.IsSet() && (low+disk > sum+slack || low+disk < sum-slack):
		r.fail("price_parts", "dph_total %s is not dph_base %s and disk %s", clip(a.Total.text), clip(a.Base.text), clip(a.Storage.text))
	}
	return total
}

// readMemory returns the MiB of one GPU; 0 where not published.
func (a *vastAsk) readMemory(r *rowReader, gpus int64) int64 {
	one, _ := r.whole("gpu_ram", a.RAM)
	all, given := r.whole("gpu_total_ram", a.TotalRAM)
	if given && one > 0 && all != one*gpus {
		r.fail(ruleCount, "%d GPUs of %d MiB do not make %d MiB", gpus, one, all)
	}
	return one
}

// readGone reports an ask that can't be rented at its price, although only
// rentable ones were asked for.
func (a *vastAsk) readGone(r *rowReader) bool {
	rentable := r.flag("rentable", a.Rentable)
	rented := r.flag("rented", a.Rented)
	isBid := r.flag("is_bid", a.IsBid)
	return rentable != nil && !*rentable || rented != nil && *rented || isBid != nil && *isBid
}

func (a *vastAsk) readPerf(r *rowReader, gpus int64) int64 {
	perf, ok := scaled(r.number("dlperf", a.Perf), 6)
	if !ok || gpus < 1 {
		return 0
	}
	return perf / gpus
}
