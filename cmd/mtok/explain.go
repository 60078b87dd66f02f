package main

import (
	"context"

	"github.com/spf13/cobra"

	"mtok/schema/store"
)

func (a *app) explainCommand() *cobra.Command {
	var o reportOptions
	cmd := &cobra.Command{
		Use: "explain CLASS", Short: "where a class's figures come from: page, words printed there, rule, formula",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.class = args[0]
			o.given = func(flag string) bool { return flag == "class" || flag != "term" && cmd.Flags().Changed(flag) }
			return a.runExplain(cmd.Context(), o)
		},
	}
	cmd.Flags().StringVar(&o.day, "day", "", "as of `YYYY-MM-DD` (default: the newest published day)")
	cmd.Flags().StringVar(&o.provider, "provider", "", "only this provider `ID`")
	a.formatFlag(cmd, &o.format)
	return cmd
}

func (a *app) runExplain(ctx context.Context, o reportOptions) error {
	catalog, err := a.catalog()
	if err != nil {
		return err
	}
	filter, err := a.reportFilter(o, catalog)
	if err != nil {
		return err
	}
	return a.withStore(ctx, store.ReadOnly, func(s *store.Store) error {
		loader, err := a.loader(s)
		if err != nil {
			return err
		}
		doc, err := loader.Explain(ctx, filter)
		if err != nil {
			return err
		}
		return a.write(doc, o.format)
	})
}
