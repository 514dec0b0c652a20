package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"hotcell/internal/durable"
)

const (
	secretName  = "secret"
	secretBytes = 32
)

// Secret is 256 bits that were drawn when the directory was made. They are in a file beside the
// database and not in it: whoever has a copy of that alone has not what was made with them.
func (s *Store) Secret() []byte { return s.secret }

// secretOf reads the secret of a directory that is locked, and draws one where there is none.
func secretOf(dir string) ([]byte, error) {
	path := filepath.Join(dir, secretName)
	secret, info, err := durable.ReadTrusted(path, secretBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return drawSecret(dir)
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", path, err)
	case len(secret) != secretBytes || info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("%s is no secret of %d bytes that this user alone can read: put back the one that it was, or remove it and have requests that repeat a key of the last seven days refused", path, secretBytes)
	}
	return secret, nil
}

func drawSecret(dir string) (_ []byte, err error) {
	secret := make([]byte, secretBytes)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return secret, durable.ReplaceFile(root, secretName, secret, durable.Readers{Group: -1})
}
