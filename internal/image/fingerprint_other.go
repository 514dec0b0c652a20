//go:build !linux

package image

import (
	"fmt"

	"golang.org/x/sys/unix"

	"hotcell/internal/digest"
)

// describe adds one entry to a digest. Nothing runs on an unpacked tree here: the
// docker engine has the daemon unpack.
func describe(sum *digest.Hash, name string, stat *unix.Stat_t) {
	fmt.Fprintf(sum, "%q %d %d %d %d %d\n", name, stat.Mode, stat.Uid, stat.Gid, stat.Size, stat.Ino)
}

func deviceOf(stat *unix.Stat_t) uint64 { return uint64(stat.Dev) }
