package main

import (
	"context"
	"fmt"
	"strings"

	"mtok/reports"
	"mtok/schema"
)

// pastLine writes how the price of the first class of the screen came to be.
func (a *app) pastLine(ctx context.Context, loader reports.Loader, tonight reports.Tonight, asOf schema.Day) error {
	b := tonight.Best[0]
	text, err := loader.Past(ctx, asOf, b.Row.Class, b.Provider, b.Tier)
	if err != nil || text == "" {
		return err
	}
	seller := strings.TrimSpace(string(b.Provider) + " " + string(b.Tier))
	fmt.Fprintf(a.stdout, "%s %s, $/GPU-h: %s\n", b.Row.Class, seller, text)
	return nil
}
