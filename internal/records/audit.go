package records

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
)

// Head is the last line of a chain: its number and hash stand for all of it.
type Head struct {
	Seq    int64      `json:"seq"` // 0 for an empty chain
	SHA256 digest.Hex `json:"sha256"`
}

// ErrTorn means that the last line is incomplete: the machine or the process
// stopped while it was written, and that run was not recorded. The next commit
// cuts it off and notes it.
var ErrTorn = errors.New("the last audit line is incomplete, as after a crash")

// chain is audit.jsonl. Its methods want the store's lock to be held, but for tail.
type chain struct {
	path string
	// named is the file whose name this process has synced, or nil. The lock is held
	// around it.
	named fs.FileInfo

	truncate func(file *os.File, size int64) error // (*os.File).Truncate, but in tests
}

func newChain(dir string) *chain {
	return &chain{path: filepath.Join(dir, "audit.jsonl"), truncate: (*os.File).Truncate}
}

// end is the state of a chain's end.
type end struct {
	head Head
	size int64 // of the complete lines
	torn int64 // bytes after them
}

var genesis = Head{0, digest.Hex(strings.Repeat("0", digest.HexLen))}

// tail reads the end of the chain and checks its last line.
func (c *chain) tail() (at end, err error) {
	file, err := openFile(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return end{head: genesis}, nil
	}
	if err != nil {
		return end{}, fmt.Errorf("read audit chain: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return end{}, fmt.Errorf("read audit chain: %w", err)
	}
	buffer := make([]byte, min(info.Size(), 3*maxLine)) // a torn line, a whole one, and its newlines
	if _, err := file.ReadAt(buffer, info.Size()-int64(len(buffer))); err != nil {
		return end{}, fmt.Errorf("read audit chain: %w", err)
	}
	return c.parseTail(buffer, info.Size())
}

func (c *chain) parseTail(buffer []byte, size int64) (end, error) {
	complete := bytes.LastIndexByte(buffer, '\n') + 1
	at := end{head: genesis, torn: int64(len(buffer) - complete)}
	at.size = size - at.torn
	if at.torn >= maxLine {
		return end{}, c.damaged(errors.New("what follows its last line is not a torn line"))
	}
	if at.size == 0 {
		return at, nil
	}
	text := buffer[:complete-1]
	line, err := parseLine(text[bytes.LastIndexByte(text, '\n')+1:])
	if err != nil {
		return end{}, c.damaged(fmt.Errorf("its last line: %w", err))
	}
	at.head = Head{line.Seq, line.SHA256}
	return at, nil
}

// damaged words a fault that nothing may be built upon.
func (c *chain) damaged(reason error) error {
	if errors.Is(reason, ErrNewer) {
		return fmt.Errorf("audit chain %s: %w", c.path, reason)
	}
	return fmt.Errorf("audit chain %s is damaged: %w; keep it as evidence, move the records directory aside and start another",
		c.path, reason)
}

// append seals lines, writes them one after the other, and syncs once. It returns for
// each the chain's size before it, to which cut takes it back with all that follow, and
// the chain's new end. On error the chain is as it was.
func (c *chain) append(ctx context.Context, lines []Event, by signingKey) (before []int64, at end, err error) {
	if at, err = c.tail(); err != nil {
		return nil, end{}, err
	}
	start := at.size
	var all []byte
	for n, line := range lines {
		if n == 0 {
			line.TornBytes = at.torn
		}
		sealed, err := line.seal(ctx, at.head, by)
		if err != nil {
			return nil, end{}, err
		}
		encoded, err := sealed.encode()
		if err != nil {
			return nil, end{}, err
		}
		before, all = append(before, at.size), append(all, encoded...)
		at = end{Head{sealed.Seq, sealed.SHA256}, at.size + int64(len(encoded)), 0}
	}
	if err := c.write(all, start); err != nil {
		return nil, end{}, errors.Join(fmt.Errorf("append to audit chain: %w", err), c.cut(start))
	}
	return before, at, nil
}

// openToWrite never waits: a pipe in the chain's place would have the lock held for ever.
func (c *chain) openToWrite(more int) (*os.File, error) {
	file, err := os.OpenFile(c.path, os.O_WRONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|more, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no file of this store: it is a %s", c.path, info.Mode().Type())
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// write puts lines at offset, in place of a torn one.
func (c *chain) write(encoded []byte, offset int64) (err error) {
	file, err := c.openToWrite(os.O_CREATE)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := file.Truncate(offset); err != nil {
		return err
	}
	if _, err := file.WriteAt(encoded, offset); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	return c.syncName(file)
}

// syncName syncs the file's name once in a process: who made the file, perhaps another,
// may have died before that.
func (c *chain) syncName(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if c.named != nil && os.SameFile(info, c.named) {
		return nil
	}
	above, err := durable.OpenDir(filepath.Dir(c.path))
	if err != nil {
		return err
	}
	if err := errors.Join(durable.SyncDir(above), above.Close()); err != nil {
		return err
	}
	c.named = info
	return nil
}

// sync makes sure of lines whose writer has died, perhaps before it could.
func (c *chain) sync() (err error) {
	file, err := c.openToWrite(0)
	if err != nil {
		return fmt.Errorf("sync audit chain: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return errors.Join(file.Sync(), c.syncName(file))
}

// cut shortens the chain to size.
func (c *chain) cut(size int64) error {
	file, err := c.openToWrite(0)
	if errors.Is(err, fs.ErrNotExist) && size == 0 {
		return nil
	}
	if err == nil {
		err = errors.Join(c.truncate(file, size), file.Sync(), file.Close())
	}
	if err != nil {
		return fmt.Errorf("take back audit line: %w; the audit chain may name a run that was not recorded", err)
	}
	return nil
}

func hashFile(ctx context.Context, path string) (sum digest.Digest, err error) {
	file, err := openFile(path)
	if err != nil {
		return "", fmt.Errorf("hash file: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, sum, err = beneath.Copy(ctx, io.Discard, file, maxRecord)
	return sum, err
}
