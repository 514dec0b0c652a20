package image

import (
	"encoding/binary"

	"golang.org/x/sys/unix"

	"hotcell/internal/digest"
)

// describe adds one entry to a digest.
func describe(sum *digest.Hash, name string, stat *unix.Stat_t) {
	var text [10 * 8]byte
	for n, figure := range [...]uint64{
		uint64(len(name)), uint64(stat.Mode), uint64(stat.Uid)<<32 | uint64(stat.Gid), uint64(stat.Size), uint64(stat.Nlink),
		stat.Ino, uint64(stat.Ctim.Sec), uint64(stat.Ctim.Nsec), uint64(stat.Mtim.Sec), uint64(stat.Mtim.Nsec),
	} {
		binary.BigEndian.PutUint64(text[n*8:], figure)
	}
	_, _ = sum.Write(text[:]) // never an error
	_, _ = sum.Write([]byte(name))
}

func deviceOf(stat *unix.Stat_t) uint64 { return stat.Dev }
