package token

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"hotcell/internal/access"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
)

// Store knows who sends a token. It looks at the file with each request, and reads it where it
// has changed: a token that is revoked is worth nothing from then on. Its methods may be called
// concurrently.
type Store struct {
	path string
	now  func() time.Time

	mu     sync.Mutex
	of     identity // of the file that was read, or zero
	byHash map[digest.Hex]Entry
	broken error // of that file
}

// identity tells one state of a file from the next: a rename brings another inode, and a change
// in place another time, which nobody can set (ctime).
type identity struct {
	inode, size     int64
	modified, state int64 // nanoseconds
}

// Open makes a Store. The file must be there, and sound: a service that would know nobody does
// not begin.
func Open(path string) (*Store, error) {
	s := &Store{path: path, now: time.Now}
	if err := s.refresh(); err != nil {
		return nil, wayOut(err, path)
	}
	return s, nil
}

// wayOut says what to do about a file that cannot be read.
func wayOut(err error, path string) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: `runner token create NAME --file %s` makes the first one", err, path)
	case errors.Is(err, fs.ErrPermission):
		const way = "%w: %s may not read it: `runner token create NAME --group GROUP --file %s`, as root, lets a group of that user's"
		return cmp.Or(durable.ClosedAbove(path), fmt.Errorf(way, err, durable.ThisUser(), path))
	}
	return err
}

// Carries implements access.Method.
func (s *Store) Carries(r *http.Request) bool { return strings.HasPrefix(access.Bearer(r), Prefix) }

// Authenticate implements access.Authenticator. A file that cannot be read is our error.
func (s *Store) Authenticate(r *http.Request) (access.Principal, error) {
	text := access.Bearer(r)
	if err := check(text); err != nil {
		return access.Principal{}, err
	}
	entry, known, err := s.find(hash(text))
	switch {
	case err != nil:
		return access.Principal{}, err
	case !known:
		return access.Principal{}, fmt.Errorf("%w: there is no such token", access.ErrUnknown)
	}
	switch entry.State(s.now()) {
	case "revoked":
		return access.Principal{}, fmt.Errorf("%w: the token %s was revoked", access.ErrUnknown, entry.ID)
	case "expired":
		return access.Principal{}, fmt.Errorf("%w: the token %s expired at %s: ask for another", access.ErrUnknown, entry.ID, entry.ExpiresAt.Format(time.RFC3339))
	}
	return entry.Principal(), nil
}

// find compares nothing but hashes: how long it takes says nothing of a token.
func (s *Store) find(sum digest.Hex) (Entry, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(); err != nil {
		return Entry{}, false, err
	}
	entry, known := s.byHash[sum]
	return entry, known, nil
}

// refresh reads the file where it is not the one that was read. mu is held.
func (s *Store) refresh() error {
	named, err := os.Lstat(s.path)
	if err != nil {
		return fmt.Errorf("look at token file: %w", err)
	}
	if s.of != (identity{}) && s.of == identify(named) {
		return s.broken
	}
	read, info, err := load(s.path)
	if info == nil { // nothing was read: the reason may lie elsewhere than in the file
		return err
	}
	s.of, s.byHash, s.broken = identify(info), make(map[digest.Hex]Entry, len(read.Tokens)), err
	for _, entry := range read.Tokens {
		s.byHash[entry.SHA256] = entry
	}
	return err
}

func identify(info fs.FileInfo) identity {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return identity{}
	}
	return identity{int64(stat.Ino), info.Size(), info.ModTime().UnixNano(), changed(stat)}
}
