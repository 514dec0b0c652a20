package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"hotcell/internal/serveconfig"
)

func (a *app) serve(cmd *cobra.Command, flags serveFlags) error {
	config, err := serveConfig(flags.config)
	if err != nil {
		return usageError{err}
	}
	if flags.check {
		_, err := fmt.Fprintln(a.stdout, "nothing is wrong with the configuration")
		return err
	}
	if err := withoutRights(); err != nil {
		return usageError{err}
	}
	unix.Umask(0o077) // SQLite's log has code and inputs; a socket's mode is the configuration's
	logger, err := serviceLogger(a.stderr, config.Log.Level)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	made, err := newFrontProcess(ctx, config, logger)
	if err != nil {
		return err
	}
	return errors.Join(made.lead(ctx), made.close(ctx))
}

// serveConfig is what the file says, or the default of a host that has none.
func serveConfig(path string) (serveconfig.Config, error) {
	config, err := serveconfig.Load(cmp.Or(path, serveconfig.DefaultPath))
	if path == "" && errors.Is(err, fs.ErrNotExist) {
		return serveconfig.Default(), nil
	}
	return config, err
}

// serviceLogger writes a JSON object a line.
func serviceLogger(to io.Writer, level string) (*slog.Logger, error) {
	var chosen slog.Level
	if err := chosen.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("log.level: %w", err)
	}
	return slog.New(slog.NewJSONHandler(to, &slog.HandlerOptions{Level: chosen})), nil
}
