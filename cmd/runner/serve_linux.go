package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"

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

// bindLowPorts is CAP_NET_BIND_SERVICE alone, as the kernel shows it.
const bindLowPorts = "400"

// withoutRights refuses to read the network with the rights of root, whoever gave them.
func withoutRights() error {
	const plea = "start it as a user of its own, for example with systemd's User= or with setpriv --reuid"
	if os.Geteuid() == 0 {
		return errors.New("runner serve reads what strangers send, and does not do so as root: " + plea)
	}
	status, err := os.ReadFile("/proc/self/status") //nolint:forbidigo // the kernel's, of this process
	if err != nil {
		return fmt.Errorf("look at the capabilities of this process: %w", err)
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		mask := strings.TrimLeft(strings.TrimSpace(value), "0")
		if (name == "CapEff" || name == "CapPrm" || name == "CapAmb") && mask != "" && mask != bindLowPorts {
			return fmt.Errorf("runner serve has capabilities (%s is %s), and needs none: %s", name, strings.TrimSpace(value), plea)
		}
	}
	return nil
}

// serviceLogger writes a JSON object a line.
func serviceLogger(to io.Writer, level string) (*slog.Logger, error) {
	var chosen slog.Level
	if err := chosen.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("log.level: %w", err)
	}
	return slog.New(slog.NewJSONHandler(to, &slog.HandlerOptions{Level: chosen})), nil
}
