package pipeline

import (
	"context"
	"fmt"
	"strings"

	"mtok/pipeline/validate"
	"mtok/schema"
)

// NoticeFrozen is the kind of notice for a provider whose pages are the same,
// byte for byte, for frozenNights while list prices of others moved.
const NoticeFrozen = "frozen"

const frozenNights = 14

// frozen notes a list provider whose pages stand still. It is a warning, never a
// fault: CoreWeave's list prices have stood for months, and a page without a
// changing byte is then right. But an answer out of somebody's cache looks the
// same, and whoever reads the prices should know.
func (pn *providerNight) frozen(ctx context.Context, p *part) error {
	if len(p.seen) == 0 || validate.IsMarket(p.seen) {
		return nil
	}
	since := schema.Day(0)
	type page struct{ source, sha256 string }
	asked := map[page]bool{}
	for _, o := range p.seen {
		at := page{o.Source, o.PageSHA256}
		if asked[at] {
			continue
		}
		asked[at] = true
		from, nights, err := pn.night.Store.PageSince(ctx, pn.provider.ID, at.source, at.sha256, p.day)
		if err != nil {
			return fmt.Errorf("since when the page stands: %w", err)
		}
		if nights < frozenNights {
			return nil
		}
		since = max(since, from)
	}
	moved, err := pn.night.Store.MovedProviders(ctx, pn.provider.ID, p.day-frozenNights, p.day)
	if err != nil || len(moved) == 0 {
		return err
	}
	var names []string
	for _, m := range moved {
		names = append(names, string(m))
	}
	p.notices = append(p.notices, schema.Notice{
		Provider: pn.provider.ID, Kind: NoticeFrozen, FetchID: p.seen[0].FetchID, Last: p.day,
		Detail: fmt.Sprintf("the page is the same, byte for byte, since %s, while list prices of %s moved", since, strings.Join(names, ", ")),
	})
	return nil
}
