package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hotcell/internal/engineapi"
	"hotcell/internal/policy"
)

const engineStatusHelp = `Show what the engine process of this state directory does just now: how many requests run
and wait, and what it has ready for which kind of request.

READY is how many sandboxes wait, MADE how many have come from the template so far, MEMORY
what the template holds with its tables.

Exit codes: 0 it listens, 1 none listens, 2 usage, 125 it could not be asked.`

func (a *app) engineStatusCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "status",
		Short:   "Show what an engine process does, and what it has ready",
		Long:    engineStatusHelp,
		Example: "  runner engine status --json",
		Args:    arguments(0, 0, "no argument"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.engineStatus(cmd.Context()) },
	}
}

func (a *app) engineStatus(ctx context.Context) error {
	status, err := a.askStatus(ctx)
	switch {
	case errors.Is(err, engineapi.ErrNone):
		return a.noEngine(fmt.Sprintf("no engine listens at %s: `runner engine` starts one", a.socket()))
	case errors.Is(err, engineapi.ErrDead):
		return a.noEngine(a.ofEngine(err).Error())
	case err != nil:
		return a.ofEngine(err)
	case a.json:
		return a.printJSON(status)
	default:
		return showStatus(a.stdout, status)
	}
}

func (a *app) askStatus(ctx context.Context) (status engineapi.Overview, err error) {
	if _, err := os.Lstat(a.socket()); errors.Is(err, fs.ErrNotExist) {
		return status, engineapi.ErrNone // a state directory is not made for a question
	}
	client, err := engineapi.Connect(ctx, a.state)
	if err != nil {
		return status, err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	return client.Status(ctx)
}

func (a *app) noEngine(message string) error {
	if a.json {
		if err := a.printJSON(map[string]any{"exit_code": 1, "error": map[string]any{"message": message, "exit_code": 1}}); err != nil {
			return err
		}
		return exitError(1)
	}
	fmt.Fprintln(a.stderr, "runner:", inLine(message))
	return exitError(1)
}

func showStatus(to io.Writer, status engineapi.Overview) error {
	about := status.Engine
	fmt.Fprintf(to, "engine     %s, runner %s%s\n", about.Engine, about.Version, draining(about))
	fmt.Fprintf(to, "runs       %d of %d at a time, %d waiting\n", status.Running, about.Places, status.Waiting)
	if status.RemovalsFailed > 0 {
		fmt.Fprintf(to, "removals   %d failed: the engine's warnings name the sandboxes\n", status.RemovalsFailed)
	}
	if len(status.Templates) == 0 {
		_, err := fmt.Fprintln(to, "templates  none")
		return err
	}
	held := int64(0)
	for _, one := range status.Templates {
		held += one.MemoryBytes
	}
	bound := ""
	if status.TemplatesBytes > 0 { // else they hold nothing of this machine's
		bound = fmt.Sprintf(", with %s of %s at most", policy.Size(held), policy.Size(status.TemplatesBytes))
	}
	fmt.Fprintf(to, "templates  %d%s\n\n", len(status.Templates), bound)
	return showTemplates(to, status.Templates)
}

func draining(about engineapi.Description) string {
	if about.Draining {
		return "; it ends, and takes no new requests"
	}
	return ""
}

func showTemplates(to io.Writer, all []engineapi.Kind) error {
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "FOR\tRUNTIME\tREADY\tMADE\tMEMORY\tAGE")
	for _, one := range all {
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%s\t%s\n", inLine(one.For), inLine(one.Runtime), one.Ready, one.Made, policy.Size(one.MemoryBytes), age(one))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, one := range all {
		if one.Failure == "" {
			continue
		}
		if _, err := fmt.Fprintf(to, "\n%s: no sandboxes can be made ready: %s\n", inLine(one.For), inLine(one.Failure)); err != nil {
			return err
		}
	}
	return nil
}

func age(one engineapi.Kind) string {
	switch {
	case one.AgeMS > 0:
		return (time.Duration(one.AgeMS) * time.Millisecond).Round(time.Second).String()
	case one.Failure != "":
		return "none"
	default:
		return "being prepared"
	}
}
