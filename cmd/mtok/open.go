package main

import (
	"context"
	"errors"
	"fmt"

	"mtok/schema/store"
)

// openStore opens the database of the configuration.
func (a *app) openStore(ctx context.Context, mode store.Mode) (*store.Store, error) {
	c := store.Config{Path: a.config.Store.Path, Mode: mode}
	if env := a.config.Store.DSNEnv; env != "" {
		dsn := a.Env(env)
		if dsn == "" {
			return nil, usagef("[store] dsn_env names %s, which is not set", env)
		}
		c.Path, c.DSN = "", store.DSN(dsn)
	}
	s, err := store.Open(ctx, c, a.Now)
	switch {
	case errors.Is(err, store.ErrNoDatabase):
		return nil, fmt.Errorf("%w (mtok nightly makes it; mtok demo fills one of its own)", err)
	case errors.Is(err, store.ErrOlder):
		return nil, fmt.Errorf("%w (mtok db migrate does it, as the next night would)", err)
	}
	return s, err
}

// withStore runs f on an open database and closes it.
func (a *app) withStore(ctx context.Context, mode store.Mode, f func(*store.Store) error) error {
	s, err := a.openStore(ctx, mode)
	if err != nil {
		return err
	}
	return errors.Join(f(s), s.Close())
}
