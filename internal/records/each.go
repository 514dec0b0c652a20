package records

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// each calls visit with every line, oldest first, as long as the chain holds.
func (c *chain) each(ctx context.Context, visit func(Event) error) (err error) {
	file, err := openFile(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read audit chain: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	reader := bufio.NewReaderSize(file, maxLine)
	version := 0
	for head := genesis; ; {
		if context.Cause(ctx) != nil {
			return context.Cause(ctx)
		}
		line, err := c.next(reader, head)
		if err == nil && line.Version < version {
			err = c.damaged(fmt.Errorf("line %d is of an older version than the one before it: no runner writes that", head.Seq+1))
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
