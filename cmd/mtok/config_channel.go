package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"mtok/reports/notify"
	"mtok/schema"
)

// ChannelConfig is one [[channel]]: where alerts go. Its URL holds a password or a
// token, so that it never stands in the file.
type ChannelConfig struct {
	Name string `toml:"name"`
	// URLEnv names the environment variable with the URL, and URLFile a file that
	// holds it.
	URLEnv  string `toml:"url_env,omitempty"`
	URLFile string `toml:"url_file,omitempty"`
	// Operator is for who runs mtok: rules of that severity go to such a channel
	// alone, if there is one, and other rules only where they name it.
	Operator bool `toml:"operator,omitempty"`
}

// HeartbeatConfig is the URL that is asked for after each complete night.
type HeartbeatConfig struct {
	URLEnv  string `toml:"url_env"`
	URLFile string `toml:"url_file,omitempty"`
}

func (c Config) validateChannels() error {
	for i, channel := range c.Channels {
		fault := func(key, format string, args ...any) error { return rowInvalid("channel", i, key, format, args...) }
		name := channel.Name
		if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return fault("name", "%q is no name: letters, digits and signs without blanks", name)
		}
		for _, earlier := range c.Channels[:i] {
			if earlier.Name == name {
				return fault("name", "%q stands twice", name)
			}
		}
		if key, reason := urlPlace(channel.URLEnv, channel.URLFile); reason != "" {
			return fault(key, "%s", reason)
		}
		if channel.URLEnv == "" && channel.URLFile == "" {
			return fault("url_env", "is missing: the environment variable that holds the URL, or url_file")
		}
	}
	if key, reason := urlPlace(c.Heartbeat.URLEnv, c.Heartbeat.URLFile); reason != "" {
		return invalidf([]string{"heartbeat", key}, "%s", reason)
	}
	return nil
}

// urlPlace says which key of where a URL is found can't be, and why.
func urlPlace(env, file string) (key, reason string) {
	switch {
	case env != "" && !envName.MatchString(env):
		return "url_env", "is not the name of an environment variable (the URL itself never stands here)"
	case env != "" && file != "":
		return "url_file", "and url_env exclude each other"
	}
	return "", ""
}

// secretURL reads a URL from its file, else from its environment variable.
func (a *app) secretURL(env, file string) (schema.Secret, error) {
	text, where := a.Env(env), "environment variable "+env
	if file != "" {
		where = "url_file " + file
		info, err := os.Stat(file)
		if err != nil {
			return "", fmt.Errorf("url_file can't be read: %w", err)
		}
		if !info.Mode().IsRegular() || info.Size() > maxKeyFile {
			return "", fmt.Errorf("%s is no file with a URL", where)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("url_file can't be read: %w", err)
		}
		text = string(data)
	}
	switch text = strings.TrimSpace(text); {
	case text == "" && file == "":
		return "", fmt.Errorf("the %s is not set", where)
	case text == "":
		return "", fmt.Errorf("%s is empty", where)
	case strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", errors.New("its URL has white space or odd characters in it")
	}
	return schema.Secret(text), nil
}

// channels are those of the configuration with their URLs. One whose URL is not to be
// had keeps the reason: its messages wait for it.
func (a *app) channels() []notify.Channel {
	var out []notify.Channel
	for _, c := range a.config.Channels {
		channel := notify.Channel{Name: c.Name}
		url, err := a.secretURL(c.URLEnv, c.URLFile)
		if err != nil {
			channel.Broken = err.Error()
		}
		channel.URL = url
		out = append(out, channel)
	}
	return out
}

func (c Config) channelNames() []string {
	names := []string{}
	for _, channel := range c.Channels {
		names = append(names, channel.Name)
	}
	return names
}
