package main

import (
	"fmt"
	"os"
	"strings"

	"mtok/schema"
	"mtok/scrapers"
)

// maxKeyFile bounds a file that holds a key: a larger one is some other file.
const maxKeyFile = 4096

// providerSettings are what the configuration gives to each provider's sources.
func (a *app) providerSettings(providers []scrapers.Provider) (map[schema.ProviderID]scrapers.Settings, error) {
	out := make(map[schema.ProviderID]scrapers.Settings, len(providers))
	for _, p := range providers {
		c := a.config.Providers[p.ID]
		key, err := a.apiKey(c)
		if err != nil {
			return nil, usagef("[providers.%s] %w", p.ID, err)
		}
		out[p.ID] = scrapers.Settings{Models: a.config.apiModels(p.ID), APIKey: key}
	}
	return out, nil
}

// apiKey reads a key from its file, else from its environment variable; a
// variable that is not set means no key.
func (a *app) apiKey(c ProviderConfig) (schema.Secret, error) {
	if c.APIKeyFile == "" {
		if c.APIKeyEnv == "" {
			return "", nil
		}
		return oneLine(a.Env(c.APIKeyEnv), "environment variable "+c.APIKeyEnv)
	}
	info, err := os.Stat(c.APIKeyFile)
	if err != nil {
		return "", fmt.Errorf("api_key_file: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxKeyFile {
		return "", fmt.Errorf("api_key_file %s is no file with a key", c.APIKeyFile)
	}
	data, err := os.ReadFile(c.APIKeyFile)
	if err != nil {
		return "", fmt.Errorf("api_key_file: %w", err)
	}
	return oneLine(string(data), "api_key_file "+c.APIKeyFile)
}

// oneLine takes the white space off a key; a key of several words would break
// out of its header.
func oneLine(text, where string) (schema.Secret, error) {
	text = strings.TrimSpace(text)
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("%s holds no key: it has white space or odd characters in it", where)
	}
	return schema.Secret(text), nil
}
