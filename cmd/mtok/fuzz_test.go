package main

import (
	"os"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// FuzzConfig decodes whatever bytes: they are refused, or make a configuration
// that is valid, whose settings can be used, and which `config show` prints so
// that it can be read again.
func FuzzConfig(f *testing.F) {
	complete, err := os.ReadFile("../../config.toml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(complete)
	for _, text := range []string{
		nightConfig, "[store]\npath = \"\"\n", "[Cost]\nutilization = 0.5\n", "[cost]\nutilization = \"0.65\"\noverhead = 1e9\n",
		"[providers.lambda]\nenabled = false\n", "[providers.nobody]\n", "[eligible]\nmin_reliability = 1.5\n", "report.max_age_days = 3\n",
		"[fetch]\ncontact = \"https://example.org/why\"\n", "[store]\ndsn_env = \"postgres://u:p@h/d\"\n", "\xef\xbb\xbf[store]\n", "a = [", "[[store]]\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		config := defaultConfig()
		if err := decodeConfig(data, &config); err != nil {
			if err.Error() == "" {
				t.Fatal("refused without a word")
			}
			return
		}
		if err := config.Validate(); err != nil {
			t.Fatalf("taken, but invalid: %v", err)
		}
		if err := config.settings().Validate(); err != nil {
			t.Fatalf("taken, but its settings are invalid: %v", err)
		}
		shown, err := toml.Marshal(config)
		if err != nil {
			t.Fatalf("can't be shown: %v", err)
		}
		again := defaultConfig()
		if err := decodeConfig(shown, &again); err != nil {
			t.Fatalf("shown as\n%s\nwhich is refused: %v", shown, err)
		}
		if twice, err := toml.Marshal(again); err != nil || string(twice) != string(shown) {
			t.Fatalf("shown as\n%s\nthen as\n%s\n%v", shown, twice, err)
		}
	})
}
