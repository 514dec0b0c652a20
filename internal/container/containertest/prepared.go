package containertest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"hotcell/internal/container"
)

// InAdvance is an engine whose every sandbox is a prepared one, of a template of its own: so
// the suite holds for them, too. Harness.Command is PreparedCommand of what it would be.
type InAdvance struct{ container.Warmer }

// preparing waits for a byte, answers with one, and becomes the program that follows at the
// byte that begins its run: not before it has the request's limits.
const preparing = "import os, sys\nif os.read(0, 1): os.write(1, b'W'); os.read(0, 1) and os.execv(sys.argv[1], sys.argv[1:])"

// PreparedCommand returns the argument vector of a guard that prepares, and is command then.
func PreparedCommand(command []string) []string {
	return append([]string{"/usr/bin/python3", "-IBc", preparing}, command...)
}

// Preparation is what such a guard is told.
func Preparation() container.Preparation {
	return container.Preparation{Words: []byte("P"), Await: func(from io.Reader) error {
		said := make([]byte, 1)
		if _, err := io.ReadFull(from, said); err != nil {
			return fmt.Errorf("wait for the guard: %w", err)
		}
		if said[0] != 'W' {
			return fmt.Errorf("the guard said %q", said)
		}
		return nil
	}}
}

// Create implements container.Engine.
func (e InAdvance) Create(ctx context.Context, id container.ID, spec container.Spec) (_ container.Sandbox, err error) {
	if err := spec.Validate(); err != nil { // as the pool does: the template has nothing of this request
		return nil, err
	}
	tightened := spec.Tightened
	spec.Tightened = container.Tightened{}
	template, err := e.Prepare(ctx, container.NewID(), spec, Preparation())
	if err != nil {
		return nil, err
	}
	made, err := template.Create(ctx, id)
	if err := errors.Join(err, template.Destroy(context.WithoutCancel(ctx))); err != nil {
		return nil, err
	}
	if err := made.Tighten(ctx, tightened); err != nil {
		return nil, errors.Join(err, made.Destroy(context.WithoutCancel(ctx)))
	}
	return advanced{made}, nil
}

// advanced is a sandbox whose run begins with the byte that its guard waits for.
type advanced struct{ container.PreparedSandbox }

// Run implements container.Sandbox.
func (a advanced) Run(ctx context.Context, streams container.Streams) (container.Exit, error) {
	if streams.Stdin != nil {
		streams.Stdin = io.MultiReader(strings.NewReader("G"), streams.Stdin)
	}
	return a.PreparedSandbox.Run(ctx, streams)
}
