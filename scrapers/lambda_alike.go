package scrapers

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"mtok/schema"
)

// lambdaSizes are the vCPUs of a plan by the tab that lists it.
type lambdaSizes map[string][]lambdaSize

type lambdaSize struct{ gpus, vcpus int }

// add holds the tab of a row against the row's own size: of one plan, more GPUs
// come with more vCPUs. Else the tabs show each other's panels, and a price per
// GPU would go to another node (testdata/lambda/tabs-exchanged).
func (s lambdaSizes) add(row lambdaRow) error {
	tab := lambdaTabPattern.FindStringSubmatch(row.tab)
	vcpus, err := strconv.Atoi(row.cells["vCPUs"])
	if tab == nil || err != nil {
		return nil // a cluster, or a size that is not printed
	}
	gpus, err := count("tab", tab[1])
	if err != nil {
		return err
	}
	plan := row.plan + "/" + row.cells["VRAM/GPU"]
	for _, other := range s[plan] {
		if gpus > other.gpus && vcpus <= other.vcpus || gpus < other.gpus && vcpus >= other.vcpus {
			return layoutf("%s has %d vCPUs in tab %dx and %d in tab %dx", clip(plan), vcpus, gpus, other.vcpus, other.gpus)
		}
	}
	s[plan] = append(s[plan], lambdaSize{gpus, vcpus})
	return nil
}

// lambdaSame names what is sold in several sizes.
func lambdaSame(o schema.Offer) string { return fmt.Sprint(o.SKU, o.Term, o.Commitment) }

// lambdaChip is the chip in a plan's name: "H100" in "NVIDIA HGX H100".
var lambdaChip = regexp.MustCompile(`\b[A-Z]{1,2}\d{2,3}\b`)

// lambdaAlike holds the prices of the page against each other: of one plan, those
// of its node sizes differ by a tenth; and a cluster costs not far from the same
// chip in the other section, 1.3 to 1.5 times as much on 2026-08-22. A section
// that lies further off is in another unit
// (testdata/lambda/clusters-in-another-unit).
func lambdaAlike(list *offerList) {
	list.apart(lambdaSame)
	list.dearerInBulk(func(o schema.Offer) string {
		if o.Tier != schema.TierCluster {
			return ""
		}
		return lambdaSame(o)
	})
	reason := lambdaClusterUnit(list.offers)
	if reason == "" {
		return
	}
	kept := list.offers[:0]
	for _, o := range list.offers {
		if o.Tier != schema.TierCluster {
			kept = append(kept, o)
			continue
		}
		list.unread(o.SKU, fmt.Sprintf("%s, %d GPUs", o.GPURaw, o.GPUCount), o.PriceText, ruleApart, reason)
	}
	list.offers = kept
}

// lambdaClusterUnit says why the clusters' prices are in another unit, empty when
// they are not.
func lambdaClusterUnit(offers []schema.Offer) string {
	for _, cluster := range offers {
		chip := lambdaChip.FindString(cluster.GPURaw)
		if cluster.Tier != schema.TierCluster || chip == "" {
			continue
		}
		for _, instance := range offers {
			if instance.Tier == schema.TierCluster || !strings.Contains(instance.GPURaw, chip+" SXM") {
				continue
			}
			ratio := new(big.Rat).Quo(perGPU(cluster), perGPU(instance))
			if ratio.Cmp(big.NewRat(2, 5)) < 0 || ratio.Cmp(big.NewRat(5, 2)) > 0 {
				return fmt.Sprintf("%s costs %s in a cluster and %s as an instance", chip, cluster.PriceText, instance.PriceText)
			}
		}
	}
	return ""
}
