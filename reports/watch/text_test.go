package watch

import (
	"flag"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/schema"
)

var update = flag.Bool("update", false, "write the golden files anew")

func day(t *testing.T, text string) schema.Day {
	t.Helper()
	d, err := schema.ParseDay(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// theCut is the one of RunPod's secure H100 SXM of 2026-07-07, with the throughput of
// the catalog and the API prices of 2026-08-01.
func theCut(t *testing.T) MoveText {
	return MoveText{
		Word: "CUT", Seller: "RunPod secure", Class: "h100-sxm-80gb", Term: schema.TermOnDemand, From: 3_290_000, To: 2_990_000,
		Day: day(t, "2026-07-08"), Since: day(t, "2026-07-07"), Held: 49, How: "Same listing both nights, unit unchanged.",
		StockGPUs: 2, Lowest: "RunPod community", LowestPrice: 2_690_000, OtherTier: true,
		Effect: &Effect{Model: "Llama-3.3-70B", Precision: "FP8", GPUs: 2, FlatFrom: 413_713, FlatTo: 375_989, BusyFrom: 636_482, BusyTo: 578_444,
			Busy: "65 %", APIIn: 130_000, APIOut: 400_000, EvenFrom: big.NewRat(7806, 10_000), EvenTo: big.NewRat(7094, 10_000)},
		Fleets: []string{fleetLine(schema.Fleet{Name: "prod", GPUs: 8, USDPerGPUHour: 2_490_000, FixedTo: day(t, "2027-03-31"), NoticeDays: 30}, 2_990_000)},
		Rule:   "list-price-any", Proof: "mtok explain h100-sxm-80gb --day 2026-07-08", Event: "7f3a9c0d1e2f",
		Silence: "mtok alerts silence list-price-any --series runpod/h100-sxm-80gb/on_demand/secure", Sources: []string{"runpod/graphql"},
	}
}

func TestMoveText(t *testing.T) {
	bare := MoveText{
		Word: "MARKET UP", Seller: "Vast.ai", Class: "rtx-pro-6000-96gb", Term: schema.TermOnDemand, From: 1_000_000, To: 1_200_000,
		Since: day(t, "2026-07-07"), How: "The median of machines.", Rule: "market-median", Event: "aa", Silence: "mtok alerts silence market-median",
	}
	hostile := theCut(t)
	hostile.Seller, hostile.Class, hostile.Effect = "x\n[mtok] CUT nobody", "unmatched:a\r\nb", nil
	hostile.Also, hostile.Sources = []string{"8x 2.79 -> 2.59"}, []string{"runpod/graphql", "runpod/rest-v2"}
	hostile.Commitment, hostile.Term = schema.Commitment{MinDays: 14, MaxDays: 365}, schema.TermReserved
	for name, text := range map[string]MoveText{"cut": theCut(t), "bare": bare, "hostile": hostile} {
		t.Run(name, func(t *testing.T) {
			lines := text.Lines()
			for _, line := range lines {
				if strings.ContainsAny(line, "\r\n") {
					t.Errorf("a line of a page made a line: %q", line)
				}
			}
			got, path := strings.Join(lines, "\n")+"\n", filepath.Join("testdata", name+".txt")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
