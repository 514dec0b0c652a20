//go:build !linux

package image

import (
	"fmt"
	"hash"

	"golang.org/x/sys/unix"
)

// describe adds one entry to a digest. Nothing runs on an unpacked tree here: the
// docker engine has the daemon unpack.
func describe(sum hash.Hash, name string, stat *unix.Stat_t) {
	fmt.Fprintf(sum, "%q %d %d %d %d %d\n", name, stat.Mode, stat.Uid, stat.Gid, stat.Size, stat.Ino)
}

func deviceOf(stat *unix.Stat_t) uint64 { return uint64(stat.Dev) }
