package durable

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"golang.org/x/sys/unix"
)

// OwnerFile is where Owner keeps its random number.
const OwnerFile = "owner"

// ownerBytes are of the number, and of what is made of it.
const ownerBytes = 16

// maxOwner is more than the file has, and maxSigned than what it signs.
const (
	maxOwner  = 64
	maxSigned = 256
)

var ownerPattern = regexp.MustCompile(`^[0-9a-f]{32}$`)

// Owner returns what a directory signs with what it has elsewhere, such as containers:
// NAME.BOOT.DEVICE, each in hexadecimal digits and as long as always. NAME is made by
// the first call and stays. The others say where the directory is: a restart may
// change them, and ends whatever was alive. Compare two by IsOwn.
//
// A copy of the directory, such as a backup that was restored or a machine's clone,
// has another one. A number in a file alone would be copied with it: then each of the
// two takes the living sandboxes of the other for leftovers, and ends them. A snapshot
// of a file system, or an overlay over it, keeps inodes and times of birth, too: it is
// told by its device.
func Owner(dir string) (owner string, err error) {
	root, err := OpenDir(dir)
	if err != nil {
		return "", fmt.Errorf("read owner of state directory: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	owner, err = readOwner(root)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeOwner(root); err != nil {
			return "", fmt.Errorf("make owner of state directory: %w", err)
		}
		owner, err = readOwner(root)
	}
	if err != nil {
		return "", fmt.Errorf("read owner of state directory %s: %w", dir, err)
	}
	return owner, nil
}

func readOwner(dir *os.Root) (owner string, err error) {
	file, err := dir.OpenFile(OwnerFile, os.O_RDONLY|unix.O_NONBLOCK, 0) // a pipe would be waited for
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", errors.Join(fmt.Errorf("its file %q: %w: remove it when nothing runs", OwnerFile, errNotRegular), err)
	}
	content, err := io.ReadAll(io.LimitReader(file, maxOwner))
	if err != nil {
		return "", err
	}
	number := strings.TrimSpace(string(content))
	if !ownerPattern.MatchString(number) {
		return "", fmt.Errorf("its file %q does not hold 32 hexadecimal digits: remove it when nothing runs", OwnerFile)
	}
	self, err := identity(file)
	if err != nil {
		return "", err
	}
	place, err := mounted(file)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(number + " " + self))
	return hex.EncodeToString(sum[:ownerBytes]) + "." + place, nil
}

// IsOwn reports whether owner, of Owner, is who has signed something. Of what was signed
// before this start of the machine nothing is alive, whatever device it was on.
func IsOwn(signed, owner string) bool {
	const parts = 3
	theirs, ours := strings.Split(signed, "."), strings.Split(owner, ".")
	if len(theirs) != parts || len(ours) != parts || theirs[0] != ours[0] {
		return false
	}
	return theirs[1] != ours[1] || theirs[2] == ours[2]
}

// OwnedElsewhere reports whether a file was signed by another owner: what it stands for
// was copied here from another state directory, and is not this one's to end. A file
// that is not there or empty names nobody: its owner died before making anything else.
func OwnedElsewhere(path, owner string) (bool, error) {
	signed, err := ReadFile(path, maxSigned)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("read whose it is: %w", err)
	}
	return len(signed) > 0 && !IsOwn(string(signed), owner), nil
}

// makeOwner links a complete file into place, so that of two processes that
// start together one wins and both read the same.
func makeOwner(dir *os.Root) error {
	var random [ownerBytes]byte
	rand.Read(random[:]) // never returns an error: see crypto/rand
	number := hex.EncodeToString(random[:])
	temporary := ".new-" + number
	if err := WriteFile(dir, temporary, []byte(number+"\n")); err != nil {
		return err
	}
	err := dir.Link(temporary, OwnerFile)
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return errors.Join(err, dir.Remove(temporary))
}
