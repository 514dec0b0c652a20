//go:build linux

package oci

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestMemoryIsPutTogether(t *testing.T) {
	const size = 8 * hugePage
	memory, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	require.NoError(t, err)
	defer func() { require.NoError(t, unix.Munmap(memory)) }()
	require.NoError(t, unix.Madvise(memory, unix.MADV_NOHUGEPAGE))
	for at := 0; at < size; at += os.Getpagesize() {
		memory[at] = 1
	}
	require.NoError(t, unix.Madvise(memory, unix.MADV_HUGEPAGE))
	before := hugeMemory(t)
	self, err := openChild(os.Getpid())
	require.NoError(t, err)
	defer self.handle.Close()
	err = self.collapse()
	if _, missing := os.Stat("/sys/kernel/mm/transparent_hugepage"); errors.Is(missing, fs.ErrNotExist) {
		require.Error(t, err, "a kernel without huge pages says so")
		return
	}
	require.GreaterOrEqual(t, hugeMemory(t)-before, size-2*hugePage, "%v", err)
	require.EqualValues(t, 1, memory[size/2], "what is in it stays")
}

// hugeMemory is how much of this process's memory is in huge pages, in bytes.
func hugeMemory(t *testing.T) int {
	t.Helper()
	rollup, err := os.ReadFile("/proc/self/smaps_rollup")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(rollup), "AnonHugePages:")
	require.True(t, found)
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	require.NoError(t, err)
	return kilobytes << 10
}
