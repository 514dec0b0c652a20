package token

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"hotcell/internal/durable"
	"hotcell/internal/strictjson"
)

// List reads the file: the tokens in the order in which they were made. Where there is none the
// error wraps fs.ErrNotExist.
func List(path string) ([]Entry, error) {
	read, _, err := load(path)
	return read.Tokens, err
}

func load(path string) (file, fs.FileInfo, error) {
	data, info, err := durable.ReadTrusted(path, maxFile)
	if err != nil {
		return file{}, nil, fmt.Errorf("read token file %s: %w", path, err)
	}
	read, err := parse(data)
	if err != nil {
		return file{}, info, fmt.Errorf("read token file %s: %w", path, err)
	}
	return read, info, nil
}

// Begin makes a file of no tokens in a directory, where there is no such name: a service that reads it knows
// nobody yet.
func Begin(dir *os.Root, name string) error {
	if _, err := dir.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	data, err := encode(file{Version: version, Tokens: []Entry{}})
	if err != nil {
		return err
	}
	return durable.ReplaceFile(dir, name, data, durable.Readers{Group: -1})
}

// Edit replaces the file by one with other tokens, which change makes of those that there are. An
// error of its leaves the file as it was. A file that is made may be read by its owner and by the
// readers; one that exists keeps those that it has, unless they are named: ErrReaders where a group that
// reads it would no longer.
func Edit(ctx context.Context, path string, wanted Readers, change func([]Entry) ([]Entry, error)) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("edit token file: %w", err)
		}
	}()
	dir, err := durable.OpenTrusted(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	held, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Close()) }()
	if err := durable.WaitLock(ctx, held); err != nil {
		return err
	}
	read, info, err := load(path)
	if errors.Is(err, fs.ErrNotExist) {
		read, err = file{Version: version}, nil
	}
	if err != nil {
		return err
	}
	readers, err := readersOf(path, info, wanted)
	if err != nil {
		return err
	}
	if read.Tokens, err = change(slices.Clone(read.Tokens)); err != nil {
		return err
	}
	data, err := encode(read)
	if err != nil {
		return err
	}
	return durable.ReplaceFile(dir, filepath.Base(path), data, readers)
}

// encode refuses what would not be read again.
func encode(made file) ([]byte, error) {
	if err := made.check(); err != nil {
		return nil, err
	}
	data, err := strictjson.Form{Indent: "  "}.Encode(made)
	return append(data, '\n'), err
}

// Readers are who else than its owner may read the file.
type Readers struct {
	Group int  // or -1 for nobody
	Named bool // also of a file that exists
}

// ErrReaders is wrapped by the error for a file that another group reads than the one that is named.
var ErrReaders = errors.New("a service that reads it so would read it no more, and know none of its tokens")

// readersOf a file that is replaced are those that it had, or, where none did but root's, those that
// were named.
func readersOf(path string, info fs.FileInfo, wanted Readers) (durable.Readers, error) {
	if info == nil {
		return durable.Readers{Group: wanted.Group}, nil
	}
	has := durable.Readers{Group: -1}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && info.Mode().Perm()&0o040 != 0 {
		has.Group = int(stat.Gid)
	}
	if !wanted.Named || wanted.Group == has.Group {
		return has, nil
	}
	if has.Group > 0 {
		return has, fmt.Errorf("group %s reads %s: %w: leave out the group, or, if that is meant, give the file to group %s by hand (chgrp %s %s)",
			groupName(has.Group), path, ErrReaders, groupName(wanted.Group), groupName(wanted.Group), path)
	}
	return durable.Readers{Group: wanted.Group}, nil
}

func groupName(id int) string {
	gid := strconv.Itoa(id)
	if found, err := user.LookupGroupId(gid); err == nil {
		return found.Name
	}
	return gid
}

// Add returns the entries with one more, whose name nobody has had.
func Add(entries []Entry, entry Entry) ([]Entry, error) {
	if slices.ContainsFunc(entries, func(one Entry) bool { return one.Name == entry.Name }) {
		return nil, fmt.Errorf("there is, or was, a token %s, and its runs are token:%s's: %w", entry.Name, entry.Name, ErrName)
	}
	return append(entries, entry), nil
}

// ErrNone is wrapped for a token that is not there, or was revoked before.
var ErrNone = errors.New("nothing to revoke")

// Revoke marks the entry of a name or an id, and returns it with all others.
func Revoke(entries []Entry, which string, now time.Time) ([]Entry, Entry, error) {
	place := slices.IndexFunc(entries, func(one Entry) bool { return one.Name == which })
	if place < 0 {
		place = slices.IndexFunc(entries, func(one Entry) bool { return one.ID == which })
	}
	if place < 0 {
		return nil, Entry{}, fmt.Errorf("%w: %.70q is neither the name nor the id of one", ErrNone, which)
	}
	if at := entries[place].RevokedAt; !at.IsZero() {
		return nil, Entry{}, fmt.Errorf("%w: %s was revoked at %s", ErrNone, entries[place].Name, at.Format(time.RFC3339))
	}
	entries[place].RevokedAt = now.UTC().Truncate(time.Second)
	return entries, entries[place], nil
}
