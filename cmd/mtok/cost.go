package main

import (
	"fmt"
	"math/big"

	"github.com/spf13/cobra"

	"mtok/reports"
	"mtok/reports/cost"
	"mtok/schema"
)

// Bounds of a typed throughput: a token in about a quarter of an hour, and more than the
// largest cluster gives that anybody measured.
const (
	leastTokensPerSecond = "0.001"
	mostTokensPerSecond  = "10000000"
)

// costOptions are the numbers of the calculator, as typed.
type costOptions struct {
	hourly, tokensPerSecond, utilization, overhead string
	gpus                                           int
	class, model, precision, input, output         string
	workload                                       string
	concurrency                                    int
	curve                                          bool
	format                                         string
}

func (a *app) costCommand() *cobra.Command {
	var o costOptions
	cmd := &cobra.Command{
		Use: "cost --hourly USD --tokens-per-second N", Short: "what a million output tokens cost at a price and a throughput",
		Long: `What a million output tokens cost, in USD:

  raw      = hourly / (tokens per second * 3600) * 1e6    busy all the time
  utilized = raw / utilization
  all-in   = utilized * overhead                          or + the items of [overhead]

Tokens per second are output tokens of the whole configuration. --hourly is the
price of the whole configuration; with --gpus N it is the price per GPU.

With --class, --model and --precision physics judges the throughput: whether the
weights fit, and whether memory bandwidth and arithmetic allow it. The nearest
measured configurations stand beside it.

Without --tokens-per-second the throughput is the one measured on that
configuration, or on one of the workload that --workload names (--class chooses
it). What nobody measured has no cost: an estimate of 0.30 to 0.45 of the physical
bound is shown, and called one.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("gpus") && o.gpus < 1 {
				return usagef("--gpus must be 1 or more, is %d", o.gpus)
			}
			if cmd.Flags().Changed("concurrency") && o.concurrency < 1 {
				return usagef("--concurrency must be 1 or more, is %d", o.concurrency)
			}
			return a.runCost(o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.hourly, "hourly", "", "`USD` per hour")
	f.StringVar(&o.tokensPerSecond, "tokens-per-second", "", "output tokens per second, `N`")
	f.IntVar(&o.gpus, "gpus", 0, "`N` GPUs in the configuration: --hourly is then per GPU")
	f.StringVar(&o.utilization, "utilization", "", "`FRACTION` of the measured throughput that is used on average, above 0 up to 1 (default: [cost] utilization)")
	f.StringVar(&o.overhead, "overhead", "", "`FACTOR` for all-in, 1 for none (default: the items of [overhead], else [cost] overhead)")
	f.StringVar(&o.class, "class", "", "GPU `CLASS` to judge the throughput by")
	f.StringVar(&o.model, "model", "", "`MODEL` that is served, such as llama-3.1-70b")
	f.StringVar(&o.precision, "precision", "", "`PRECISION` of the weights: fp16, fp8 or fp4")
	f.StringVar(&o.input, "input", "", "input `TOKENS` of a request")
	f.StringVar(&o.output, "output", "", "output `TOKENS` of a request")
	f.StringVar(&o.workload, "workload", "", "the [[workload]] `NAME` that gives model, lengths and configuration")
	f.BoolVar(&o.curve, "curve", false, "show the cost over utilization")
	f.IntVar(&o.concurrency, "concurrency", 0, "`N` requests at once (default: as many as fit)")
	a.formatFlag(cmd, &o.format)
	return cmd
}

func (a *app) runCost(o costOptions) error {
	catalog, err := a.catalog()
	if err != nil {
		return err
	}
	on, err := a.costOn(&o, catalog)
	if err != nil {
		return err
	}
	in, err := a.costInput(o, on)
	if err != nil {
		return err
	}
	if on.isSet && o.tokensPerSecond == "" && !on.resolved.Measured {
		doc, err := reports.Estimated(in.USDPerHour, on.resolved, on.workload, catalog)
		if err != nil {
			return err
		}
		return a.write(doc, o.format)
	}
	gpus := o.gpus
	if on.isSet {
		gpus = on.resolved.GPUs
	}
	result, err := a.config.settings().Compute(in, gpus)
	if err != nil {
		return usagef("%w", err)
	}
	physical, err := physicsOf(o, on, in.TokensPerSecond, catalog)
	if err != nil {
		return err
	}
	doc, err := a.config.settings().Calculation(in, gpus, result, physical)
	if err != nil {
		return err
	}
	if on.isSet && o.tokensPerSecond == "" {
		reports.AddMeasurement(&doc, on.resolved)
	}
	if o.curve {
		if doc, err = a.curveOf(in, gpus, doc); err != nil {
			return err
		}
	}
	if o.gpus == 0 && gpus > 1 {
		doc.After = append(doc.After, fmt.Sprintf("--hourly is read as the price of all %d GPUs; a price per GPU takes --gpus %d.", gpus, gpus))
	}
	return a.write(doc, o.format)
}

// curveOf is the curve of a calculation, with what physics says of its throughput.
func (a *app) curveOf(in cost.Input, gpus int, of reports.Document) (reports.Document, error) {
	curve, err := a.config.settings().CostCurve(in, gpus)
	if err != nil {
		return reports.Document{}, usagef("%w", err)
	}
	for i, c := range of.Columns {
		if c.Key != "verdict" && c.Key != "reason" {
			continue
		}
		curve.Columns = append(curve.Columns, c)
		for j := range curve.Rows {
			curve.Rows[j] = append(curve.Rows[j], of.Rows[0][i])
		}
	}
	curve.After = append(curve.After, of.After[1:]...) // all but the line on the overhead
	return curve, nil
}

// costInput reads the numbers; the throughput is the measured one where none was
// typed, and not set where there is none.
func (a *app) costInput(o costOptions, on costTarget) (cost.Input, error) {
	settings := a.config.settings()
	in := cost.Input{Utilization: settings.Utilization}
	if !settings.Itemised() { // items stand in the place of a multiplier that nobody types
		in.Overhead = settings.Overhead
	}
	measured := on.isSet && o.tokensPerSecond == ""
	if measured {
		in.TokensPerSecond = on.resolved.Row.TokensPerSecond
	}
	var hourly schema.Decimal
	for _, v := range []struct {
		flag, text string
		to         *schema.Decimal
		optional   bool
	}{
		{"--hourly", o.hourly, &hourly, false},
		{"--tokens-per-second", o.tokensPerSecond, &in.TokensPerSecond, measured},
		{"--utilization", o.utilization, &in.Utilization, false},
		{"--overhead", o.overhead, &in.Overhead, settings.Itemised()},
	} {
		if v.text == "" {
			if !v.to.IsSet() && !v.optional {
				return in, usagef("%s is required (see: mtok cost --help)", v.flag)
			}
			continue
		}
		d, err := schema.ParseDecimal(v.text)
		if err != nil {
			return in, usagef("%s: %w", v.flag, err)
		}
		*v.to = d
	}
	if o.tokensPerSecond != "" && !within(in.TokensPerSecond, leastTokensPerSecond, mostTokensPerSecond) {
		return in, usagef("--tokens-per-second must be %s to %s output tokens a second, is %s", leastTokensPerSecond, mostTokensPerSecond, o.tokensPerSecond)
	}
	in.USDPerHour = hourly.Rat()
	if o.gpus > 0 {
		in.USDPerHour.Mul(in.USDPerHour, big.NewRat(int64(o.gpus), 1))
	}
	if in.USDPerHour.Sign() <= 0 {
		return in, usagef("--hourly must be above 0, is %s", o.hourly)
	}
	return in, nil
}

// within reports whether a number lies between two bounds.
func within(d schema.Decimal, least, most string) bool {
	return d.Rat().Cmp(schema.MustDecimal(least).Rat()) >= 0 && d.Rat().Cmp(schema.MustDecimal(most).Rat()) <= 0
}
