// Package fingerprint tells without reading them whether files are as they were.
//
// It decides what "as they were" means: everything that the kernel knows of an entry is
// the same, its ctime above all, which nobody can set. It does not decide when to
// believe it: the image store seals an unpacked image with a Tree, the bundle store
// keeps one for each bundle that it has hashed.
//
// What it cannot see is a write that passes the file system by: root on the raw disk, a
// kernel flaw that writes into the page cache alone, a disk that lies. Root can also set
// the clock back and change a file at the very nanosecond of its ctime. Who has to be
// safe from these needs fs-verity or dm-verity, with which the kernel checks each page
// as it is read.
package fingerprint

import (
	"time"

	"hotcell/internal/digest"
)

// Margin is how long ago the last change must lie for a look to be worth something: the
// next change must not get the same ctime. Kernels before 6.13 stamp with the time of
// their last tick (up to 10 ms ago); ext4 with inodes of 128 bytes keeps whole seconds,
// and FAT two of them.
const Margin = 2 * time.Second

// Tree is how a tree looked. Two that are equal are of one tree, unchanged, if the first
// was Settled.
type Tree struct {
	// Entries is a digest of every entry's name, type, mode, owner, size, links, inode and
	// times. It is the same after a restart of the machine, and in another process.
	Entries digest.Hex
	device  uint64 // a restart may change it
	newest  int64  // ctime, in nanoseconds since 1970
	stamps  bool   // the file system notes every change in a ctime
}

// Settled reports whether a change after the moment at, which is not after the look,
// would show: the last one was long enough before it, and the file system is one of the
// kernel's own that keeps ctimes. A file whose ctime lies in the future never settles.
func (t Tree) Settled(at time.Time) bool {
	return t.stamps && t.newest < at.Add(-Margin).UnixNano()
}

// Unsettled is how much later than at a tree is Settled that nobody changes, if its file
// system keeps ctimes: never more than Margin.
func (t Tree) Unsettled(at time.Time) time.Duration {
	return min(Margin, max(0, time.Unix(0, t.newest).Add(Margin+1).Sub(at)))
}
