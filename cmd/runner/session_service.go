package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hotcell/api"
)

// sessionList is for whoever has lost the id of a session, which keeps its place meanwhile.
func (a *app) sessionList() *cobra.Command {
	var server serverFlags
	var status string
	command := &cobra.Command{
		Use:   "ls",
		Short: "List the sessions of a service, the newest first",
		Long: `List the sessions of a service, the newest first: those that are open, and those that have
ended within the last hour.`,
		Example: "  runner session ls --status open --json",
		Args:    arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := server.required(cmd, sessionsHere); err != nil {
				return err
			}
			faults := &flagFaults{command: cmd}
			faults.refuse("status", !slices.Contains(sessionStates(), status), "one of "+strings.Join(sessionStates(), ", "))
			if err := faults.usage(); err != nil {
				return err
			}
			service, err := a.connected(server)
			if err != nil {
				return err
			}
			found := []api.Session{}
			for session, err := range service.Sessions(cmd.Context(), api.SessionState(status)) {
				if err != nil {
					return ofService(service.Name(), err)
				}
				found = append(found, session)
			}
			return a.printSessions(found)
		},
	}
	addRequiredServer(command, &server)
	command.Flags().StringVar(&status, "status", "", "only sessions with this `status`: opening, open, busy or closed")
	complete(command, "status", fixed(sessionStates()...))
	return command
}

func sessionStates() []string {
	var all []string
	for _, one := range api.SessionStates() {
		all = append(all, string(one))
	}
	return all
}

func (a *app) printSessions(found []api.Session) error {
	if a.json {
		return a.printJSON(map[string]any{"sessions": found})
	}
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "SESSION\tSTATUS\tPOLICY\tCREATED\tSTEPS\tOVER")
	for _, one := range found {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%s\n", one.SessionID, inLine(string(one.Status)), inLine(one.Policy),
			one.CreatedAt.UTC().Format(time.RFC3339), one.Steps, inLine(one.Over))
	}
	return table.Flush()
}

func (a *app) sessionClose() *cobra.Command {
	var server serverFlags
	command := &cobra.Command{
		Use:   "close ID",
		Short: "Close a session of a service",
		Long: `Close a session of a service, and await its end. A step that goes on is interrupted. One
that is closed stays as it is.`,
		Example: "  runner session close 1795219431042-9f86d081884c7d65",
		Args:    arguments(1, 1, "the id of one session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			service, id, err := a.asked(cmd, server, "session", args[0])
			if err != nil {
				return err
			}
			closed, err := service.CloseSession(cmd.Context(), id)
			if err != nil {
				return ofService(service.Name(), err)
			}
			if a.json {
				return a.printJSON(closed)
			}
			return nil
		},
	}
	addRequiredServer(command, &server)
	return command
}
