package scrapers

import (
	"fmt"
	"math/big"
	"strings"

	"mtok/schema"
)

// doubt says why the prices of a row can't be believed, empty when they can.
// Spot is never dearer than on demand: then the columns are exchanged. The names
// of some nodes tell their size. Of the others the inference price does, which is
// that of one GPU: on 2026-08-22 it was exactly the on-demand price by the count
// on all nine rows that have both (testdata/coreweave/inference-contradicts).
func (o coreweaveOffer) doubt(amounts [2]schema.Decimal, gpus int) string {
	for _, node := range coreweaveNamed {
		if strings.Contains(o.name, node.word) && gpus != node.gpus {
			return fmt.Sprintf("%d GPUs, where %q is a node of %d", gpus, o.name, node.gpus)
		} else if strings.Contains(o.name, node.word) {
			return o.spotDoubt(amounts)
		}
	}
	if reason := o.spotDoubt(amounts); reason != "" {
		return reason
	}
	onDemand := amounts[0]
	one, err := priceCell(o.inference)
	if err != nil || !one.IsSet() || !onDemand.IsSet() {
		return ""
	}
	if each := new(big.Rat).Quo(onDemand.Rat(), big.NewRat(int64(gpus), 1)); farApart(each, one.Rat()) {
		return fmt.Sprintf("%s for %d GPUs beside an inference price of %s for one", o.prices[0].text, gpus, o.inference)
	}
	return ""
}

// coreweaveNamed are the words of a name that tell the size of the node.
var coreweaveNamed = []struct {
	word string
	gpus int
}{{"HGX", 8}, {"NVL72", 4}}

func (o coreweaveOffer) spotDoubt(amounts [2]schema.Decimal) string {
	if onDemand, spot := amounts[0], amounts[1]; onDemand.IsSet() && spot.IsSet() && spot.Rat().Cmp(onDemand.Rat()) > 0 {
		return "spot is dearer than on demand"
	}
	return ""
}

// coreweaveAlike holds the regions against each other: a product is the same
// node everywhere, at an on-demand price that differs little. What is in doubt
// in one region is so in all.
func coreweaveAlike(list *offerList) {
	counts, doubted := map[string]int{}, map[string]string{}
	for _, r := range list.skip {
		if r.Rule == ruleApart {
			doubted[r.SKU] = r.Reason
		}
	}
	for _, o := range list.offers {
		if n, met := counts[o.SKU]; met && n != o.GPUCount {
			doubted[o.SKU] = fmt.Sprintf("%d GPUs in one region, %d in another", n, o.GPUCount)
		}
		counts[o.SKU] = o.GPUCount
	}
	kept := list.offers[:0]
	for _, o := range list.offers {
		if reason, ok := doubted[o.SKU]; ok {
			list.unread(o.SKU, o.GPURaw+", "+o.Region, o.PriceText, ruleApart, reason)
			continue
		}
		kept = append(kept, o)
	}
	list.offers = kept
	list.apart(func(o schema.Offer) string {
		if o.Term != schema.TermOnDemand {
			return "" // spot prices follow each region's demand
		}
		return o.SKU
	})
}
