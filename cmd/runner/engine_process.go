package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

// engineFlags is what the user gave `runner engine`.
type engineFlags struct {
	engine, runtime string
	maxRuns, forks  int
	warm            []string
	sweepEvery      time.Duration
	front           frontFlags
}

// frontFlags name the socket of a front, and its user. Both are there, or none.
type frontFlags struct{ socket, user string }

// String is what is said of the front where there is one.
func (f frontFlags) String() string {
	if f.socket == "" {
		return ""
	}
	return fmt.Sprintf(", and for %s at %s", inLine(f.user), inLine(f.socket))
}

const engineHelp = `Stay, and carry out what other commands of the same user ask for.

While it listens, run, check and session of the same state directory ask it, and need no
start of their own: what it has read and compiled it keeps. They print the same, and end
with the same exit code; --cold does without it. It listens on engine.sock in the state
directory, which only its user may open. It runs in the foreground, for a service manager
to start.

It keeps sandboxes ready, whose guards have imported their packages
and loaded the bundle, for each kind of request that has come lately; none is used twice.
The first request of a kind is as slow as without. --warm POLICY or --warm POLICY:BUNDLE
makes them before there is one, and "engine ready" is said when they are there; it answers
before that. A policy with isolation.warm: never has none.

It takes --max-runs requests at a time; more of them wait, and each caller has a turn.
Open sessions leave one place for others, unless there is only one. On SIGTERM or Ctrl-C
it refuses new requests, waits for those that run, and ends. A second signal cancels
them. Each minute it removes what runners that were killed have left. What
it leaves when it is killed is removed by the next engine, or command that runs cold.

--front-socket PATH --front-user NAME has it listen for a front, too: a process of another
user, which has no privileges and asks for callers of its own. Who comes through there has
no right to tools of its own, to a runtime, or to a run without the guard. PATH lies in a
directory that only root can write; the last one of it is made.

With --engine kubernetes it needs no root. It can have a front of its own user then, in
another container with processes of its own: one that it can see is not answered.`

func (a *app) engineCommand() *cobra.Command {
	var flags engineFlags
	command := &cobra.Command{
		Use:   "engine",
		Short: "Stay, and carry out the runs of other commands",
		Long:  engineHelp,
		Example: `  runner engine
  runner engine --warm study-analysis:public-health
  runner engine --front-socket /run/hotcell-engine/engine.sock --front-user hotcell-serve
  systemd-run --unit hotcell -p Type=exec -p Delegate=yes runner engine --max-runs 8`,
		Args: arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.keepEngine(cmd, flags) },
	}
	addEngine(command, &flags.engine)
	addRuntime(command, &flags.runtime)
	command.Flags().IntVar(&flags.maxRuns, "max-runs", 0, "`number` of runs at a time (default: two for each CPU and one for each GiB of memory at most; in a cluster 32)")
	command.Flags().IntVar(&flags.forks, "forks", 0, "`number` of sandboxes after which a template is replaced (default: 1000, which is the most)")
	command.AddCommand(a.engineStatusCommand(), a.enginePrepareCommand())
	command.Flags().StringArrayVar(&flags.warm, "warm", nil, "keep sandboxes ready from the start, for `POLICY[:BUNDLE]`; can be repeated")
	command.Flags().StringVar(&flags.front.socket, "front-socket", "", "listen at a second socket, `PATH`, for a front that has no privileges")
	command.Flags().StringVar(&flags.front.user, "front-user", "", "the front's user, by `NAME` or number: nobody else is answered there")
	command.Flags().DurationVar(&flags.sweepEvery, "sweep-every", time.Minute, "`time` between two sweeps")
	hide(command, "sweep-every") // for tests
	return command
}
