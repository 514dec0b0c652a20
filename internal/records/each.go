package records

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// reach is how far somebody has read a chain.
type reach struct {
	head    Head
	size    int64 // of the lines up to there
	version int   // of the last
}

// each calls visit with every line, oldest first, as long as the chain holds.
func (c *chain) each(ctx context.Context, visit func(Event) error) (err error) {
	return c.from(ctx, &reach{head: genesis}, visit)
}

// from is each for the lines behind a place, which goes on with each line that was visited.
func (c *chain) from(ctx context.Context, at *reach, visit func(Event) error) (err error) {
	file, err := openFile(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read audit chain: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := file.Seek(at.size, io.SeekStart); err != nil {
		return fmt.Errorf("read audit chain: %w", err)
	}
	reader := bufio.NewReaderSize(file, maxLine)
	for {
		if context.Cause(ctx) != nil {
			return context.Cause(ctx)
		}
		line, bytes, err := c.next(reader, at.head)
		if err == nil && line.Version < at.version {
			err = c.damaged(fmt.Errorf("line %d is of an older version than the one before it: no runner writes that", at.head.Seq+1))
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := visit(line); err != nil {
			return err
		}
		*at = reach{Head{line.Seq, line.SHA256}, at.size + bytes, line.Version}
	}
}

// next reads the line that follows head, and says how long it is; or io.EOF at a clean end.
func (c *chain) next(reader *bufio.Reader, head Head) (Event, int64, error) {
	text, err := reader.ReadSlice('\n')
	switch {
	case errors.Is(err, io.EOF) && len(text) == 0:
		return Event{}, 0, io.EOF
	case errors.Is(err, io.EOF):
		return Event{}, 0, fmt.Errorf("audit chain %s: %w", c.path, ErrTorn)
	case err != nil:
		return Event{}, 0, c.damaged(fmt.Errorf("line %d: %w", head.Seq+1, err))
	}
	line, err := parseLine(text[:len(text)-1])
	switch {
	case err != nil:
		return Event{}, 0, c.damaged(fmt.Errorf("line %d: %w", head.Seq+1, err))
	case line.Seq != head.Seq+1 || line.PrevSHA256 != head.SHA256:
		return Event{}, 0, c.damaged(fmt.Errorf("line %d does not follow the one before it: a line was removed, added or moved", head.Seq+1))
	}
	return line, int64(len(text)), nil
}

// endsAt reports whether the last line before a reach ends is the one that was read there.
func (c *chain) endsAt(at reach) bool {
	if at.size == 0 {
		return true
	}
	same := false
	err := c.backward(at.size, func(event Event) bool {
		same = event.Seq == at.head.Seq && event.SHA256 == at.head.SHA256
		return false
	})
	return err == nil && same
}
