package main

import (
	"math/big"

	"github.com/spf13/cobra"

	"mtok/reports"
	"mtok/reports/cost"
	"mtok/schema"
)

// costOptions are the numbers of the calculator, as typed.
type costOptions struct {
	hourly, tokensPerSecond, utilization, overhead string
	gpus                                           int
	format                                         string
}

func (a *app) costCommand() *cobra.Command {
	var o costOptions
	cmd := &cobra.Command{
		Use: "cost --hourly USD --tokens-per-second N", Short: "what a million output tokens cost at a price and a throughput",
		Long: `What a million output tokens cost, in USD:

  raw      = hourly / (tokens per second * 3600) * 1e6    busy all the time
  utilized = raw / utilization
  all-in   = utilized * overhead

Tokens per second are output tokens of the whole configuration. --hourly is the
price of the whole configuration; with --gpus N it is the price per GPU.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("gpus") && o.gpus < 1 {
				return usagef("--gpus must be 1 or more, is %d", o.gpus)
			}
			return a.runCost(o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.hourly, "hourly", "", "`USD` per hour")
	f.StringVar(&o.tokensPerSecond, "tokens-per-second", "", "output tokens per second, `N`")
	f.IntVar(&o.gpus, "gpus", 0, "`N` GPUs in the configuration: --hourly is then per GPU")
	f.StringVar(&o.utilization, "utilization", "", "`FRACTION` of the measured throughput that is used on average, above 0 up to 1 (default: [cost] utilization)")
	f.StringVar(&o.overhead, "overhead", "", "`FACTOR` for all-in, 1 for none (default: [cost] overhead)")
	a.formatFlag(cmd, &o.format)
	return cmd
}

func (a *app) runCost(o costOptions) error {
	in := cost.Input{Utilization: a.config.settings().Utilization, Overhead: a.config.settings().Overhead}
	var hourly schema.Decimal
	for _, v := range []struct {
		flag, text string
		to         *schema.Decimal
	}{
		{"--hourly", o.hourly, &hourly},
		{"--tokens-per-second", o.tokensPerSecond, &in.TokensPerSecond},
		{"--utilization", o.utilization, &in.Utilization},
		{"--overhead", o.overhead, &in.Overhead},
	} {
		if v.text == "" {
			if !v.to.IsSet() {
				return usagef("%s is required (see: mtok cost --help)", v.flag)
			}
			continue
		}
		d, err := schema.ParseDecimal(v.text)
		if err != nil {
			return usagef("%s: %w", v.flag, err)
		}
		*v.to = d
	}
	in.USDPerHour = hourly.Rat()
	if o.gpus > 0 {
		in.USDPerHour.Mul(in.USDPerHour, big.NewRat(int64(o.gpus), 1))
	}
	result, err := cost.Compute(in)
	if err != nil {
		return usagef("%w", err)
	}
	doc, err := reports.Calculation(in, o.gpus, result)
	if err != nil {
		return err
	}
	return a.write(doc, o.format)
}
