package main

import (
	"fmt"
	"regexp"
	"strings"

	"mtok/schema"
)

// rowInvalid is an impossible value in the i-th table, from 0, of an array of
// tables.
func rowInvalid(table string, i int, key, format string, args ...any) error {
	path := []string{table}
	if key != "" {
		path = append(path, key)
	}
	return &invalid{key: path, reason: fmt.Sprintf(format, args...), row: i + 1}
}

// line is the line of the key: in its own table where it stands in an array of
// tables, else the line on which that table begins.
func (e *invalid) line(places []keyPlace) int {
	if e.row == 0 {
		return keyLine(places, e.key)
	}
	row := 0
	var own []keyPlace
	for _, p := range places {
		if p.table && len(p.path) == 1 && p.path[0] == e.key[0] {
			row++
		}
		if row == e.row && p.path[0] == e.key[0] {
			own = append(own, p)
		}
	}
	if len(own) == 0 { // an inline array
		own = places
	}
	return keyLine(own, e.key)
}

// validateCost checks the sections that costs are made of, and the rows that the
// user adds to the catalog.
func (c Config) validateCost() error {
	catalog, err := c.catalog()
	if err != nil {
		return err
	}
	if err := c.Overhead.validate(); err != nil {
		return err
	}
	if err := c.validateWorkloads(catalog); err != nil {
		return err
	}
	_, err = c.contracts(catalog)
	return err
}

// givenIn names the user's file in reports.
const givenIn = "config.toml"

// catalog is the embedded catalog with the user's rows.
func (c Config) catalog() (*schema.Catalog, error) {
	catalog, err := schema.LoadCatalog()
	if err != nil {
		return nil, err
	}
	if catalog, err = c.withModels(catalog); err != nil {
		return nil, err
	}
	return c.withThroughputs(catalog)
}

// catalog is that of the configuration in force.
func (a *app) catalog() (*schema.Catalog, error) { return a.config.catalog() }

// notANumber is what a schema.Decimal says of a text; the library passes it on
// without its place.
var notANumber = regexp.MustCompile(`"([^"]*)" is not a plain decimal number`)

// numberPlace adds key and line to such an error: those of the first key that has
// this very value.
func numberPlace(data []byte, err error) error {
	match := notANumber.FindStringSubmatch(err.Error())
	if match == nil {
		return err
	}
	lines := strings.Split(string(data), "\n")
	for _, k := range keys(data) {
		if k.table || k.line < 1 || k.line > len(lines) {
			continue
		}
		_, value, _ := strings.Cut(lines[k.line-1], "=")
		value, _, _ = strings.Cut(value, "#")
		if strings.Trim(strings.ReplaceAll(value, "_", ""), " \t\r\"'") == match[1] {
			return fmt.Errorf("line %d:%s %s", k.line, keyText(k.path), match[0])
		}
	}
	return err
}
