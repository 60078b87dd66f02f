package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// loadConfig reads the named file, or the first default one that exists, over
// the built-in defaults.
func loadConfig(path string, env func(string) string) (Config, error) {
	config := defaultConfig()
	if path == "" {
		path = findConfig(env)
	}
	if path == "" {
		return config, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return Config{}, usagef("configuration: %w", err)
	}
	if err := decodeConfig(data, &config); err != nil {
		return Config{}, usagef("configuration %s: %w", path, err)
	}
	config.path = path
	return config, nil
}

func findConfig(env func(string) string) string {
	candidates := []string{"config.toml"}
	if dir := env("XDG_CONFIG_HOME"); dir != "" {
		candidates = append(candidates, filepath.Join(dir, "mtok", "config.toml"))
	} else if dir, err := os.UserConfigDir(); err == nil {
		candidates = append(candidates, filepath.Join(dir, "mtok", "config.toml"))
	}
	for _, c := range candidates {
		if info, err := os.Stat(c); err == nil && info.Mode().IsRegular() {
			return c
		}
	}
	return ""
}

// decodeConfig is strict: an unknown key, a wrong type or an impossible value
// is an error that names key and line.
func decodeConfig(data []byte, config *Config) error {
	decoder := toml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(config)
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		first := strict.Errors[0]
		line, _ := first.Position()
		return fmt.Errorf("line %d: unknown key %q", line, strings.Join(first.Key(), "."))
	}
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		line, _ := decode.Position()
		return fmt.Errorf("line %d: key %q: %s", line, strings.Join(decode.Key(), "."), strings.TrimPrefix(decode.Error(), "toml: "))
	}
	if err != nil {
		return err
	}
	if err := config.Validate(); err != nil {
		var bad *invalid
		if errors.As(err, &bad) {
			return fmt.Errorf("line %d: key %q: %s", keyLine(data, bad.key), strings.Join(bad.key, "."), bad.reason)
		}
		return err
	}
	return nil
}

// keyLine finds the line on which a key, or failing that its nearest parent
// table, is set; 0 when the file does not mention it.
func keyLine(data []byte, key []string) int {
	var parser unstable.Parser
	parser.Reset(data)
	line, table, best := 0, []string(nil), 0
	for parser.NextExpression() {
		node := parser.Expression()
		var path []string
		var at int
		for it := node.Key(); it.Next(); {
			path = append(path, string(it.Node().Data))
			at = parser.Shape(it.Node().Raw).Start.Line
		}
		if node.Kind == unstable.Table || node.Kind == unstable.ArrayTable {
			table = path
		} else {
			path = slices.Concat(table, path)
		}
		if n := commonPrefix(path, key); n > best && n == len(path) {
			best, line = n, at
		}
	}
	return line
}

func commonPrefix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
