package scrapers_test

import (
	"net/http"
	"strings"
	"testing"

	"mtok/scrapers"
)

// TestDeepPage gives each parser a page of more open elements than the HTML
// parser takes, around a right one: an error, and no panic.
func TestDeepPage(t *testing.T) {
	body := []byte("<html><body>" + strings.Repeat("<b>", 600) + "<h2>Pricing</h2>$2.99" + "</body></html>")
	for _, p := range scrapers.All() {
		for _, source := range p.Sources {
			page := scrapers.Page{Source: source.Name, URL: p.Homepage, Status: http.StatusOK, Body: body}
			if result, err := source.Parse(page); err == nil {
				t.Errorf("%s %s: read %d offers", p.ID, source.Name, len(result.Offers))
			}
		}
	}
}
