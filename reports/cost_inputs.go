package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"mtok/schema"
)

// formulaVersion is raised when the same inputs give another cost than before.
const formulaVersion = 1

// MadeOtherwise reports whether any of the token costs was made with other inputs than
// the settings and the catalog of today give.
func MadeOtherwise(costs []schema.DailyTokenCost, catalog *schema.Catalog, s Settings) (bool, error) {
	_, inputs, err := tokenCosts(0, nil, catalog, s)
	if err != nil {
		return false, err
	}
	_, others := madeWith(costs, inputs)
	return len(others) > 0, nil
}

// costInputs writes down all that the token costs of one configuration of a
// workload depend on but the prices. Another row of the catalog is no part of it.
func costInputs(w Workload, t schema.Throughput, s Settings) schema.CostInputs {
	var b strings.Builder
	fmt.Fprintf(&b, "formula %d\nutilization %s\n", formulaVersion, s.Utilization)
	if i := s.Items; s.Itemised() {
		fmt.Fprintf(&b, "storage_gb=%s storage_usd_per_gb_month=%s egress_usd_per_gb=%s bytes_per_token=%s ops_usd_month=%s replicas=%d spare_replicas=%d interrupted=%s\n",
			i.StorageGB, i.StorageUSDPerGBMonth, i.EgressUSDPerGB, i.BytesPerToken, i.OpsUSDMonth, i.Replicas, i.SpareReplicas, i.InterruptedShare)
	} else {
		fmt.Fprintf(&b, "overhead %s\n", s.Overhead)
	}
	e := s.Eligibility
	fmt.Fprintf(&b, "eligible community=%t verified=%t datacenter=%t nvlink=%t min_days=%d min_reliability=%s\n",
		e.Community, e.Verified, e.Datacenter, e.NVLink, e.MinDays, e.MinReliability)
	fmt.Fprintf(&b, "workload %q model=%q in=%s out=%s ttft_ms=%s tpot_ms=%s\n", w.Name, w.Model, w.InputTokens, w.OutputTokens, w.TTFTms, w.TPOTms)
	fmt.Fprintf(&b, "throughput %s class=%s gpus=%d model=%q precision=%q engine=%q version=%q scenario=%q in=%s out=%s tokens_per_second=%s source=%q\n",
		t.ID, t.Class, t.GPUs, t.Model, t.Precision, t.Engine, t.EngineVersion, t.Scenario,
		t.InputTokens, t.OutputTokens, t.TokensPerSecond, t.Source)
	body := b.String()
	sum := sha256.Sum256([]byte(body))
	return schema.CostInputs{Hash: hex.EncodeToString(sum[:]), Body: body}
}
