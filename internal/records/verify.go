package records

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"hotcell/internal/job"
)

// VerifyChain reads the whole audit chain and compares it with the records. It
// finds altered, added, moved and removed lines, records that were altered or
// removed and records that have no line, and reports them all. The Head is the
// last line that holds. ErrTorn is among the errors after a crash.
func (s *Store) VerifyChain(ctx context.Context) (head Head, err error) {
	release, err := s.lock(ctx)
	if err != nil {
		return Head{}, err
	}
	defer func() { err = errors.Join(err, release()) }()
	listed := make(map[job.ID]bool)
	var faults []error
	head, chainErr := s.chain.each(ctx, func(line Event) error {
		if line.Kind != KindRun {
			return nil
		}
		if listed[line.RunID] {
			faults = append(faults, fmt.Errorf("verify audit chain: line %d: run %s appears twice", line.Seq, line.RunID))
		}
		listed[line.RunID] = true
		faults = append(faults, s.verifyRecord(ctx, line))
		return nil
	})
	if chainErr == nil || errors.Is(chainErr, ErrTorn) {
		faults = append(faults, s.verifyListed(listed))
	}
	return head, errors.Join(chainErr, errors.Join(faults...))
}

// verifyRecord compares one line with the record that it names.
func (s *Store) verifyRecord(ctx context.Context, line Event) error {
	sum, err := hashFile(ctx, filepath.Join(s.Path(line.RunID), recordName))
	if errors.Is(err, fs.ErrNotExist) {
		sum, err = hashFile(ctx, filepath.Join(s.draftPath(line.RunID), recordName)) // Sweep will put it in place
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("verify audit chain: line %d: the record of run %s has been removed", line.Seq, line.RunID)
	case err != nil:
		return fmt.Errorf("verify audit chain: line %d: %w", line.Seq, err)
	case sum.Hex() != line.Subject(RoleRecord):
		return fmt.Errorf("verify audit chain: line %d: the record of run %s has been altered", line.Seq, line.RunID)
	}
	return nil
}

// verifyListed finds records without a line.
func (s *Store) verifyListed(listed map[job.ID]bool) error {
	ids, err := s.ids()
	faults := []error{err}
	for _, id := range ids {
		if !listed[id] {
			faults = append(faults, fmt.Errorf("verify audit chain: run %s has no line: the chain has been cut, or the record added", id))
		}
	}
	return errors.Join(faults...)
}

// each calls visit with every line, oldest first, as long as the chain holds,
// and returns the last that did.
func (c *chain) each(ctx context.Context, visit func(Event) error) (head Head, err error) {
	file, err := os.Open(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return genesis, nil
	}
	if err != nil {
		return genesis, fmt.Errorf("read audit chain: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	reader := bufio.NewReaderSize(file, maxLine)
	version := 0
	for head = genesis; ; {
		if context.Cause(ctx) != nil {
			return head, context.Cause(ctx)
		}
		line, err := c.next(reader, head)
		if err == nil && line.Version < version {
			err = c.damaged(fmt.Errorf("line %d is of an older version than the one before it: no runner writes that", head.Seq+1))
		}
		if errors.Is(err, io.EOF) {
			return head, nil
		}
		if err != nil {
			return head, err
		}
		if err := visit(line); err != nil {
			return head, err
		}
		head, version = Head{line.Seq, line.SHA256}, line.Version
	}
}

// next reads the line that follows head, or io.EOF at a clean end.
func (c *chain) next(reader *bufio.Reader, head Head) (Event, error) {
	text, err := reader.ReadSlice('\n')
	switch {
	case errors.Is(err, io.EOF) && len(text) == 0:
		return Event{}, io.EOF
	case errors.Is(err, io.EOF):
		return Event{}, fmt.Errorf("audit chain %s: %w", c.path, ErrTorn)
	case err != nil:
		return Event{}, c.damaged(fmt.Errorf("line %d: %w", head.Seq+1, err))
	}
	line, err := parseLine(text[:len(text)-1])
	switch {
	case err != nil:
		return Event{}, c.damaged(fmt.Errorf("line %d: %w", head.Seq+1, err))
	case line.Seq != head.Seq+1 || line.PrevSHA256 != head.SHA256:
		return Event{}, c.damaged(fmt.Errorf("line %d does not follow the one before it: a line was removed, added or moved", head.Seq+1))
	}
	return line, nil
}
