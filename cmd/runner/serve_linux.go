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

	"hotcell/internal/durable"
	"hotcell/internal/engineapi"
	"hotcell/internal/serveconfig"
	"hotcell/internal/service"
)

func (a *app) serve(cmd *cobra.Command, flags serveFlags) error {
	config, err := serveConfig(flags.config)
	if err != nil {
		return usageError{err}
	}
	if flags.check {
		return a.checkServe(cmd.Context(), config)
	}
	// Of a user that is not to read the network, what the host has for it says nothing. What may pass
	// is met again where it is opened, and a unit tries that again.
	ctx := cmd.Context()
	if err := withoutRights(); err != nil {
		return usageError{err}
	}
	if err := hostFaults(ctx, config).Lasts; err != nil {
		return usageError{err}
	}
	collectSooner()
	unix.Umask(0o077) // SQLite's log has code and inputs; a socket's mode is the configuration's
	logger, err := serviceLogger(a.stderr, config.Log.Level)
	if err != nil {
		return err
	}
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
	found := hostFaults(ctx, config)
	running := errors.Is(found.Passes, service.ErrInUse)
	if running { // what else is taken is taken by that one, as far as can be told
		found.Passes = nil
	}
	if err := errors.Join(withoutRights(), found.Lasts, found.Passes, engineFault(ctx, config.Engine)); err != nil {
		return usageError{err}
	}
	right := "nothing is wrong with the configuration, and the engine answers"
	if running {
		right += "; a service runs in " + config.Data + ", which has to end before another one starts: what is taken now was passed over"
	}
	_, err := fmt.Fprintln(a.stdout, right)
	return err
}

// hostFaults are those of the host, the service's own directory included.
func hostFaults(ctx context.Context, config serveconfig.Config) serveconfig.Faults {
	found := config.HostFaults(ctx)
	err := service.CheckDir(config.Data)
	switch {
	case errors.Is(err, service.ErrInUse):
		found.Passes = errors.Join(found.Passes, fmt.Errorf("data: %s: %w: end that one, or name another directory", config.Data, err))
	case err != nil:
		found.Lasts = errors.Join(found.Lasts, fmt.Errorf("data: %w", err))
	}
	return found
}

// engineFault says why no engine answers, with the command that starts one.
func engineFault(ctx context.Context, socket string) error {
	engine := engineapi.NewFront(socket)
	defer engine.Close()
	_, err := engine.About(ctx)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, engineapi.ErrNone), errors.Is(err, engineapi.ErrDead):
		const way = "engine: none listens at %s: start it as root by `runner engine --front-socket %s --front-user %s` (of the package, `systemctl start hotcell-engine`)"
		return fmt.Errorf(way, socket, socket, durable.ThisUser())
	}
	return fmt.Errorf("engine: %w", err)
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
