package service_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// SQLite's log has code and inputs, and its mode is the database's or the umask's.
func TestAFrontsFilesAreItsOwnWhateverTheUmask(t *testing.T) {
	before := syscall.Umask(0)
	defer syscall.Umask(before)
	s := newScene(t)
	found, err := filepath.Glob(s.path("front/*"))
	require.NoError(t, err)
	require.Contains(t, found, s.path("front/service.db-wal"))
	for _, one := range found {
		info, err := os.Lstat(one)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode(), one)
	}
	info, err := os.Lstat(s.path("listen/http.sock"))
	require.NoError(t, err)
	require.Equal(t, os.ModeSocket|0o660, info.Mode(), "what the configuration says")
}
