package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"mtok/schema"
)

// loadConfig reads the named file, or the first default one that exists, over
// the built-in defaults.
func loadConfig(path string, env func(string) string, today schema.Day) (Config, error) {
	config := defaultConfig()
	config.today = today
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
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if err := brackets(keys(data)); err != nil {
		return err
	}
	decoder := toml.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(config); err != nil {
		return explainTOML(data, err)
	}
	// The library folds case, so that [Cost] would quietly overrule [cost].
	for _, k := range keys(data) {
		if name := strings.Join(k.path, "."); name != strings.ToLower(name) {
			return fmt.Errorf("line %d: unknown key %q: keys are lower case", k.line, name)
		}
	}
	if err := config.Validate(); err != nil {
		return locate(data, err)
	}
	return nil
}

// explainTOML names key and line of what the library could not decode.
func explainTOML(data []byte, err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		first := strict.Errors[0]
		line, _ := first.Position()
		key := fullKey(keys(data), first.Key(), line)
		return fmt.Errorf("line %d: unknown key %q%s", line, strings.Join(key, "."), nearKey(key))
	}
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		line, _ := decode.Position()
		return fmt.Errorf("line %d:%s %s", line, keyText(keyAt(data, line)), plainWords(decode.Error()))
	}
	return numberPlace(data, err)
}

// locate names key and line of a value that decodes but cannot be.
func locate(data []byte, err error) error {
	var bad *invalid
	if errors.As(err, &bad) {
		return fmt.Errorf("line %d:%s %s", bad.line(keys(data)), keyText(bad.key), bad.reason)
	}
	return err
}

func keyText(path []string) string {
	if len(path) == 0 {
		return ""
	}
	return fmt.Sprintf(" key %q:", strings.Join(path, "."))
}

var goField = regexp.MustCompile(`cannot decode TOML (\w+) into struct field \S+ of type (\S+)`)

// plainWords takes the names of Go types out of a message of the library.
func plainWords(message string) string {
	plain := goField.ReplaceAllString(strings.TrimPrefix(message, "toml: "), "a $1 stands where a $2 is wanted")
	return strings.NewReplacer("a integer", "an integer", "a array", "an array", "a int64", "an integer", "a int ", "an integer ").Replace(plain)
}
