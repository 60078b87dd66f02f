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
	class, model, precision, input, output         string
	concurrency                                    int
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
price of the whole configuration; with --gpus N it is the price per GPU.

With --class, --model and --precision physics judges the throughput: whether the
weights fit, and whether memory bandwidth and arithmetic allow it. The nearest
measured configurations stand beside it.`,
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
	f.StringVar(&o.overhead, "overhead", "", "`FACTOR` for all-in, 1 for none (default: [cost] overhead)")
	f.StringVar(&o.class, "class", "", "GPU `CLASS` to judge the throughput by")
	f.StringVar(&o.model, "model", "", "`MODEL` that is served, such as llama-3.1-70b")
	f.StringVar(&o.precision, "precision", "", "`PRECISION` of the weights: fp16, fp8 or fp4")
	f.StringVar(&o.input, "input", "", "input `TOKENS` of a request")
	f.StringVar(&o.output, "output", "", "output `TOKENS` of a request")
	f.IntVar(&o.concurrency, "concurrency", 0, "`N` requests at once (default: as many as fit)")
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
	physical, err := physicsOf(o, in.TokensPerSecond)
	if err != nil {
		return err
	}
	doc, err := reports.Calculation(in, o.gpus, result, physical)
	if err != nil {
		return err
	}
	return a.write(doc, o.format)
}

// physicsOf judges the throughput by the configuration that the flags name; nil
// where they name none.
func physicsOf(o costOptions, tokensPerSecond schema.Decimal) (*reports.Physical, error) {
	if o.class == "" && o.model == "" && o.precision == "" {
		return nil, nil
	}
	if o.class == "" || o.model == "" || o.precision == "" {
		return nil, usagef("--class, --model and --precision go together (see: mtok cost --help)")
	}
	catalog, err := schema.LoadCatalog()
	if err != nil {
		return nil, err
	}
	class, err := classArg(o.class, catalog)
	if err != nil {
		return nil, err
	}
	c := cost.Config{GPUs: max(o.gpus, 1), Concurrency: o.concurrency}
	var known bool
	if c.GPU, known = catalog.GPU(class); !known {
		return nil, usagef("--class %s: no physical data", class)
	}
	if c.Model, known = catalog.Model(o.model); !known {
		return nil, usagef("unknown model %q; %s", o.model, nearHint(o.model, catalog.ModelNames()))
	}
	if c.Precision, err = cost.ParsePrecision(o.precision); err != nil {
		return nil, usagef("--precision: %w", err)
	}
	for _, v := range []struct {
		flag, text string
		to         *schema.Decimal
	}{{"--input", o.input, &c.InputTokens}, {"--output", o.output, &c.OutputTokens}} {
		if v.text == "" {
			continue
		}
		if *v.to, err = schema.ParseDecimal(v.text); err != nil {
			return nil, usagef("%s: %w", v.flag, err)
		}
	}
	physical, err := reports.Physics(catalog, c, tokensPerSecond)
	if err != nil {
		return nil, usagef("%w", err)
	}
	return &physical, nil
}
