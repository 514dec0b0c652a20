package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"hotcell/internal/engineapi"
	"hotcell/internal/serveconfig"
)

func (a *app) serve(cmd *cobra.Command, flags serveFlags) error {
	config, err := serveConfig(flags.config)
	if err != nil {
		return usageError{err}
	}
	if flags.check {
		return a.checkServe(cmd.Context(), config)
	}
	// Of a user that is not to read the network, what the host has for it says nothing.
	if err := cmp.Or(withoutRights(), config.HostFaults()); err != nil {
		return usageError{err}
	}
	collectSooner()
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

// checkServe says all that would keep a service of this configuration, and of this user, from
// answering. Root is no such user: what it may read and write says nothing of one.
func (a *app) checkServe(ctx context.Context, config serveconfig.Config) error {
	if os.Geteuid() == 0 {
		return usageError{errors.New("the file is right; what it names on this host is looked at as the service's user, not as root: " +
			"run it so, for example `setpriv --reuid hotcell-serve --regid hotcell-serve --groups GID runner serve --check`, with the number of the group that its socket is to have")}
	}
	engine := engineapi.NewFront(config.Engine)
	defer engine.Close()
	_, err := engine.About(ctx)
	if err != nil {
		err = fmt.Errorf("engine: %w", err)
	}
	if err := errors.Join(withoutRights(), config.HostFaults(), err); err != nil {
		return usageError{err}
	}
	_, err = fmt.Fprintln(a.stdout, "nothing is wrong with the configuration, and the engine answers")
	return err
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
