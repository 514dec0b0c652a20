//go:build unix

package output

import (
	"io/fs"
	"syscall"
)

// device tells file systems apart.
func device(info fs.FileInfo) uint64 {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	return uint64(stat.Dev)
}
