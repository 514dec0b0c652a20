//go:build unix

package policy

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// onlyAdministratorWrites refuses what somebody else could have written: a
// policy decides what may leave.
func onlyAdministratorWrites(name string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s is writable by its group or by others: run `chmod go-w %s`", name, name)
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fmt.Errorf("owner of %s cannot be read", name)
	}
	if owner := int(stat.Uid); owner != 0 && owner != os.Geteuid() {
		return fmt.Errorf("%s belongs to uid %d: it must belong to root or to you", name, owner)
	}
	return nil
}
