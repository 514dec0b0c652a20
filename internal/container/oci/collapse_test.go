//go:build linux

package oci

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

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
	if grown := hugeMemory(t) - before; grown < size-2*hugePage {
		requireRefused(t, err, grown, memory)
	}
	require.EqualValues(t, 1, memory[size/2], "what is in it stays")
}

// requireRefused wants the kernel to have said why: it has no huge page just now, or puts no
// memory together on demand (before Linux 6.1). Then it says so of what we ask ourselves, too.
func requireRefused(t *testing.T, err error, grown int, memory []byte) {
	t.Helper()
	reasons := []unix.Errno{unix.ENOMEM, unix.EAGAIN, unix.EBUSY}
	if errors.Is(unix.Madvise(memory, unix.MADV_COLLAPSE), unix.EINVAL) {
		reasons = append(reasons, unix.EINVAL)
	}
	refused := slices.ContainsFunc(reasons, func(reason unix.Errno) bool { return errors.Is(err, reason) })
	require.True(t, refused, "%d bytes more are in huge pages, and %v", grown, err)
	t.Log("this host puts no memory together: ", err)
}

func TestMemoryThatIsPutTogetherIsInWholeHugePages(t *testing.T) {
	const size = 4 * hugePage
	memory, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	require.NoError(t, err)
	defer func() { require.NoError(t, unix.Munmap(memory)) }()
	self, err := openChild(os.Getpid())
	require.NoError(t, err)
	defer self.handle.Close()
	extents, err := self.ownMemory()
	require.NoError(t, err)
	begin := uintptr(unsafe.Pointer(&memory[0]))
	whole := (begin + hugePage - 1) / hugePage * hugePage
	require.True(t, slices.ContainsFunc(extents, func(one extent) bool {
		return one.start <= whole && whole+size-hugePage <= one.start+one.length
	}), "%x is not in %x", begin, extents)
	for _, one := range extents {
		require.Zero(t, one.start%hugePage)
		require.Zero(t, one.length%hugePage)
	}
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
