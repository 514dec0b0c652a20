//go:build linux

package oci

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/image/imagetest"
)

// A long-lived runner tries again at each sandbox.
func TestANamespaceThatCannotBeMadeLeavesNothingOpen(t *testing.T) {
	if os.Geteuid() != 0 {
		imagetest.Lacking(t, "needs root to make mount namespaces")
	}
	before := openNamespaces(t)
	err := onThread(func() error {
		if err := unshareMounts(); err != nil {
			return err
		}
		if err := unix.Mount("hotcell", "/run", "tmpfs", 0, ""); err != nil { // in which mountDir is not
			return err
		}
		_, err := furnish("/")
		return err
	})
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, mountDir)
	require.Subset(t, before, openNamespaces(t), "what tests before this one have left may be closed meanwhile")
}

func openNamespaces(t *testing.T) []string {
	t.Helper()
	found := []string{}
	entries, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	for _, entry := range entries {
		target, err := os.Readlink(filepath.Join("/proc/self/fd", entry.Name()))
		if err == nil && strings.HasPrefix(target, "mnt:") {
			found = append(found, entry.Name()+" "+target)
		}
	}
	return found
}
