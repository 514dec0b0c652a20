package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// maxHops bounds the links and interpreters that one program leads to; the kernel follows no more.
const maxHops = 40

// TrustedProgram refuses a program that somebody else than root and this user could have written,
// or put another in the place of: it is run with this process's rights. What its links lead to,
// the interpreter of a script, and every directory on the way are held to the same.
func TrustedProgram(path string) error {
	for range maxHops {
		next, err := trustedHop(path)
		if err != nil || next == "" {
			return err
		}
		path = next
	}
	return fmt.Errorf("%s: %w", path, unix.ELOOP)
}

// trustedHop is where one name leads to: a link's target, a script's interpreter, or "".
func trustedHop(path string) (next string, err error) {
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("program %q: want an absolute path", path)
	}
	end := strings.LastIndexByte(path, '/')
	above, name := path[:end+1], path[end+1:] // not cleaned: ".." is the kernel's to resolve
	dir, err := openTrusted(above)
	if errors.Is(err, ErrNotTrusted) {
		return "", fmt.Errorf("program %s: %w: run `chmod go-w` and `chown root` on that one", path, err)
	}
	if err != nil {
		return "", fmt.Errorf("program %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	info, err := dir.Stat(".")
	if err == nil {
		err = OnlyAdministratorWrites(filepath.Clean(above), info)
	}
	if err != nil {
		return "", err
	}
	if info, err = dir.Lstat(name); err != nil {
		return "", fmt.Errorf("program %s: %w", path, err)
	}
	switch info.Mode().Type() {
	case 0:
		return interpreter(dir, path, info)
	case fs.ModeSymlink:
		return linked(dir, above, name)
	default:
		return "", fmt.Errorf("program %s: %w", path, errNotRegular)
	}
}

// linked is what a link of root's or of our own leads to.
func linked(dir *os.Root, above, name string) (string, error) {
	info, err := dir.Lstat(name)
	if err == nil && !belongsTo(info, 0) && !Own(info) {
		err = errors.New("it belongs to another user, and is a link: run `chown -h root` on it, or name the program itself")
	}
	if err != nil {
		return "", fmt.Errorf("program %s%s: %w", above, name, err)
	}
	target, err := dir.Readlink(name)
	if err == nil && !filepath.IsAbs(target) {
		target = above + target
	}
	return target, err
}

// maxScript is what the kernel reads of a script's first line, in bytes (execve(2)).
const maxScript = 256

// interpreter is that of a script, or "" of a program that needs none.
func interpreter(dir *os.Root, path string, info fs.FileInfo) (next string, err error) {
	if err := OnlyAdministratorWrites(path, info); err != nil {
		return "", err
	}
	file, err := dir.Open(filepath.Base(path))
	if err != nil {
		return "", fmt.Errorf("program %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	start, err := io.ReadAll(io.LimitReader(file, maxScript))
	if err != nil {
		return "", fmt.Errorf("program %s: %w", path, err)
	}
	line, script := strings.CutPrefix(string(start), "#!")
	if !script {
		return "", nil
	}
	line, _, _ = strings.Cut(line, "\n")
	words := strings.Fields(line)
	if len(words) == 0 || !filepath.IsAbs(words[0]) {
		return "", fmt.Errorf("program %s: behind #! an absolute path has to name its interpreter", path)
	}
	return words[0], nil
}
