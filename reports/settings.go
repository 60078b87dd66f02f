package reports

import (
	"errors"
	"fmt"
	"math/big"

	"mtok/reports/cost"
	"mtok/schema"
)

// Settings are what the user's configuration gives to reports.
type Settings struct {
	Utilization schema.Decimal // of token costs; 1.00 and 0.30 are shown beside it
	Overhead    schema.Decimal // multiplies the rent in all-in costs, 1 for none
	// MaxAge is how many days a price is carried when its provider gave none.
	MaxAge      int
	Eligibility Eligibility
	// Workloads are what is priced, the first of them where nobody names one. With
	// none the catalog's default configurations are.
	Workloads []Workload
	// Items are the costs beside the rent by name. As soon as one of them costs
	// anything they stand in the place of Overhead.
	Items cost.Items
	// APIs are the endpoints to compare with; none for the list's price, the cheapest
	// and the median endpoint.
	APIs []APIChoice
	// HourlyTokens is a load in output tokens, hour by hour, of which an API may serve
	// what is above the rented GPUs.
	HourlyTokens []int64
	// References are other watches over prices, shown in a line and in no figure.
	References []Reference
}

// maxMaxAge bounds MaxAge: an older price is a gap, whatever the setting.
const maxMaxAge = 31

// DefaultSettings are those of a configuration that sets nothing. The overhead
// is that of the article behind the formula.
func DefaultSettings() Settings {
	return Settings{
		Utilization: schema.MustDecimal("0.65"),
		Overhead:    schema.MustDecimal("2.0"),
		MaxAge:      3,
		Eligibility: DefaultEligibility(),
	}
}

// Validate reports every setting that no report can be made with.
func (s Settings) Validate() error {
	var errs []error
	if err := cost.CheckUtilization(s.Utilization); err != nil {
		errs = append(errs, err)
	}
	if s.Overhead.Rat().Cmp(big.NewRat(1, 1)) < 0 {
		errs = append(errs, fmt.Errorf("overhead must be 1 (none) or more, is %q", s.Overhead))
	}
	if s.MaxAge < 0 || s.MaxAge > maxMaxAge {
		errs = append(errs, fmt.Errorf("max_age must be 0 to %d days, is %d", maxMaxAge, s.MaxAge))
	}
	return errors.Join(append(errs, s.Eligibility.Validate())...)
}
