package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// OnlyAdministratorWrites refuses what somebody else than root and this user could have written:
// for files that decide what others may do. name is for the message.
func OnlyAdministratorWrites(name string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s is writable by its group or by others: run `chmod go-w %s`", name, name)
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fmt.Errorf("owner of %s cannot be read", name)
	}
	if owner := int(stat.Uid); owner != 0 && owner != os.Geteuid() {
		return fmt.Errorf("%s belongs to uid %d: it must belong to root or to you: run `chown root %s`", name, owner, name)
	}
	return nil
}

// ReadTrusted reads a file of at most so many bytes that only its administrator can have written,
// and no link, with what was open.
func ReadTrusted(path string, most int64) (data []byte, info fs.FileInfo, err error) {
	dir, err := OpenTrusted(filepath.Dir(path))
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	named, err := dir.Lstat(filepath.Base(path))
	if err != nil {
		return nil, nil, err
	}
	if !named.Mode().IsRegular() { // a pipe would have us wait
		return nil, nil, errNotRegular
	}
	above, err := dir.Stat(".")
	if err == nil && above.Mode().Perm()&0o022 != 0 { // such as /tmp, which is not to be changed
		err = fmt.Errorf("its directory %s can be written by its group or by others: move it to one that only root or %s can write", filepath.Dir(path), ThisUser())
	}
	if err == nil {
		err = OnlyAdministratorWrites(filepath.Dir(path), above)
	}
	if err != nil {
		return nil, nil, err
	}
	file, err := dir.Open(filepath.Base(path))
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if info, err = file.Stat(); err == nil {
		err = OnlyAdministratorWrites(path, info)
	}
	if err != nil {
		return nil, nil, err
	}
	if data, err = io.ReadAll(io.LimitReader(file, most+1)); err == nil && int64(len(data)) > most {
		err = fmt.Errorf("file has more than %d bytes", most)
	}
	return data, info, err
}

// Readers are who else than its owner may read a file: nobody, or a group.
type Readers struct {
	Group int // or -1 for nobody
}

// ReplaceFile puts a file in the place of what has its name, or of nothing: who reads meanwhile
// gets the one or the other, and after a crash there is one of them. One at a time does so.
func ReplaceFile(dir *os.Root, name string, data []byte, readers Readers) error {
	temporary := "." + name + ".new"
	if err := dir.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) { // of one that was killed
		return fmt.Errorf("replace file: %w", err)
	}
	err := WriteFile(dir, temporary, data)
	if err == nil && readers.Group >= 0 {
		if err = dir.Lchown(temporary, -1, readers.Group); err == nil {
			err = dir.Chmod(temporary, 0o640)
		}
	}
	if err == nil {
		err = sync(dir, temporary)
	}
	if err == nil {
		err = dir.Rename(temporary, name)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("replace file: %w", err), ifThere(dir.Remove(temporary)))
	}
	return SyncDir(dir)
}

func ifThere(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
