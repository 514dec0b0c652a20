package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"

	"hotcell/internal/beneath"
	"hotcell/internal/job"
)

// Copy puts everything that is kept of a run, but its quarantine, into an empty directory:
// record, code, files and statement, each as the chain and the record say. Where one is not
// so, the error says which.
func (v *View) Copy(ctx context.Context, id job.ID, into *os.Root) error {
	check, err := v.verified(ctx, id)
	if err != nil {
		return fmt.Errorf("copy record %s: %w", id, err)
	}
	root, err := check.find(id)
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

// CheckRun holds everything that is kept of a run, its quarantine, too, to the chain and the
// record. Where one is not as they say, the error says which.
func (v *View) CheckRun(ctx context.Context, id job.ID) error {
	if _, err := v.verified(ctx, id); err != nil {
		return fmt.Errorf("check run %s: %w", id, err)
	}
	return nil
}

// verified holds a run to the chain: all that is kept of it, its quarantine, too, because nothing
// of a run that somebody has changed goes out. What does not hold is an error.
func (v *View) verified(ctx context.Context, id job.ID) (*verifier, error) {
	check, err := newVerifier(v, VerifyOptions{})
	if err != nil {
		return nil, err
	}
	held, err := v.trust()
	if err != nil {
		return nil, err
	}
	if held != nil && held.own != nil {
		check.keys[held.sum], check.passes = held.own, true
	}
	for event, err := range v.Events(ctx) {
		if err != nil && !errors.Is(err, ErrTorn) {
			return nil, err
		}
		check.pass(event)
		check.prepared.note(event)
		switch {
		case err != nil:
		case event.RunID == id:
			check.note(ctx, event)
		default:
			_ = check.keyInUse.note(event) // is another's
		}
	}
	if len(check.order) == 0 {
		return nil, ErrNotFound
	}
	if err := check.run(ctx, check.order[0]); err != nil {
		return nil, err
	}
	var faults []error
	for _, fault := range slices.Concat(check.scan.faults, check.faults) {
		faults = append(faults, errors.New(fault.Message))
	}
	return check, errors.Join(faults...)
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
