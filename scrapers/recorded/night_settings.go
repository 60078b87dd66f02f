package recorded

import (
	"mtok/schema"
	"mtok/scrapers"
)

// NightSettings ask for what the built-in night holds of a provider that is
// asked model by model.
func NightSettings() map[schema.ProviderID]scrapers.Settings {
	return map[schema.ProviderID]scrapers.Settings{
		"vast": {Models: []string{"H100 SXM", "A100 SXM4", "MI300X"}},
	}
}
