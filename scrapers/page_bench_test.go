package scrapers_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"mtok/schema"
	"mtok/scrapers"
	"mtok/scrapers/recorded"
)

// BenchmarkPage parses each provider's page of the recorded night. The floor is
// what nobody can parse it without: the tree of the HTML, the values of the JSON.
func BenchmarkPage(b *testing.B) {
	for _, page := range []struct {
		provider  scrapers.Provider
		file, key string
		status    int
	}{
		{scrapers.Lambda(), "pricing-page.html", "", 200},
		{scrapers.CoreWeave(), "pricing-page.html", "", 200},
		{scrapers.Crusoe(), "pricing-page.html", "", 200},
		{scrapers.RunPod(), "graphql.json", "", 200},
		{scrapers.Vast(), "bundles-api.h100-sxm.asc.json", "h100-sxm.asc", 200},
		{scrapers.Fluidstack(), "pricing-page.html", "", 404},
	} {
		id := page.provider.ID
		body, err := fs.ReadFile(recorded.Night(), string(id)+"/"+page.file)
		if err != nil {
			b.Fatal(err)
		}
		name, _, _ := strings.Cut(page.file, ".")
		source := sourceOf(b, page.provider, name)
		b.Run(string(id)+"/mtok", func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				got, err := source.Parse(scrapers.Page{Source: name, Key: page.key, Status: page.status,
					ContentType: "text/html; charset=utf-8", Body: body})
				if err != nil || len(got.Offers)+len(got.Notices) == 0 {
					b.Fatalf("%d offers, %d notices, %v", len(got.Offers), len(got.Notices), err)
				}
			}
		})
		if strings.HasSuffix(page.file, ".json") {
			b.Run(string(id)+"/encoding-json", func(b *testing.B) { decodeAll(b, body) })
			continue
		}
		b.Run(string(id)+"/x-net-html", func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				if _, err := html.Parse(bytes.NewReader(body)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func decodeAll(b *testing.B, body []byte) {
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		var all any
		if err := json.Unmarshal(body, &all); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMatch finds the class of a GPU by name, which the night does once a
// name. The floor is a look-up in a map of the names.
func BenchmarkMatch(b *testing.B) {
	catalog := loadCatalog(b)
	b.Run("mtok", func(b *testing.B) {
		for b.Loop() {
			if catalog.Match("vast", "H100 SXM", "", 81559) != "h100-sxm-80gb" {
				b.Fatal("no match")
			}
		}
	})
	b.Run("map", func(b *testing.B) {
		names := map[schema.ProviderID]map[string]schema.ClassID{"vast": {"h100 sxm": "h100-sxm-80gb"}}
		for b.Loop() {
			if names["vast"][strings.ToLower("H100 SXM")] != "h100-sxm-80gb" {
				b.Fatal("no match")
			}
		}
	})
}
