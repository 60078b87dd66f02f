package main

import (
	"strings"
	"testing"
)

// A table where an array of tables is wanted is dropped by the library without a
// word: a rule or a fleet that is written so must not be lost in silence.
func TestBracketsOfTablesAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"[alert]\nname = \"x\"\n":              `line 1: key "alert": is written [[alert]]`,
		"\n[workload]\nname = \"x\"\n":         `line 2: key "workload": is written [[workload]]`,
		"[channel]\n":                          `line 1: key "channel": is written [[channel]]`,
		"[fleet]\nname = \"x\"\n":              `line 1: key "fleet": is written [[fleet]]`,
		"[quote]\n":                            `line 1: key "quote": is written [[quote]]`,
		"[throughput]\n":                       `line 1: key "throughput": is written [[throughput]]`,
		"[model]\n":                            `line 1: key "model": is written [[model]]`,
		"[api]\n":                              `line 1: key "api": is written [[api]]`,
		"[reference]\n":                        `line 1: key "reference": is written [[reference]]`,
		"alert.name = \"x\"\n":                 `line 1: key "alert": is written [[alert]]`,
		"alert = {name = \"x\"}\n":             `line 1: key "alert": is written [[alert]]`,
		"[[alert]]\nname = \"x\"\n[alert]\n":   `line 3: key "alert": is written [[alert]]`,
		"[store]\npath = \"x\"\n[[cost]]\n":    `line 3: key "cost": is written [cost], once`,
		"[[providers.vast]]\nenabled = true\n": `line 1: key "providers.vast": is written [providers.vast], once`,
		"[[store.path]]\n":                     `line 1: key "store.path": is no table`,
		"[[workload]]\nname = \"x\"\nconfigurations = [\n  {clas = \"h100\"},\n]\n": `line 4: unknown key "workload.configurations.clas"; did you mean "class"?`,
		"[[workload]]\nnam = \"x\"\nconfigurations = []\n":                          `line 2: unknown key "workload.nam"; did you mean "name"?`,
		"[[workload]]\nconfigurations = [{class = \"h100\"}]\nnam = \"x\"\n":        `line 3: unknown key "workload.nam"; did you mean "name"?`,
	} {
		config := defaultConfig()
		if err := decodeConfig([]byte(text), &config); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestBracketsLeaveWhatIsRight(t *testing.T) {
	for _, text := range []string{
		"alert = []\n", "fleet = []\n[cost]\nutilization = \"0.5\"\n",
		"[[fleet]]\nname = \"a\"\n[[fleet]]\nname = \"b\"\n", "[providers.vast]\nmodels = [\"H100\"]\n",
		"alert = [{name = \"x\", metric = \"stale_source\"}]\n", "workload = [{name = \"x\", configurations = [{class = \"h100\"}]}]\n",
	} {
		if err := brackets(keys([]byte(text))); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
