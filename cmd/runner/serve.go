package main

import (
	"github.com/spf13/cobra"

	"hotcell/internal/serveconfig"
)

// serveFlags is what the user gave `runner serve`.
type serveFlags struct {
	config string
	check  bool
}

const serveHelp = `Take runs over HTTP, and have the engine process carry them out.

It needs no rights and refuses root's: it reads what strangers send. What it has of this
host is the socket that "runner engine --front-socket PATH --front-user NAME" has made
for it; that process makes the containers, and keeps the records.

Without a configuration it listens on /run/hotcell/hotcell.sock, for root and the group
hotcell. Other addresses, tokens, certificates, OpenID providers and quotas are in a file
(see docs/service.md). --check reads that and looks at all that it names on this host, as
the user who runs it: users, groups, directories, sockets, tokens, certificates, and the
engine. It says all that is wrong at once, and ends.

A run is on the disk before it is accepted, and its code is begun once at most, whichever
of the processes is killed. On SIGTERM or Ctrl-C it takes no new runs, tells open
sessions, waits for what runs as long as the configuration says, and ends: what has not
begun, and what still runs, is there when it starts again.`

func (a *app) serveCommand() *cobra.Command {
	var flags serveFlags
	command := &cobra.Command{
		Use:   "serve",
		Short: "Take runs over HTTP, without rights of its own",
		Long:  serveHelp,
		Example: `  runner serve --check
  runner serve --config serve.yaml
  curl --unix-socket /run/hotcell/hotcell.sock http://localhost/v1/policies`,
		Args: arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd, flags) },
	}
	command.Flags().StringVar(&flags.config, "config", "", "`file` to read (default: "+serveconfig.DefaultPath+", where there is one)")
	command.Flags().BoolVar(&flags.check, "check", false, "say all that is wrong with the configuration and this host, and end")
	return command
}
