package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mtok/schema"
)

func (a *app) importModelCommand() *cobra.Command {
	var name, params, source string
	var add bool
	cmd := &cobra.Command{
		Use: "model FILE", Short: "make a [[model]] row of a Hugging Face config.json",
		Long: `Reads a model's config.json as Hugging Face publishes it and counts from the sizes
in it what the physical bounds need: the parameters, all and active, and the bytes
that a token keeps in the cache. A model whose layers can't be counted so is
refused.

` + appendHelp,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.importModel(args[0], name, params, source, add) },
	}
	f := cmd.Flags()
	f.StringVar(&name, "name", "", "`NAME` of the model (default: that in the file)")
	f.StringVar(&params, "params-b", "", "`N` billion parameters as published, in the place of the count")
	f.StringVar(&source, "source", "", "where the file is from, `TEXT` (default: its name)")
	f.BoolVar(&add, "append", false, "add the row to the configuration file")
	return cmd
}

func (a *app) importModel(path, name, params, source string, add bool) error {
	data, err := readBounded(path)
	if err != nil {
		return err
	}
	m, err := schema.ParseModelConfig(data)
	if err != nil {
		return usagef("%s: %w", path, err)
	}
	if name != "" {
		m.ID = strings.ToLower(strings.TrimSpace(name))
	}
	if m.ID == "" || m.ID == "." {
		return usagef("%s names no model: give it with --name", path)
	}
	if params != "" {
		if m.ParamsB, err = schema.ParseDecimal(params); err != nil {
			return usagef("--params-b: %w", err)
		}
		m.Notes = "parameters as published"
		if m.ActiveParamsB.Rat().Cmp(m.ParamsB.Rat()) > 0 {
			m.ActiveParamsB = m.ParamsB
		}
	}
	m.Source, m.Date = source, schema.DayOf(a.Now()).String()
	if m.Source == "" {
		m.Source = path
	}
	catalog, err := a.catalog()
	if err != nil {
		return err
	}
	if known, ok := catalog.Model(m.ID); ok {
		return usagef("%q is a model of the catalog already (%s, %sB parameters): choose another --name", m.ID, known.ID, known.ParamsB)
	}
	rows := userRows{Models: []schema.Model{m}}
	if err := a.checkRows(rows); err != nil {
		return usagef("%s: %w", path, err)
	}
	if err := a.giveRows(rows, add); err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "%s: %sB parameters, %sB active, %d bytes of cache a token at 16 bits\n", m.ID, m.ParamsB, m.ActiveParamsB, m.KVBytesPerToken)
	return nil
}
