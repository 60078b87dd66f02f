package main

import (
	"strings"

	"mtok/reports"
	"mtok/reports/cost"
	"mtok/schema"
)

// costTarget is the configuration that the flags of cost name, and the measurement
// of it.
type costTarget struct {
	isSet    bool
	workload reports.Workload // of this one configuration
	resolved reports.Resolved
}

// costOn finds the configuration that the flags name; not set where they name none.
// What a workload gives is filled into the options.
func (a *app) costOn(o *costOptions, catalog *schema.Catalog) (costTarget, error) {
	if o.workload == "" && o.class == "" && o.model == "" && o.precision == "" {
		return costTarget{}, nil
	}
	w := reports.Workload{Name: "typed", Model: o.model}
	on := reports.Configuration{Class: schema.ClassID(o.class), GPUs: max(o.gpus, 1), Precision: o.precision}
	if o.workload != "" {
		var err error
		if w, err = reports.FindWorkload(a.config.Workloads, o.workload); err != nil {
			return costTarget{}, usagef("--workload: %w", err)
		}
		if on, err = o.choose(w); err != nil {
			return costTarget{}, err
		}
		if o.model == "" {
			o.model = w.Model
		}
		w.Model = o.model
		o.class, o.precision = string(on.Class), on.Precision
	}
	if o.class == "" || o.model == "" || o.precision == "" {
		return costTarget{}, usagef("--class, --model and --precision go together (see: mtok cost --help)")
	}
	if err := o.check(&on, catalog); err != nil {
		return costTarget{}, err
	}
	for _, v := range []struct {
		flag string
		text *string
		to   *schema.Decimal
	}{{"--input", &o.input, &w.InputTokens}, {"--output", &o.output, &w.OutputTokens}} {
		if *v.text == "" {
			*v.text = v.to.String()
			continue
		}
		d, err := schema.ParseDecimal(*v.text)
		if err != nil {
			return costTarget{}, usagef("%s: %w", v.flag, err)
		}
		*v.to = d
	}
	w.Configurations = []reports.Configuration{on}
	resolved, err := w.Resolve(catalog)
	if err != nil {
		return costTarget{}, usagef("%w", err)
	}
	return costTarget{isSet: true, workload: w, resolved: resolved[0]}, nil
}

// choose picks the one configuration of a workload that the flags allow.
func (o costOptions) choose(w reports.Workload) (reports.Configuration, error) {
	var fitting []reports.Configuration
	var all []string
	for _, c := range w.Configurations {
		all = append(all, c.String())
		if (o.class == "" || strings.EqualFold(o.class, string(c.Class))) && (o.gpus == 0 || o.gpus == c.GPUs) &&
			(o.precision == "" || strings.EqualFold(o.precision, c.Precision)) {
			fitting = append(fitting, c)
		}
	}
	switch {
	case len(fitting) == 1:
		return fitting[0], nil
	case len(fitting) == 0 && o.class != "" && o.precision != "":
		// outside of the workload, but said in full
		return reports.Configuration{Class: schema.ClassID(strings.ToLower(o.class)), GPUs: max(o.gpus, 1), Precision: o.precision}, nil
	case len(fitting) == 0:
		return reports.Configuration{}, usagef("workload %q has no such configuration; it has %s", w.Name, strings.Join(all, ", "))
	}
	return reports.Configuration{}, usagef("workload %q has more than one configuration: choose with --class (and --gpus, --precision) among %s", w.Name, strings.Join(all, ", "))
}

// check refuses names that the catalog does not know.
func (o costOptions) check(on *reports.Configuration, catalog *schema.Catalog) error {
	class, err := classArg(o.class, catalog)
	if err != nil {
		return err
	}
	if _, known := catalog.GPU(class); !known {
		return usagef("--class %s: no physical data", class)
	}
	on.Class = class
	if _, known := catalog.Model(o.model); !known {
		return usagef("unknown model %q; %s", o.model, nearHint(o.model, catalog.ModelNames()))
	}
	if _, err := cost.ParsePrecision(on.Precision); err != nil {
		return usagef("--precision: %w", err)
	}
	return nil
}

// physicsOf judges the throughput by the configuration; nil where none is named.
func physicsOf(o costOptions, on costTarget, tokensPerSecond schema.Decimal, catalog *schema.Catalog) (*reports.Physical, error) {
	if !on.isSet {
		return nil, nil
	}
	c := cost.Config{GPUs: on.resolved.GPUs, Concurrency: o.concurrency, InputTokens: on.workload.InputTokens, OutputTokens: on.workload.OutputTokens}
	c.GPU, _ = catalog.GPU(on.resolved.Class)
	c.Model, _ = catalog.Model(on.workload.Model)
	var err error
	if c.Precision, err = cost.ParsePrecision(on.resolved.Precision); err != nil {
		return nil, usagef("--precision: %w", err)
	}
	physical, err := reports.Physics(catalog, c, tokensPerSecond)
	if err != nil {
		return nil, usagef("%w", err)
	}
	return &physical, nil
}
