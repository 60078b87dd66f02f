package main

import (
	"mtok/schema"
)

// withModels adds the user's models, [[model]].
func (c Config) withModels(catalog *schema.Catalog) (*schema.Catalog, error) {
	for i, m := range c.Models {
		if faults := m.Faults(); len(faults) > 0 {
			return nil, rowInvalid("model", i, faults[0].Key, "%s", faults[0].Reason)
		}
		for _, earlier := range c.Models[:i] {
			if earlier.ID == m.ID {
				return nil, rowInvalid("model", i, "model", "%q stands twice", m.ID)
			}
		}
		with, err := catalog.With(schema.UserRows{Models: []schema.Model{m}}, givenIn)
		if err != nil {
			return nil, rowInvalid("model", i, "model", "%s", err)
		}
		catalog = with
	}
	return catalog, nil
}
