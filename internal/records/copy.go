package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"hotcell/internal/beneath"
	"hotcell/internal/job"
)

// Copy puts everything that is kept of a run, but its quarantine, into an empty directory:
// record, code, files and statement, each as the chain and the record say. Where one is not
// so, the error says which.
func (v *View) Copy(ctx context.Context, id job.ID, into *os.Root) error {
	event, err := v.runEvent(ctx, id)
	if err != nil {
		return err
	}
	check := &verifier{view: v, runs: map[job.ID]bool{id: true}, deleted: map[job.ID]map[string]bool{}}
	if err := check.run(ctx, event); err != nil {
		return fmt.Errorf("copy record %s: %w", id, err)
	}
	var faults []error
	for _, fault := range check.faults {
		faults = append(faults, fmt.Errorf("copy record: %s", fault.Message))
	}
	if faults != nil {
		return errors.Join(faults...)
	}
	root, err := check.open(id)
	if err != nil {
		return fmt.Errorf("copy record %s: %w", id, err)
	}
	defer root.Close()
	err = beneath.Walk(ctx, root, extent, func(node *beneath.Node) error {
		if node.Kind == beneath.Directory {
			return into.MkdirAll(node.Path, 0o700)
		}
		return copyNode(ctx, node, into, check.sums[node.Path])
	})
	if err != nil {
		return fmt.Errorf("copy record %s: %w", id, err)
	}
	return nil
}

// copyNode copies one file that was hashed before.
func copyNode(ctx context.Context, node *beneath.Node, into *os.Root, want hashed) (err error) {
	from, err := node.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	to, err := into.OpenFile(path.Clean(node.Path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	_, sum, err := beneath.Copy(ctx, to, io.LimitReader(from, want.bytes+1), want.bytes)
	if err == nil && sum.Hex() != want.sum {
		err = beneath.ErrChanged
	}
	return err
}

// runEvent finds the event of a run.
func (v *View) runEvent(ctx context.Context, id job.ID) (found Event, err error) {
	for event, err := range v.Events(ctx) {
		switch {
		case err != nil && !errors.Is(err, ErrTorn):
			return Event{}, err
		case err == nil && event.Kind == KindRun && event.RunID == id:
			return event, nil
		}
	}
	return Event{}, fmt.Errorf("run %s: %w", id, ErrNotFound)
}
