package selftest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// carries reports whether a file of a record, released ones included, has the token.
func carries(dir, token string) (bool, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return false, fmt.Errorf("read record: %w", err)
	}
	defer root.Close()
	found := false
	err = fs.WalkDir(root.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		file, err := root.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		has, err := contains(file, []byte(token))
		found = found || has
		return err
	})
	if err != nil {
		return false, fmt.Errorf("read record: %w", err)
	}
	return found, nil
}

// contains looks for a token in all that there is to read, in bounded memory.
func contains(content io.Reader, token []byte) (bool, error) {
	window := make([]byte, 64<<10+len(token))
	kept := 0 // of what was read before: a token may have begun there
	for {
		n, err := content.Read(window[kept:])
		seen := window[:kept+n]
		if bytes.Contains(seen, token) {
			return true, nil
		}
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		kept = copy(window, seen[max(0, len(seen)-len(token)):])
	}
}
