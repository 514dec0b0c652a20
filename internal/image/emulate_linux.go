package image

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// emulators is, by architecture, the file in which Debian's emulator says how the
// kernel knows the programs that it runs (binfmt.d(5)).
var emulators = map[string]string{"arm64": "/usr/lib/binfmt.d/qemu-aarch64.conf"}

// emulate registers an emulator and runs a program below another root.
//
// binfmt_misc belongs to a user namespace since Linux 6.7: what is registered in the
// child's own ends with it, and the machine stays as it is. Before that the host's
// counts, which systemd or binfmt-support have filled when the emulator was installed.
const emulate = `table=/proc/sys/fs/binfmt_misc
if mount -t binfmt_misc binfmt_misc "$table" 2>/dev/null; then
	cat "$1" >"$table/register"
elif ! grep -q ^enabled "$table/$2" 2>/dev/null; then
	echo "this kernel has no binfmt_misc for one user namespace (Linux 6.7) and nothing is registered as $table/$2: apt-get install binfmt-support" >&2
	exit 1
fi
shift 2
exec /usr/sbin/chroot "$@"`

// lend puts a tree's Python files in the place of another's and runs a program there:
// they get the byte code that they would get in their own.
const lend = `for directory in "$1"/usr/lib/python3*; do
	mount --bind "$directory" "$2/usr/lib/${directory##*/}"
done
shift
exec /usr/sbin/chroot "$@"`

// lentTo returns the child as one that runs with the Python of the compiler's tree.
func lentTo(c child, compiler string) child {
	c.argv = append([]string{"sh", "-euc", lend, "sh", c.root, compiler}, c.argv...)
	c.root = ""
	return c
}

// canEmulate reports whether there is an emulator of the architecture, by name.
func canEmulate(architecture string) error {
	conf, known := emulators[architecture]
	if !known {
		possible := slices.Sorted(maps.Keys(emulators))
		if !slices.Contains(possible, runtime.GOARCH) {
			possible = append([]string{runtime.GOARCH}, possible...)
		}
		return fmt.Errorf("%w %q: on %s images are made for %s", ErrUnknownArchitecture, architecture, runtime.GOARCH, strings.Join(possible, " and "))
	}
	if !exists(conf) {
		return fmt.Errorf("an image for %s needs an emulator on %s: apt-get install qemu-user-static (since Debian 13: qemu-user-binfmt)", architecture, runtime.GOARCH)
	}
	return nil
}

// emulated returns the child as one that runs below its root by emulation.
func emulated(c child, architecture string) (child, error) {
	conf := emulators[architecture]
	name, _, _ := strings.Cut(conf[strings.LastIndexByte(conf, '/')+1:], ".")
	var failed [2]error
	c.uids, failed[0] = sameIDs("/proc/self/uid_map")
	c.gids, failed[1] = sameIDs("/proc/self/gid_map")
	if err := errors.Join(failed[:]...); err != nil {
		return child{}, err
	}
	c.argv = append([]string{"sh", "-euc", emulate, "sh", conf, name, c.root}, c.argv...)
	c.root = ""
	return c, nil
}

// sameIDs maps every id of this user namespace to itself, so that files get the owners
// that they would have without another one.
func sameIDs(table string) ([]syscall.SysProcIDMap, error) {
	content, err := os.ReadFile(table)
	if err != nil {
		return nil, err
	}
	var ids []syscall.SysProcIDMap
	for line := range strings.Lines(string(content)) {
		var first, outside, count int
		if _, err := fmt.Sscan(line, &first, &outside, &count); err != nil {
			return nil, fmt.Errorf("read %s: %w", table, err)
		}
		ids = append(ids, syscall.SysProcIDMap{ContainerID: first, HostID: first, Size: count})
	}
	return ids, nil
}
