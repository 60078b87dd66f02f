package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"mtok/reports/notify"
	"mtok/schema"
)

func (a *app) alertsTestCommand() *cobra.Command {
	return &cobra.Command{
		Use: "test [CHANNEL]", Short: "send a test message to a channel, or to all of them", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.testChannels(cmd.Context(), args) },
	}
}

var errNotSent = errors.New("not every channel took the test message")

func (a *app) testChannels(ctx context.Context, only []string) error {
	channels, err := a.chosenChannels(only)
	if err != nil {
		return err
	}
	failed := false
	for _, c := range channels {
		now := a.Now().UTC()
		sum := sha256.Sum256([]byte("test " + c.Name + " " + now.Format(time.RFC3339Nano)))
		m := notify.Compose(hex.EncodeToString(sum[:12]), []schema.AlertEvent{{
			Day: schema.DayOf(now), Detail: fmt.Sprintf("[mtok] TEST of channel %s: alerts arrive here\nSent %s UTC by mtok %s.",
				c.Name, now.Format("2006-01-02 15:04:05"), version),
		}})
		if err := a.sender().Send(ctx, c, m); err != nil {
			failed = true
			fmt.Fprintf(a.stdout, "%s: not sent: %s\n", c.Name, err)
			continue
		}
		fmt.Fprintf(a.stdout, "%s: sent\n", c.Name)
	}
	if failed {
		return errNotSent
	}
	return nil
}

// chosenChannels are the one that is named, or all.
func (a *app) chosenChannels(only []string) ([]notify.Channel, error) {
	channels := a.channels()
	if len(channels) == 0 {
		return nil, usagef("the configuration has no [[channel]]")
	}
	if len(only) == 0 {
		return channels, nil
	}
	i := slices.IndexFunc(channels, func(c notify.Channel) bool { return c.Name == only[0] })
	if i < 0 {
		return nil, usagef("unknown channel %q; %s", only[0], nearHint(only[0], a.config.channelNames()))
	}
	return channels[i : i+1], nil
}
