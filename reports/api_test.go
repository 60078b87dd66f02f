package reports_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/reports"
	"mtok/reports/cost"
	"mtok/reports/render"
	"mtok/schema"
)

const llama = "meta-llama/llama-3.3-70b-instruct"

// listedAt is a listed price in USD per million tokens.
func listedAt(provider schema.ProviderID, model, endpoint, precision, in, out string) schema.TokenObservation {
	o := schema.TokenObservation{Day: tonight - 21, Origin: schema.OriginRecorded, FetchID: 9, PageSHA256: strings.Repeat("cd", 32)}
	o.TokenKey = schema.TokenKey{Provider: provider, Source: "models-api", Model: model, Endpoint: endpoint, Precision: precision}
	if endpoint != "" {
		o.Source = "endpoints-api"
	}
	o.In, o.Out, o.PriceText = usd(in), usd(out), "as listed"
	return o
}

func openRouter(prices ...schema.TokenObservation) []reports.APIList {
	return []reports.APIList{{Provider: schema.ProviderOpenRouter, Day: tonight - 21, Prices: prices}}
}

func llamaList() schema.TokenObservation {
	return listedAt(schema.ProviderOpenRouter, llama, "", "", "0.13", "0.40")
}

// apiNight has the offers of 2026-08-22 that chat-70b and rag-70b run on.
func apiNight() reports.Night {
	return reports.Night{AsOf: tonight, Observations: []schema.Observation{
		offer(30, "runpod", h100, 1, "3.29", perGPU(8), tier("secure")),
		offer(31, "runpod", h100, 1, "2.69", perGPU(8), tier(schema.TierCommunity)),
		offer(32, "runpod", b200, 1, "6.79", perGPU(8), tier("secure")),
		offer(21, "crusoe", h200, 1, "4.29", perGPU(0)),
		offer(8, "lambda", gh200, 1, "2.29"),
	}}
}

func apiSettings() reports.Settings {
	s := reports.DefaultSettings()
	on := []reports.Configuration{{Class: h100, GPUs: 2, Precision: "FP8"}, {Class: h200, GPUs: 1, Precision: "FP8"},
		{Class: gh200, GPUs: 1, Precision: "FP8"}, {Class: b200, GPUs: 1, Precision: "FP4"}}
	s.Workloads = []reports.Workload{
		{Name: "chat-70b", Model: "llama-3.3-70b", InputTokens: schema.MustDecimal("1000"), OutputTokens: schema.MustDecimal("1000"), Configurations: on},
		{Name: "rag-70b", Model: "llama-3.3-70b", InputTokens: schema.MustDecimal("5000"), OutputTokens: schema.MustDecimal("500"), Configurations: on},
	}
	return s
}

func embedded(t *testing.T) *schema.Catalog {
	t.Helper()
	catalog, err := schema.LoadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	return catalog
}

func prod() schema.Fleet {
	return schema.Fleet{Name: "prod", Class: h100, GPUs: 8, USDPerGPUHour: usd("2.49"), Model: "llama-3.3-70b",
		OutputTokensPerMonth: 4_200_000_000, HoursOn: schema.MustDecimal("24")}
}

func says(t *testing.T, doc reports.Document, want ...string) {
	t.Helper()
	text := strings.Join(doc.After, "\n")
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("report lacks %q:\n%s", w, text)
		}
	}
}

// TestAPI holds the figures of the first screens: 78 %, 120 % never, 51 %.
func TestAPI(t *testing.T) {
	month, err := cost.ParseMonth("2026-11")
	if err != nil {
		t.Fatal(err)
	}
	settings := apiSettings()
	settings.HourlyTokens = []int64{12_000_000, 30_000_000, 50_000_000, 90_000_000}
	doc := reports.API(apiNight(), openRouter(llamaList()), schema.Contracts{Fleets: []schema.Fleet{prod()}}, embedded(t), settings, reports.Filter{Month: month})
	golden(t, "api.txt", doc, render.Table)
	golden(t, "api.json", doc, render.JSON)
	want := []string{"0.7806", "0.7729", "0.6874", "0.5143", "1.1973", "1.2385", "0.8859", "0.7604"}
	if diff := cmp.Diff(want, column(t, doc, "break_even_rent")); diff != "" {
		t.Errorf("break-even (-want +got):\n%s", diff)
	}
	says(t, doc, "298 M output (+298 M input) tokens/day", "full load is 382 M/day", "STALE 21 d", "78 % becomes 74 %",
		`Fleet "prod": 8 GPUs cost $14,342 a month (2026-11); 4.2 G output and as much input by API $2,226`,
		"no cache price listed for "+llama+", so none assumed", "rag-70b on 2x h100-sxm-80gb never breaks even")
}

func endpoints() []schema.TokenObservation {
	down := listedAt(schema.ProviderOpenRouter, llama, "cheapo/fp8", "fp8", "0.01", "0.02")
	down.Excluded = "out of service, status -2"
	long := listedAt(schema.ProviderOpenRouter, llama, "DeepInfra", "fp8", "0.20", "0.64")
	long.MinPromptTokens = 4000
	return []schema.TokenObservation{
		llamaList(), down, long,
		listedAt(schema.ProviderOpenRouter, llama, "DeepInfra", "fp8", "0.10", "0.32"),
		listedAt(schema.ProviderOpenRouter, llama, "nebius/fp8", "fp8", "0.13", "0.40"),
		listedAt(schema.ProviderOpenRouter, llama, "Together", "fp8", "0.88", "0.88"),
		listedAt(schema.ProviderOpenRouter, llama, "novita/fp4", "fp4", "0.05", "0.20"),
		listedAt(schema.ProviderOpenRouter, llama+":free", "Free", "fp8", "0.001", "0.001"),
	}
}

// TestAPIEndpoints compares like with like: endpoints of the precision alone, of
// the tier that the prompt is in, and those that answer.
func TestAPIEndpoints(t *testing.T) {
	doc := reports.API(apiNight(), openRouter(endpoints()...), schema.Contracts{}, embedded(t), apiSettings(), reports.Filter{Class: h100})
	if diff := cmp.Diff([]string{"list", "cheapest", "median", "list", "cheapest", "median"}, column(t, doc, "api")); diff != "" {
		t.Errorf("prices (-want +got):\n%s", diff)
	}
	// chat: DeepInfra 0.42, nebius 0.53, Together 1.76; rag above 4,000 tokens: nebius
	// 1.70, DeepInfra 2.64, Together 9.68.
	if diff := cmp.Diff([]string{"0.53", "0.42", "0.53", "1.70", "1.70", "2.64"}, column(t, doc, "api_usd_per_mtok")); diff != "" {
		t.Errorf("same mix (-want +got):\n%s", diff)
	}
	doc = reports.API(apiNight(), openRouter(endpoints()...), schema.Contracts{}, embedded(t), apiSettings(), reports.Filter{Class: b200, Workload: "chat-70b"})
	if got := column(t, doc, "api_endpoint"); !cmp.Equal(got, []string{"", "novita/fp4"}) {
		t.Errorf("beside FP4: %v", got)
	}
	only := openRouter(listedAt(schema.ProviderOpenRouter, llama, "DeepInfra", "bf16", "0.10", "0.32"))
	doc = reports.API(apiNight(), only, schema.Contracts{}, embedded(t), apiSettings(), reports.Filter{Class: h100, Workload: "chat-70b"})
	if got := column(t, doc, "note"); !cmp.Equal(got, []string{"BF16 there, FP8 here"}) {
		t.Errorf("another precision: %v", got)
	}
}

func TestAPIChoice(t *testing.T) {
	for _, c := range []struct {
		name   string
		choice reports.APIChoice
		price  string // "" for the list's
		says   string
	}{
		{"fee", reports.APIChoice{Fee: schema.MustDecimal("0.055")}, "0.55915", ""},
		{"host", reports.APIChoice{Workload: "chat-70b", Endpoint: "deepinfra"}, "0.42", ""},
		{"host by its tag", reports.APIChoice{Endpoint: "Nebius", Precision: "FP8"}, "0.53", ""},
		{"other precision", reports.APIChoice{Endpoint: "novita"}, "0.25", ""},
		{"unknown host", reports.APIChoice{Endpoint: "DeepInfro"}, "", `no endpoint "DeepInfro"`},
		{"no such precision", reports.APIChoice{Endpoint: "deepinfra", Precision: "fp4"}, "", `no endpoint "deepinfra fp4"`},
		{"unknown model", reports.APIChoice{Workload: "chat-70b", Model: "x/y"}, "", "no list has a price of x/y"},
		{"of another workload", reports.APIChoice{Workload: "other", Endpoint: "DeepInfra"}, "", ""},
		{"of another model", reports.APIChoice{Model: "openai/gpt-oss-120b"}, "", ""},
	} {
		settings := apiSettings()
		settings.APIs = []reports.APIChoice{c.choice}
		doc := reports.API(apiNight(), openRouter(endpoints()...), schema.Contracts{}, embedded(t), settings, reports.Filter{Class: h100, Workload: "chat-70b"})
		statistic, want := "named", c.price
		if want == "" {
			statistic, want = "list", "0.53"
		}
		if got := column(t, doc, "api")[0] + " " + column(t, doc, "api_usd_per_mtok")[0]; got != statistic+" "+want {
			t.Errorf("%s: %s, want %s %s", c.name, got, statistic, want)
		}
		says(t, doc, c.says)
	}
}

// TestAPINodes: what can be rented in nodes alone is rented whole, in the break-even
// a day and in the spill-over.
func TestAPINodes(t *testing.T) {
	n := reports.Night{AsOf: tonight, Observations: []schema.Observation{offer(40, "coreweave", b200, 8, "68.80")}}
	settings := apiSettings()
	settings.Workloads = settings.Workloads[:1]
	settings.HourlyTokens = []int64{100_000_000, 300_000_000, 600_000_000}
	doc := reports.API(n, openRouter(llamaList()), schema.Contracts{}, embedded(t), settings, reports.Filter{})
	// 8 x 6,920 tok/s are 4.78 G a day; 68.80 x 24 / 0.53 = 3.115 G are its rent's worth
	says(t, doc, "chat-70b on 8x b200-sxm-180gb (8 replicas) breaks even at 3.1 G output (+3.1 G input) tokens/day", "full load is 4.8 G/day",
		// one node serves 199.296 M an hour: 501.408 M are left
		"cheapest: 8 GPUs and 50 % of the tokens by API: rent $206.40 + API $265.75 = $472.15",
		"none: 32 GPUs and 0 % of the tokens by API: rent $825.60 + API $0.00 = $825.60")
}

// TestAPISpillOverAtOneAPI: a dear API beside the list makes no machine earn its rent.
func TestAPISpillOverAtOneAPI(t *testing.T) {
	settings := apiSettings()
	settings.HourlyTokens = []int64{12_000_000, 30_000_000, 50_000_000, 90_000_000}
	dear := openRouter(llamaList(), listedAt(schema.ProviderOpenRouter, llama, "a", "fp4", "8", "8"), listedAt(schema.ProviderOpenRouter, llama, "b", "fp4", "9", "9"))
	says(t, reports.API(apiNight(), dear, schema.Contracts{}, embedded(t), settings, reports.Filter{}),
		"chat-70b on 1x b200-sxm-180gb FP4, the rest by API (openrouter list), rent only:", "rent $54.32 + API $21.39 = $75.71")
}

// TestAPINotesWhatDiffers: lengths that were not measured, a throughput against
// physics, and another model by API are said in the row.
func TestAPINotesWhatDiffers(t *testing.T) {
	settings := apiSettings()
	settings.Workloads = settings.Workloads[:1]
	settings.Workloads[0].InputTokens = schema.MustDecimal("1200")
	settings.Workloads[0].Configurations = settings.Workloads[0].Configurations[:1]
	settings.APIs = []reports.APIChoice{{Workload: "chat-70b", Model: "openai/gpt-oss-120b"}}
	catalog, err := embedded(t).With(schema.UserRows{Throughputs: []schema.Throughput{{ID: "mine", Class: h100, GPUs: 2, Model: "llama-3.3-70b",
		Precision: "FP8", Engine: "vLLM", Scenario: schema.ScenarioMaxLoad, InputTokens: schema.MustDecimal("1000"), OutputTokens: schema.MustDecimal("1000"),
		TokensPerSecond: schema.MustDecimal("42000"), Source: "us", Date: "2026-08-20", AllowImplausible: true}}}, "config.toml")
	if err != nil {
		t.Fatal(err)
	}
	lists := openRouter(llamaList(), listedAt(schema.ProviderOpenRouter, "openai/gpt-oss-120b", "", "", "0.037", "0.17"))
	got := column(t, reports.API(apiNight(), lists, schema.Contracts{}, catalog, settings, reports.Filter{}), "note")
	want := []string{"precision there unknown, FP8 here; other model: openai/gpt-oss-120b; measured at 1000/1000, API at 1200/1000; the throughput breaks the physical bound, kept by allow_implausible"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("note (-want +got):\n%s", diff)
	}
}

// TestAPINearNever: 100 % is not printed of what is just above or below it.
func TestAPINearNever(t *testing.T) {
	for out, want := range map[string]string{"0.30": "never (100.3 %)", "0.302": "99.8 %"} { // 0.413712 over 0.4125 and 0.4145
		var text strings.Builder
		doc := reports.API(apiNight(), openRouter(listedAt(schema.ProviderOpenRouter, llama, "", "", "0.1125", out)), schema.Contracts{}, embedded(t), apiSettings(), reports.Filter{Class: h100, Workload: "chat-70b"})
		if err := render.Write(&text, doc, render.Table); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), "openrouter list  "+want+" ") {
			t.Errorf("%s out: no %q in\n%s", out, want, text.String())
		}
	}
}

// TestAPIFleetUnderContract: a month that the contract leaves out costs nothing to
// compare, one that it begins in costs its days.
func TestAPIFleetUnderContract(t *testing.T) {
	for _, c := range []struct{ month, says string }{
		{"2026-10", `Fleet "prod": no comparison, it is not under contract in 2026-10.`},
		{"2026-11", `Fleet "prod": 8 GPUs cost $7,649 a month (2026-11, 16 of its 30 days under contract); 4.2 G output`}, // 8 x 2.49 x 384 h
		{"2026-12", `Fleet "prod": 8 GPUs cost $14,820 a month (2026-12); 4.2 G output`},
		{"2027-02", `Fleet "prod": 8 GPUs cost $4,781 a month (2027-02, 10 of its 28 days under contract); 4.2 G output`},
	} {
		month, err := cost.ParseMonth(c.month)
		if err != nil {
			t.Fatal(err)
		}
		fleet := prod()
		fleet.FixedFrom, fleet.FixedTo = mustDay("2026-11-15"), mustDay("2027-02-10")
		says(t, reports.API(apiNight(), openRouter(llamaList()), schema.Contracts{Fleets: []schema.Fleet{fleet}}, embedded(t), apiSettings(), reports.Filter{Month: month}), c.says)
	}
}

// TestAPIOwnPrecisionOfAHost: of a host that serves two, the like one is compared.
func TestAPIOwnPrecisionOfAHost(t *testing.T) {
	settings := apiSettings()
	settings.APIs = []reports.APIChoice{{Endpoint: "host"}}
	lists := openRouter(llamaList(), listedAt(schema.ProviderOpenRouter, llama, "host/fp4", "fp4", "0.05", "0.20"), listedAt(schema.ProviderOpenRouter, llama, "host/fp8", "fp8", "0.10", "0.30"))
	for class, want := range map[schema.ClassID]string{h100: "0.40", b200: "0.25"} {
		doc := reports.API(apiNight(), lists, schema.Contracts{}, embedded(t), settings, reports.Filter{Class: class, Workload: "chat-70b"})
		if got := column(t, doc, "api_usd_per_mtok")[0]; got != want {
			t.Errorf("%s: %s, want %s", class, got, want)
		}
	}
}

// TestAPICrossCheck shows where two lists disagree by more than 5 %.
func TestAPICrossCheck(t *testing.T) {
	lists := append(openRouter(endpoints()...), reports.APIList{Provider: schema.ProviderLiteLLM, Day: tonight, Prices: []schema.TokenObservation{
		listedAt(schema.ProviderLiteLLM, "deepinfra/meta-llama/Llama-3.3-70B-Instruct", "deepinfra", "", "0.23", "0.40"),
		listedAt(schema.ProviderLiteLLM, "nebius/meta-llama/Llama-3.3-70B-Instruct", "nebius", "", "0.13", "0.41"),
		listedAt(schema.ProviderLiteLLM, "openrouter/meta-llama/llama-3.3-70b-instruct", "openrouter", "", "0.05", "0.24"),
		listedAt(schema.ProviderLiteLLM, "novita/other-model", "novita", "", "9", "9"),
	}})
	doc := reports.API(apiNight(), lists, schema.Contracts{}, embedded(t), apiSettings(), reports.Filter{Class: h100})
	text := strings.Join(doc.After, "\n")
	if n := strings.Count(text, "Lists disagree"); n != 2 {
		t.Errorf("%d disagreements, want 2:\n%s", n, text)
	}
	says(t, doc, "at DeepInfra: openrouter 0.10 in / 0.32 out (used), litellm 0.23 / 0.40", "at openrouter: openrouter 0.13 in / 0.40 out (used), litellm 0.05 / 0.24")
	for _, got := range column(t, doc, "api_model") {
		if strings.HasPrefix(got, "openrouter/") {
			t.Errorf("a price of the list that checks is used: %s", got)
		}
	}
}

// TestAPISaysWhatIsMissing: no figure is made up.
func TestAPISaysWhatIsMissing(t *testing.T) {
	catalog, settings := embedded(t), apiSettings()
	noPrice := llamaList()
	noPrice.Out = 0
	other := listedAt(schema.ProviderOpenRouter, "other/llama-3.3-70b", "", "", "1", "1")
	interactive := settings
	interactive.Workloads = []reports.Workload{{Name: "interactive", Model: "llama-3.3-70b", OutputTokens: schema.MustDecimal("294.45"),
		Configurations: []reports.Configuration{{Class: h100, GPUs: 8, Precision: "FP8"}}}}
	fleets := schema.Contracts{Fleets: []schema.Fleet{{Name: "idle", HoursOn: schema.MustDecimal("24")}, {Name: "x", OutputTokensPerMonth: 1, Model: "other"}}}
	for _, c := range []struct {
		name     string
		night    reports.Night
		lists    []reports.APIList
		settings reports.Settings
		says     []string
	}{
		{"no list", apiNight(), nil, settings, []string{"No price list of an API has been published yet", "no API lists a price of llama-3.3-70b"}},
		{"no price", apiNight(), openRouter(noPrice), settings, []string{"no API lists a price of llama-3.3-70b that counts"}},
		{"two models", apiNight(), openRouter(llamaList(), other), settings, []string{"name one in [[api]] model"}},
		{"no mix", apiNight(), openRouter(llamaList()), interactive, []string{"its input and output lengths are not both known"}},
		{"nothing to rent", reports.Night{AsOf: tonight}, openRouter(llamaList()), settings, []string{"can't be rented on demand tonight"}},
		{"nothing at all", reports.Night{Empty: true}, nil, settings, []string{"Nothing has been published yet"}},
	} {
		doc := reports.API(c.night, c.lists, fleets, catalog, c.settings, reports.Filter{})
		if len(doc.Rows) != 0 {
			t.Errorf("%s: %d rows", c.name, len(doc.Rows))
		}
		says(t, doc, append(c.says, `Fleet "idle": no comparison, its tokens_per_month are not known`)...)
	}
}

// TestAPIIgnoresOrder: the order of offers and of lists changes nothing.
func TestAPIIgnoresOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	want := reports.API(apiNight(), openRouter(endpoints()...), schema.Contracts{}, embedded(t), apiSettings(), reports.Filter{})
	for range 10 {
		n, prices := apiNight(), endpoints()
		n.Observations = shuffled(n.Observations, random)
		random.Shuffle(len(prices), func(i, j int) { prices[i], prices[j] = prices[j], prices[i] })
		got := reports.API(n, openRouter(prices...), schema.Contracts{}, embedded(t), apiSettings(), reports.Filter{})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("another order, another report:\n%s", diff)
		}
	}
}

// tokenStore gives lists as a store does.
type tokenStore struct {
	source
	lists []reports.APIList
	fails error
}

func (s *tokenStore) LastTokenDay(_ context.Context, p schema.ProviderID, upTo schema.Day) (schema.Day, bool, error) {
	for _, l := range s.lists {
		if l.Provider == p && l.Day <= upTo {
			return l.Day, true, s.fails
		}
	}
	return 0, false, s.fails
}

func (s *tokenStore) TokenPrices(_ context.Context, f schema.TokenPriceFilter) ([]schema.TokenObservation, error) {
	for _, l := range s.lists {
		if l.Provider == f.Provider && l.Day == f.FromDay && l.Day == f.ToDay {
			return l.Prices, nil
		}
	}
	return nil, errors.New("no such list")
}

// TestLoadAPILists: the newest list counts whatever its age, but never one of a
// later day, and never an import.
func TestLoadAPILists(t *testing.T) {
	imported := llamaList()
	imported.Origin = schema.OriginImport
	store := &tokenStore{lists: openRouter(llamaList(), imported)}
	got, err := reports.LoadAPILists(t.Context(), store, tonight)
	if err != nil || len(got) != 1 || len(got[0].Prices) != 1 || got[0].Day != tonight-21 {
		t.Errorf("lists %+v, %v", got, err)
	}
	if got, err = reports.LoadAPILists(t.Context(), store, tonight-22); err != nil || len(got) != 0 {
		t.Errorf("before the list: %+v, %v", got, err)
	}
	store.fails = errors.New("gone")
	if _, err = reports.LoadAPILists(t.Context(), store, tonight); err == nil {
		t.Error("a failing store is no error")
	}
}

func TestDailyAPIPrices(t *testing.T) {
	first, later := llamaList(), llamaList()
	later.Slot, later.In = 1, usd("0.14")
	held, alias, imported := later, later, first
	held.Quarantine, held.Slot = 1, 2
	alias.Excluded, alias.Model = "an alias", "~x/latest"
	imported.Origin = schema.OriginImport
	other := later
	other.Day++
	got := reports.DailyAPIPrices(first.Day, []schema.TokenObservation{held, later, alias, first, imported, other})
	if len(got) != 2 || got[0].Origin != schema.OriginImport || got[0].In != usd("0.13") || got[1].In != usd("0.14") {
		t.Errorf("daily prices %+v", got)
	}
	if again := reports.DailyAPIPrices(first.Day, []schema.TokenObservation{imported, first, other, later, held, alias}); !cmp.Equal(got, again) {
		t.Errorf("another order: %+v", again)
	}
}
