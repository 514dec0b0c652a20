package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/runner"
)

const recordsVerifyHelp = `Read the whole audit chain, and everything that is kept of every run, and say what is not as
it was: an event, a record, the saved code or a file that was changed, removed, added or
moved. Each is one line.

Who can write the state directory can also make another chain that holds in itself. That
finds only what was kept elsewhere.

Exit codes: 0 all holds, 1 something does not, 2 usage, 125 it could not be read.`

func (a *app) recordsVerify() *cobra.Command {
	return &cobra.Command{
		Use:   "verify",
		Short: "Find every record, event or file that was changed, removed or added",
		Long:  recordsVerifyHelp,
		Example: `  runner records verify
  runner --state /mnt/copy records verify --json`,
		Args: arguments(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.verifyRecords(cmd.Context()) },
	}
}

func (a *app) verifyRecords(ctx context.Context) error {
	view, err := a.lookAtRecords()
	if err != nil {
		return err
	}
	progress := newProgress(a.stderr)
	defer progress.close()
	found, err := view.Verify(ctx, records.VerifyOptions{Progress: func(done, total int64) {
		progress.phase(runner.Phase(fmt.Sprintf("verifying run %d of %d", done+1, total)))
	}})
	progress.close()
	if err != nil {
		return err
	}
	return a.showVerification(found)
}

func (a *app) showVerification(found records.Verification) error {
	if a.json {
		if err := a.printJSON(found); err != nil {
			return err
		}
	} else {
		for _, fault := range found.Faults {
			fmt.Fprintf(a.stdout, "✗ %s: %s\n", fault.Problem, inLine(fault.Message))
		}
		mark, verdict := "✓", "all of it holds"
		if len(found.Faults) > 0 {
			mark, verdict = "✗", counted(len(found.Faults), "fault")
		}
		fmt.Fprintf(a.stdout, "%s %s, %s, %s, %s: %s\n", mark, counted(int(found.Events), "event"), counted(int(found.Runs), "run"),
			counted(int(found.Files), "file"), policy.Size(found.Bytes), verdict)
	}
	if len(found.Faults) > 0 {
		return exitError(1)
	}
	return nil
}
