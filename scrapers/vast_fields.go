package scrapers

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// vastAsk holds the fields of an ask that we read. gpu_frac, the share of the
// machine, is no divisor of the price; is_vm_deverified concerns renting the
// machine as a virtual one and says nothing about the container that is priced.
type vastAsk struct {
	Machine      field
	Name         field
	GPUs         field
	RAM          field // MiB of one GPU
	TotalRAM     field // MiB of the ask
	Total        field // USD per hour of the ask, disk included
	Base         field
	Storage      field // USD per hour
	StorageRate  field // USD per GB and month
	MinBid       field
	Verification field
	Hosting      field // 1 is a datacenter
	Duration     field // seconds that the machine is still offered
	Reliability  field
	Reliability2 field
	NVLink       field // GB/s, 0 without
	CPUCores     field
	Perf         field // of all GPUs of the ask
	Rentable     field
	Rented       field
	IsBid        field
}

// UnmarshalJSONFrom takes an object. It is by hand because four of five fields
// are not read, and the library looks each of them up twice.
func (a *vastAsk) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if f := a.field(name); f != nil {
			err = f.UnmarshalJSONFrom(dec)
		} else {
			err = dec.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

// field is the one of a quoted name, nil for a name that is not read.
func (a *vastAsk) field(quoted jsontext.Value) *field {
	if bytes.IndexByte(quoted, '\\') >= 0 {
		plain, err := jsontext.AppendUnquote(nil, quoted)
		if err != nil {
			return nil
		}
		return a.named(plain)
	}
	return a.named(quoted[1 : len(quoted)-1])
}

func (a *vastAsk) named(name []byte) *field {
	switch string(name) {
	case "machine_id":
		return &a.Machine
	case "gpu_name":
		return &a.Name
	case "num_gpus":
		return &a.GPUs
	case "gpu_ram":
		return &a.RAM
	case "gpu_total_ram":
		return &a.TotalRAM
	case "dph_total":
		return &a.Total
	case "dph_base":
		return &a.Base
	case "storage_total_cost":
		return &a.Storage
	case "storage_cost":
		return &a.StorageRate
	case "min_bid":
		return &a.MinBid
	case "verification":
		return &a.Verification
	case "hosting_type":
		return &a.Hosting
	case "duration":
		return &a.Duration
	case "reliability":
		return &a.Reliability
	case "reliability2":
		return &a.Reliability2
	case "bw_nvlink":
		return &a.NVLink
	case "cpu_cores":
		return &a.CPUCores
	case "dlperf":
		return &a.Perf
	case "rentable":
		return &a.Rentable
	case "rented":
		return &a.Rented
	case "is_bid":
		return &a.IsBid
	}
	return nil
}
