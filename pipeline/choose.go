package pipeline

import "mtok/schema"

// ChooseFetches keeps one fetch of each request of a day: the one that the day's
// prices were read from, else the newest that did not fail, else the newest that
// was answered at all, else the newest. The order is that in which the requests
// were first made; imports are no requests.
func ChooseFetches(fetches []schema.Fetch, seen []schema.Observation) []schema.Fetch {
	type request struct {
		provider    schema.ProviderID
		source, key string
	}
	used := map[int64]bool{}
	for _, o := range seen {
		used[o.FetchID] = true
	}
	rank := func(f schema.Fetch) int {
		switch {
		case used[f.ID]:
			return 3
		case f.ErrorKind == "":
			return 2
		case f.Status != 0:
			return 1
		}
		return 0
	}
	at := map[request]int{}
	var out []schema.Fetch
	for _, f := range fetches {
		if f.Origin == schema.OriginImport {
			continue
		}
		r := request{f.Provider, f.Source, f.Key}
		i, met := at[r]
		switch {
		case !met:
			at[r] = len(out)
			out = append(out, f)
		case rank(f) >= rank(out[i]):
			out[i] = f
		}
	}
	return out
}
