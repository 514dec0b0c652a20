package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"hotcell/internal/access/token"
	"hotcell/internal/durable"
)

const enginePrepareHelp = `Make directories that only this user may enter, each in one that is there. One that is
there already is closed to others; one of another user's is refused.

It is for the volume of a pod, whose own directory everybody may write. An engine process
wants a state directory in whose place nobody can put another: a container that has no
more of the volume than the directory that was made (subPath) gets one.

--tokens FILE makes a file of no tokens in one of them, where there is none: a service
begins with it, and knows nobody yet.

--after FILE waits, without an end, until no process holds a lock: a pod that takes the
place of one that still lets its runs end begins after it, and not beside it.`

// prepareFlags is what the user gave `runner engine prepare`.
type prepareFlags struct {
	tokens string
	after  []string
}

func (a *app) enginePrepareCommand() *cobra.Command {
	var flags prepareFlags
	command := &cobra.Command{
		Use:     "prepare DIRECTORY...",
		Short:   "Make directories for this user alone, in a volume of a pod",
		Long:    enginePrepareHelp,
		Example: "  runner engine prepare --after /volume/engine/engine.lock /volume/engine /volume/service",
		Args:    arguments(1, 16, "1 to 16 directories"),
		RunE:    func(cmd *cobra.Command, args []string) error { return prepareVolume(cmd.Context(), args, flags) },
	}
	command.Flags().StringVar(&flags.tokens, "tokens", "", "make a `file` of no tokens, where there is none")
	command.Flags().StringArrayVar(&flags.after, "after", nil, "wait until nobody holds the lock `FILE`; can be repeated")
	return command
}

func prepareVolume(ctx context.Context, dirs []string, flags prepareFlags) error {
	for _, dir := range dirs {
		if err := durable.MakeDir(dir, 0o700); err != nil {
			return usageError{err}
		}
	}
	if flags.tokens != "" {
		if err := beginTokens(flags.tokens); err != nil {
			return fmt.Errorf("--tokens %s: %w", flags.tokens, err)
		}
	}
	for _, path := range flags.after {
		held, err := durable.Lock(ctx, path)
		if err == nil {
			err = held.Close()
		}
		if err != nil {
			return fmt.Errorf("--after: %w", err)
		}
	}
	return nil
}

func beginTokens(path string) (err error) {
	dir, err := durable.OpenDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	return token.Begin(dir, filepath.Base(path))
}
