package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// The parts of a run that ReadPart opens; what is behind the last one is a path of its files.
const (
	ReadRecord    = "record"
	ReadStatement = "statement"
	ReadFile      = "files/"
)

// Errors of ReadPart, and the first two of Get, beside ErrNotFound and ErrAltered.
var (
	// ErrDeleted means that the record was deleted, by an event of the chain.
	ErrDeleted = errors.New("its record was deleted")
	// ErrInterrupted means that the run has no record: it has ended before.
	ErrInterrupted = errors.New("it was interrupted, and has no record")
	// ErrNoPart means that the run has no such part.
	ErrNoPart = errors.New("it has no such part")
	// ErrRefused means that it is not among what the run has released, of which something was refused.
	ErrRefused = fmt.Errorf("%w that was released: what was refused is in quarantine, and is not handed out", ErrNoPart)
)

// ReadPart opens a part of a recorded run for somebody: ReadRecord, ReadStatement, or ReadFile and a
// path. That it was opened is in the chain, as an event by the actor, before the first byte can be
// read. Of a principal's openings of one part, one event stands for those of a minute, and ErrTooOften
// is of those for which there may be no more events. What is read is held to the hash that the chain or the record has of it: the reader fails
// at its end, or when it is closed, where it is another. The caller closes it. Size is in bytes.
func (s *Store) ReadPart(ctx context.Context, id job.ID, part string, by job.Actor) (content io.ReadCloser, size int64, err error) {
	content, size, err = s.readPart(ctx, id, part, by)
	if err != nil {
		return nil, 0, fmt.Errorf("read a part of run %s: %w", id, err)
	}
	return content, size, nil
}

// GetFor is Get for somebody, which is ReadPart of the record.
func (s *Store) GetFor(ctx context.Context, id job.ID, by job.Actor) (record Record, err error) {
	content, _, err := s.ReadPart(ctx, id, ReadRecord, by)
	if err != nil {
		return Record{}, err
	}
	data, err := io.ReadAll(content)
	if err := errors.Join(err, content.Close()); err != nil {
		return Record{}, fmt.Errorf("read the record of run %s: %w", id, err)
	}
	return parseRecord(data, id)
}

func (s *Store) readPart(ctx context.Context, id job.ID, part string, by job.Actor) (content io.ReadCloser, size int64, err error) {
	found, err := s.part(ctx, id, part)
	if err != nil {
		return nil, 0, err
	}
	file, err := s.openPart(id, found)
	if err != nil {
		return nil, 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close())
		}
	}()
	info, err := file.Stat()
	if err != nil {
		return nil, 0, err
	}
	if found.size == anySize {
		found.size = info.Size()
	}
	if info.Size() != found.size || found.size > maxRecord {
		return nil, 0, ErrAltered
	}
	event := Event{Kind: KindAccess, Actor: by, RunID: id, Bytes: found.size, Subjects: []Subject{{Role: found.role, SHA256: found.sum}}}
	err = s.readers.note(event, s.now(), func() error { return s.Append(ctx, event) })
	if err != nil {
		return nil, 0, err
	}
	return digest.NewReader(file, found.sum.Digest(), found.size), found.size, nil
}

// piece is what a name means of a run.
type piece struct {
	role string
	path string // below the run's directory
	sum  digest.Hex
	size int64 // or anySize
}

// part finds what a name means, by what the chain and the record say.
func (v *View) part(ctx context.Context, id job.ID, name string) (piece, error) {
	said, err := v.ledger.of(ctx, v, id)
	switch {
	case err != nil:
		return piece{}, err
	case said.deleted:
		return piece{}, ErrDeleted
	case said.record == "" && said.interrupted:
		return piece{}, ErrInterrupted
	case said.record == "":
		return piece{}, ErrNotFound
	}
	record, err := v.Get(ctx, id)                                                         // nothing of a run goes out whose record is another
	if _, look := os.Lstat(v.draftPath(id)); errors.Is(err, ErrNotFound) && look != nil { // else it is being put in place
		err = ErrLost
	}
	if err != nil {
		return piece{}, err
	}
	path, isFile := strings.CutPrefix(name, ReadFile)
	switch {
	case name == ReadRecord:
		return piece{RoleRecord, recordName, said.record, anySize}, nil
	case name == ReadStatement && said.statement != "":
		return piece{RoleStatement, statementName, said.statement, anySize}, nil
	case !isFile:
		return piece{}, ErrNoPart
	}
	files := record.Result.Files
	n := slices.IndexFunc(files, func(file job.File) bool { return file.Path == path })
	switch {
	case n >= 0 && beneath.CheckPath(path) == nil:
		return piece{RoleFile, filesName + "/" + path, files[n].SHA256, files[n].Bytes}, nil
	case record.Quarantined:
		return piece{}, ErrRefused
	default:
		return piece{}, ErrNoPart
	}
}

// openPart opens it under the rules of beneath.Walk.
func (v *View) openPart(id job.ID, found piece) (file fs.File, err error) {
	root, err := openDir(v.Path(id))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	if file, err = beneath.Files(root).Open(found.path); err != nil {
		return nil, nameless(err)
	}
	return file, nil
}

// nameless says why a file could not be opened, and not which: its name is the code's.
func nameless(err error) error {
	for _, why := range []error{beneath.ErrLinked, beneath.ErrChanged, beneath.ErrMount} {
		if errors.Is(err, why) {
			return fmt.Errorf("%w: %w", ErrAltered, why)
		}
	}
	number, ofSystem := errors.AsType[unix.Errno](err)
	if ofSystem && !errors.Is(number, fs.ErrNotExist) && number != unix.ELOOP && number != unix.ENOTDIR {
		return number
	}
	return ErrAltered
}
