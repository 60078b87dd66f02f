package reports

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mtok/reports/cost"
	"mtok/schema"
)

// shownEven is how many classes a night's screen names beside the API.
const shownEven = 4

// AgainstAPI is what the screen of a night says of the newest API prices beside the
// first workload, empty where nothing can be compared.
func (l Loader) AgainstAPI(ctx context.Context, f Filter) (string, error) {
	f.Term = schema.TermOnDemand
	night, err := loadNight(ctx, l.Source, f, schema.ObservationFilter{Term: f.Term}, l.Settings.MaxAge)
	if err != nil || night.Empty || f.DayNamed && f.Day != night.AsOf {
		return "", err
	}
	lists, err := LoadAPILists(ctx, l.Tokens, night.AsOf)
	if err != nil {
		return "", err
	}
	w := l.Settings.workloads(l.Catalog)[0]
	rows, _ := apiRows(night, w, pricing(lists), l.Catalog, l.Settings, f)
	return againstAPI(rows, lists, l.Settings.MaxAge, night.AsOf), nil
}

func againstAPI(rows []apiRow, lists []APIList, maxAge int, asOf schema.Day) string {
	if len(rows) == 0 {
		return ""
	}
	q := rows[0].quote
	var wins []string
	more, never := 0, 0
	for _, r := range rows {
		switch {
		case r.quote.name() != q.name():
		case cost.Never(r.even.Rent):
			never++
		case len(wins) < shownEven:
			wins = append(wins, busyNeeded(r.even.Rent)+" on "+string(r.self.row.Class))
		default:
			more++
		}
	}
	text := fmt.Sprintf("By API %s $ in + %s out (%s", q.price.In, q.price.Out, q.name())
	if i := slices.IndexFunc(lists, func(l APIList) bool { return l.Provider == q.seen.Provider }); i >= 0 {
		text += " of " + lists[i].Day.String()
		if age := lists[i].age(asOf); age > maxAge {
			text += fmt.Sprintf(", STALE %d d", age)
		}
	}
	if len(wins) == 0 {
		return text + "): self-hosting never wins, rent only"
	}
	text += "): self-hosting wins only above " + strings.Join(wins, ", ") + " busy"
	if more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	text += ", rent only"
	if never > 0 {
		text += fmt.Sprintf("; on %d others never", never)
	}
	return text
}
