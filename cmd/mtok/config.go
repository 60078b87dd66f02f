package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"mtok/reports"
	"mtok/schema"
	"mtok/scrapers"
)

// Config is the whole of config.toml. Every field has a default; a key that is
// not here is an error.
type Config struct {
	Store     StoreConfig                          `toml:"store"`
	Fetch     FetchConfig                          `toml:"fetch"`
	Providers map[schema.ProviderID]ProviderConfig `toml:"providers"`
	Cost      CostConfig                           `toml:"cost"`
	Report    ReportConfig                         `toml:"report"`
	Eligible  EligibleConfig                       `toml:"eligible"`
	Schedule  ScheduleConfig                       `toml:"schedule"`
	Serve     ServeConfig                          `toml:"serve"`
	Metrics   MetricsConfig                        `toml:"metrics"`

	Overhead    OverheadConfig      `toml:"overhead"`
	Workloads   []reports.Workload  `toml:"workload"`
	Throughputs []schema.Throughput `toml:"throughput,omitempty"`
	Models      []schema.Model      `toml:"model,omitempty"`
	Fleets      []FleetConfig       `toml:"fleet,omitempty"`
	Quotes      []QuoteConfig       `toml:"quote,omitempty"`

	APIs []APIConfig `toml:"api,omitempty"`

	References []ReferenceConfig `toml:"reference,omitempty"`

	Channels  []ChannelConfig `toml:"channel,omitempty"`
	Heartbeat HeartbeatConfig `toml:"heartbeat"`
	Alerts    []AlertConfig   `toml:"alert"`

	path  string     // the file it was read from, empty for the built-in defaults
	today schema.Day // on which it was read, UTC; 0 where nothing is judged by it
}

// StoreConfig says where the data is kept.
type StoreConfig struct {
	Path string `toml:"path"`
	// DSNEnv names the environment variable that holds a PostgreSQL DSN; when
	// set, it takes the place of Path.
	DSNEnv string `toml:"dsn_env"`
	// PagesDays is after how many days a night drops the pages that no figure
	// rests on; 0 keeps all.
	PagesDays int `toml:"pages_days"`
}

// FetchConfig is how mtok behaves towards the providers.
type FetchConfig struct {
	// Contact is a URL or mail address under which a provider reaches whoever
	// runs this copy; it goes into the User-Agent.
	Contact string `toml:"contact"`
}

// ProviderConfig is one provider's part.
type ProviderConfig struct {
	Enabled bool `toml:"enabled"`
	// Models are the GPU names to ask a market for, as it writes them; empty for
	// the provider's default.
	Models []string `toml:"models,omitempty"`
	// APIKeyEnv names the environment variable with the provider's key, and
	// APIKeyFile a file that holds it.
	APIKeyEnv  string `toml:"api_key_env"`
	APIKeyFile string `toml:"api_key_file,omitempty"`
}

// EligibleConfig is what production can rent: only that enters a minimum.
type EligibleConfig struct {
	Community      bool   `toml:"community"`
	Verified       bool   `toml:"verified"`
	Datacenter     bool   `toml:"datacenter"`
	MinReliability number `toml:"min_reliability"`
	MinDays        int    `toml:"min_days"`
	NVLink         bool   `toml:"nvlink"`
}

// CostConfig is what turns $/hour into $/MTok.
type CostConfig struct {
	Utilization number `toml:"utilization"`
	Overhead    number `toml:"overhead"`
}

// number is a number as written; Validate reads it, so that one that makes no
// sense is laid to its key and line.
type number string

// UnmarshalText takes any text.
func (n *number) UnmarshalText(text []byte) error { *n = number(text); return nil }

// MarshalText gives it back.
func (n number) MarshalText() ([]byte, error) { return []byte(n), nil }

// decimal reads the number between two bounds.
func (n number) decimal(least, most string) (schema.Decimal, error) {
	d, err := schema.ParseDecimal(string(n))
	if err != nil {
		return d, err
	}
	if d.Rat().Cmp(schema.MustDecimal(least).Rat()) < 0 || d.Rat().Cmp(schema.MustDecimal(most).Rat()) > 0 {
		return d, fmt.Errorf("%s is not between %s and %s", n, least, most)
	}
	return d, nil
}

// ReportConfig is what reports show.
type ReportConfig struct {
	MaxAgeDays int `toml:"max_age_days"`
}

func defaultConfig() Config {
	providers := make(map[schema.ProviderID]ProviderConfig)
	for _, p := range scrapers.Registry() {
		providers[p.ID] = ProviderConfig{Enabled: true, APIKeyEnv: keyEnv(p)}
	}
	eligible := reports.DefaultEligibility()
	return Config{
		Store:     StoreConfig{Path: "mtok.db"},
		Providers: providers,
		Cost:      CostConfig{Utilization: "0.65", Overhead: "2.0"},
		Report:    ReportConfig{MaxAgeDays: 3},
		Schedule:  ScheduleConfig{Spec: "10 6 * * *", Jitter: "0s"},
		Serve:     ServeConfig{Listen: "127.0.0.1:8080"},
		Overhead:  defaultOverhead(),
		Workloads: reports.DefaultWorkloads(),
		Alerts:    defaultAlerts(),
		Eligible: EligibleConfig{
			Community: eligible.Community, Verified: eligible.Verified, Datacenter: eligible.Datacenter,
			MinReliability: number(eligible.MinReliability.String()), MinDays: eligible.MinDays, NVLink: eligible.NVLink,
		},
	}
}

// invalid is a value that decodes but cannot be; the key locates its line.
type invalid struct {
	key    []string
	reason string
	row    int // of an array of tables, the first is 1; 0 for a table
}

func (e *invalid) Error() string { return e.reason }

func invalidf(key []string, format string, args ...any) error {
	return &invalid{key: key, reason: fmt.Sprintf(format, args...)}
}

// Validate reports the first value that makes no sense.
func (c Config) Validate() error {
	if c.Store.Path == "" && c.Store.DSNEnv == "" {
		return invalidf([]string{"store", "path"}, "is empty")
	}
	known := providerIDs()
	for _, id := range slices.Sorted(maps.Keys(c.Providers)) {
		if !slices.Contains(known, string(id)) {
			return invalidf([]string{"providers", string(id)}, "unknown provider; %s", nearHint(string(id), known))
		}
		if err := c.Providers[id].validate(string(id)); err != nil {
			return err
		}
	}
	if env := c.Store.DSNEnv; env != "" && !envName.MatchString(env) {
		return invalidf([]string{"store", "dsn_env"}, "is not the name of an environment variable (the DSN itself never stands here)")
	}
	if days := c.Store.PagesDays; days < 0 || days > maxPagesDays {
		return invalidf([]string{"store", "pages_days"}, "%d is not between 0 and %d", days, maxPagesDays)
	}
	if strings.ContainsFunc(c.Fetch.Contact, func(r rune) bool { return r <= ' ' || r > '~' || r == '(' || r == ')' }) {
		return invalidf([]string{"fetch", "contact"}, "%q is not a URL or mail address", c.Fetch.Contact)
	}
	if _, err := c.Cost.Utilization.decimal("0.001", "1"); err != nil {
		return invalidf([]string{"cost", "utilization"}, "%s", err)
	}
	if _, err := c.Cost.Overhead.decimal("1", "100"); err != nil {
		return invalidf([]string{"cost", "overhead"}, "%s", err)
	}
	if days := c.Report.MaxAgeDays; days < 0 || days > 31 {
		return invalidf([]string{"report", "max_age_days"}, "%d is not between 0 and 31", days)
	}
	if _, err := c.Eligible.MinReliability.decimal("0", "1"); err != nil {
		return invalidf([]string{"eligible", "min_reliability"}, "%s", err)
	}
	if c.Eligible.MinDays < 0 {
		return invalidf([]string{"eligible", "min_days"}, "%d is negative", c.Eligible.MinDays)
	}
	if _, err := c.Schedule.spec(""); err != nil {
		return err
	}
	if err := c.Serve.validate(); err != nil {
		return err
	}
	if err := c.Metrics.validate(); err != nil {
		return err
	}
	if err := c.validateCost(); err != nil {
		return err
	}
	if err := c.validateAlerts(); err != nil {
		return err
	}
	if err := c.validateAPIs(); err != nil {
		return err
	}
	if err := c.validateReferences(); err != nil {
		return err
	}
	return c.settings().Validate()
}

// maxModels bounds the queries to a market: two each, ascending and descending.
const maxModels = 13

func (c ProviderConfig) validate(id string) error {
	at := func(key string) []string { return []string{"providers", id, key} }
	if len(c.Models) > maxModels {
		return invalidf(at("models"), "%d models; at most %d can be asked politely in a night", len(c.Models), maxModels)
	}
	for i, m := range c.Models {
		if strings.TrimSpace(m) == "" || slices.Contains(c.Models[:i], m) {
			return invalidf(at("models"), "%q is empty or stands twice", m)
		}
	}
	if c.APIKeyEnv != "" && !envName.MatchString(c.APIKeyEnv) {
		return invalidf(at("api_key_env"), "is not the name of an environment variable (the key itself never stands here)")
	}
	return nil
}

// keyEnv is the environment variable by which a provider's key goes by custom,
// empty for a provider without a keyed source.
func keyEnv(p scrapers.Provider) string {
	for _, s := range p.Sources {
		if s.KeyEnv != "" {
			return s.KeyEnv
		}
	}
	return ""
}

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// settings are the report settings that follow from a valid configuration.
func (c Config) settings() reports.Settings {
	s := reports.DefaultSettings()
	s.Utilization, s.Overhead = schema.MustDecimal(string(c.Cost.Utilization)), schema.MustDecimal(string(c.Cost.Overhead))
	s.MaxAge = c.Report.MaxAgeDays
	s.Eligibility = reports.Eligibility{
		Community: c.Eligible.Community, Verified: c.Eligible.Verified, Datacenter: c.Eligible.Datacenter,
		MinReliability: schema.MustDecimal(string(c.Eligible.MinReliability)), MinDays: c.Eligible.MinDays,
		NVLink: c.Eligible.NVLink,
	}
	s.Workloads, s.Items = c.Workloads, c.Overhead.items()
	s.APIs = c.apis()
	s.References = c.references()
	return s
}

// enabled lists the providers that the night asks: those named, or all that
// are not switched off.
func (c Config) enabled(only []string) ([]scrapers.Provider, error) {
	var chosen []scrapers.Provider
	known := providerIDs()
	for _, id := range only {
		if !slices.Contains(known, id) {
			return nil, usagef("unknown provider %q; %s", id, nearHint(id, known))
		}
	}
	for _, p := range scrapers.Registry() {
		switch {
		case len(only) > 0 && !slices.Contains(only, string(p.ID)):
		case !c.Providers[p.ID].Enabled && len(only) > 0:
			return nil, usagef("provider %q is switched off in the configuration", p.ID)
		case c.Providers[p.ID].Enabled:
			chosen = append(chosen, p)
		}
	}
	if len(chosen) == 0 || len(only) == 0 && len(rentals(chosen)) == 0 {
		return nil, usagef("every provider is switched off in the configuration")
	}
	return chosen, nil
}

func providerIDs() []string {
	var ids []string
	for _, p := range scrapers.Registry() {
		ids = append(ids, string(p.ID))
	}
	return ids
}

// nearHint lists near names, or all of them where none is near.
func nearHint(name string, known []string) string {
	if near := schema.Near(name, known); len(near) > 0 {
		return "did you mean " + orList(near) + "?"
	}
	return "known are " + strings.Join(known, ", ")
}
