package main

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"mtok/pipeline/schedule"
)

// ScheduleConfig says when `serve` runs the night, and what `generate` writes.
type ScheduleConfig struct {
	// Spec is five cron fields in UTC, at most one slot a day.
	Spec string `toml:"spec"`
	// Jitter is by how much at most this copy's slots are moved.
	Jitter string `toml:"jitter"`
}

// ServeConfig says where `serve` answers.
type ServeConfig struct {
	Listen string `toml:"listen"`
}

// spec reads the schedule; the seed chooses the jitter of this copy.
func (c ScheduleConfig) spec(seed string) (schedule.Spec, error) {
	spec, err := schedule.Parse(c.Spec)
	if err != nil {
		return schedule.Spec{}, invalidf([]string{"schedule", "spec"}, "%s", err)
	}
	jitter, err := time.ParseDuration(c.Jitter)
	if err != nil {
		return schedule.Spec{}, invalidf([]string{"schedule", "jitter"}, "%q is no duration such as \"20m\"", c.Jitter)
	}
	if spec, err = spec.WithJitter(jitter, seed); err != nil {
		return schedule.Spec{}, invalidf([]string{"schedule", "jitter"}, "%s", err)
	}
	return spec, nil
}

func (c ServeConfig) validate() error {
	if err := checkListen(c.Listen); err != nil {
		return invalidf([]string{"serve", "listen"}, "%s", err)
	}
	return nil
}

// checkListen wants host:port, or nothing for no server.
func checkListen(addr string) error {
	if addr == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("%q is no address such as \"127.0.0.1:8080\"", addr)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("%q is no port", port)
	}
	return nil
}

// schedule is the schedule of this copy: the same at every start, another on
// another host or for another database.
func (a *app) schedule() (schedule.Spec, error) {
	host, err := os.Hostname()
	if err != nil {
		return schedule.Spec{}, fmt.Errorf("name of this host: %w", err)
	}
	return a.config.Schedule.spec(host + " " + a.databaseName())
}
