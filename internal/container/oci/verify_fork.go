//go:build linux

package oci

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"hotcell/internal/container"
)

// forkChecks hold for what has brought itself into the sandbox. It must not run meanwhile: what
// it has would be somewhere else when that is looked at.
func forkChecks() []check {
	return []check{
		{"", onlyTask}, {container.ControlSeccomp, threeFilters}, {"", onlyTheProtocol}, {"", nothingShared}, {"", inItsPlaces},
	}
}

// onlyTask wants the fork to be one thread, and nobody else to be in the sandbox but the
// runtime's process. Each task has credentials, filters and perhaps descriptors of its own,
// and all that is verified is the first one's.
func onlyTask(s *sandbox) error {
	count, err := threads(s.guard.pid)
	if err != nil {
		return err
	}
	if count != 1 {
		return fmt.Errorf("the fork has %d threads, not 1", count)
	}
	pids, err := s.group.Procs()
	if err != nil {
		return err
	}
	for _, pid := range pids {
		if pid != s.guard.pid && pid != s.anchor.pid {
			return errors.New("the fork has forked")
		}
	}
	return nil
}

// threeFilters wants those of the template, of stage 1 and of stage 2, where the kernel
// counts them (Linux 5.10).
func threeFilters(s *sandbox) error {
	const filters = 3
	fields, err := s.guard.procStatus()
	if err != nil {
		return err
	}
	if count, told := fields["Seccomp_filters"]; told && count != strconv.Itoa(filters) {
		return fmt.Errorf("the fork has %s filters, not %d", count, filters)
	}
	return nil
}

// onlyTheProtocol wants the fork to have let go of what it had in the template: open are
// the null device, the raw streams and the two ends of the protocol.
func onlyTheProtocol(s *sandbox) error {
	open, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(s.guard.pid), "fd"))
	if err != nil {
		return err
	}
	const most = 5
	if len(open) != most {
		return fmt.Errorf("the fork has %d open descriptors, not %d", len(open), most)
	}
	ours, err := s.pipes.inodes()
	if err != nil {
		return err
	}
	null, err := mountOf(fmt.Sprintf("/proc/%d/root/dev/null", s.guard.pid))
	if err != nil {
		return err
	}
	for _, one := range open {
		var stat unix.Stat_t
		if err := unix.Stat(filepath.Join("/proc", strconv.Itoa(s.guard.pid), "fd", one.Name()), &stat); err != nil {
			return fmt.Errorf("look at descriptor %s of the fork: %w", one.Name(), err)
		}
		mount, err := mountOfDescriptor(s.guard.pid, one.Name())
		if err != nil {
			return err
		}
		kind := stat.Mode & unix.S_IFMT
		// The template's null device, open as the template has it, is what all of its forks share.
		isNull := kind == unix.S_IFCHR && stat.Rdev == unix.Mkdev(1, 3) && mount == null
		isPipe := kind == unix.S_IFIFO && slices.Contains(ours, stat.Ino)
		if !isNull && !isPipe {
			return fmt.Errorf("descriptor %s of the fork leads elsewhere than to its run", one.Name())
		}
	}
	return nil
}

// mountOf is the id of the mount that a file is on, as fdinfo has it.
func mountOf(path string) (string, error) {
	stat, err := statx(path, 0, unix.AT_SYMLINK_NOFOLLOW)
	return strconv.FormatUint(stat.Mnt_id, 10), err
}

// statx tells also of the mount.
func statx(path string, mask, flags int) (stat unix.Statx_t, err error) {
	if err := unix.Statx(unix.AT_FDCWD, path, flags, mask|unix.STATX_MNT_ID, &stat); err != nil {
		return stat, &os.PathError{Op: "statx", Path: path, Err: err}
	}
	if stat.Mask&unix.STATX_MNT_ID == 0 {
		return stat, errors.New("this kernel does not tell on which mount a file is: Linux 5.8 does")
	}
	return stat, nil
}

// mountOfDescriptor is mountOf for what a process has open.
func mountOfDescriptor(pid int, name string) (string, error) {
	path := filepath.Join("/proc", strconv.Itoa(pid), "fdinfo", name)
	content, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(content)) {
		if mount, found := strings.CutPrefix(line, "mnt_id:"); found {
			return strings.TrimSpace(mount), nil
		}
	}
	return "", fmt.Errorf("%s has no mnt_id", path)
}

// inodes are those of the pipes: both ends of one have the same.
func (p *pipes) inodes() ([]uint64, error) {
	var found []uint64
	for _, end := range []*os.File{p.in.write, p.out.read, p.err.read} {
		if end == nil {
			continue // a template has a socket in the place of the first
		}
		var stat unix.Stat_t
		raw, err := end.SyscallConn() // Fd would make it blocking, and no deadline end a read
		if err != nil {
			return nil, fmt.Errorf("look at a pipe: %w", err)
		}
		var fault error
		if err := raw.Control(func(fd uintptr) { fault = unix.Fstat(int(fd), &stat) }); err != nil || fault != nil {
			return nil, fmt.Errorf("look at a pipe: %w", errors.Join(err, fault))
		}
		found = append(found, stat.Ino)
	}
	return found, nil
}

// unpadded is how map_files names a mapping whose addresses maps fills up with zeros.
func unpadded(addresses string) string {
	first, end, _ := strings.Cut(addresses, "-")
	return strings.TrimLeft(first, "0") + "-" + strings.TrimLeft(end, "0")
}

// nothingShared wants a fork to share no memory with its template, nor the template with a
// fork, and so with others that come from it, but for files that none of them can write: what
// one run writes there another could read. The kernel shows a shared mapping by an "s". A private one of a file
// shows what is written to that later on, as long as its own page was not: so it is of the
// image, too. One mapping of each device is looked at, for there are hundreds.
func nothingShared(s *sandbox) error {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", s.guard.pid))
	if err != nil {
		return err
	}
	var root unix.Stat_t
	if err := unix.Stat(fmt.Sprintf("/proc/%d/root", s.guard.pid), &root); err != nil {
		return fmt.Errorf("look at the fork's root file system: %w", err)
	}
	ofImage := map[string]bool{}
	for line := range strings.Lines(string(maps)) {
		fields := strings.Fields(line) // addresses, permissions, offset, device, inode, name
		if len(fields) < 5 {
			return fmt.Errorf("read the fork's mappings: not their form: %q", line)
		}
		shared, device, inode := strings.HasSuffix(fields[1], "s"), fields[3], fields[4]
		if !shared && (inode == "0" || ofImage[device]) {
			continue
		}
		var mapped unix.Stat_t // what the line says of the device is not what stat(2) says on every file system
		err := unix.Stat(fmt.Sprintf("/proc/%d/map_files/%s", s.guard.pid, unpadded(fields[0])), &mapped)
		problem := fmt.Errorf("process %d shares memory with others: %q", s.guard.pid, strings.TrimSpace(line))
		switch {
		case err != nil || shared && fields[1][1] == 'w':
			return errors.Join(problem, err)
		case mapped.Dev != root.Dev:
			return fmt.Errorf("%w, a file of another file system than its image's: what is kept ready for a bundle wants images and bundles on one", problem)
		}
		ofImage[device] = true
	}
	return nil
}

// inItsPlaces wants the fork to be in the sandbox's namespaces, all that the kernel knows of, and
// its root to be the sandbox's and its current directory the output's: through those of
// another it would get at that one's files.
func inItsPlaces(s *sandbox) error {
	if err := s.requireNamespaces(s.guard.pid); err != nil {
		return err
	}
	root := fmt.Sprintf("/proc/%d/root", s.anchor.pid)
	for name, want := range map[string]string{"root": root, "cwd": root + container.OutputDir} {
		wanted, err := placeOf(want)
		if err != nil {
			return err
		}
		found, err := placeOf(fmt.Sprintf("/proc/%d/%s", s.guard.pid, name))
		if err != nil {
			return err
		}
		if found != wanted {
			return fmt.Errorf("%s of the fork is %s, not %s", name, found, wanted)
		}
	}
	return nil
}

// requireNamespaces wants a process to be in the sandbox's, all that the kernel knows of.
func (s *sandbox) requireNamespaces(pid int) error {
	theirs, err := namespacesOf(pid)
	if err != nil {
		return err
	}
	ours, err := namespacesOf(s.anchor.pid)
	if err != nil {
		return err
	}
	for _, one := range ours {
		if name, _, _ := strings.Cut(one, " "); !slices.Contains(theirs, one) {
			return fmt.Errorf("the fork is not in the sandbox's %s namespace", name)
		}
	}
	return nil
}
