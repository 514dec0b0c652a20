//go:build linux

package cgroup

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// surroundings are what the place in a v2 hierarchy depends on.
type surroundings struct {
	root     string // mount point
	own      string // group of this process
	pid      int    // of this process
	user     int    // whose process it is
	readOnly bool
	systemd  bool // it manages the hierarchy
	// delegated tells of a directory whether it has the mark of one that its manager
	// has given away, which its owner can set himself.
	delegated func(dir string) bool
}

func look() (surroundings, error) {
	own, err := ownGroup()
	if err != nil {
		return surroundings{}, err
	}
	var mounted unix.Statfs_t
	if err := unix.Statfs(mountpoint, &mounted); err != nil {
		return surroundings{}, &os.PathError{Op: "statfs", Path: mountpoint, Err: err}
	}
	return surroundings{
		root: mountpoint, own: own, pid: os.Getpid(), user: os.Geteuid(), readOnly: mounted.Flags&unix.ST_RDONLY != 0,
		systemd: systemdRuns(), delegated: hasDelegateTag,
	}, nil
}

// ownGroup reads the line of v2 in /proc/self/cgroup.
func ownGroup() (string, error) {
	content, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(content)) {
		if path, found := strings.CutPrefix(strings.TrimSpace(line), "0::"); found {
			return path, nil
		}
	}
	return "", errors.New("/proc/self/cgroup names no group of v2")
}

func hasDelegateTag(dir string) bool {
	value := make([]byte, 1)
	// Marks by systemd and others; trusted.* needs CAP_SYS_ADMIN.
	for _, name := range []string{"trusted.delegate", "user.delegate"} {
		if length, err := unix.Getxattr(dir, name, value); err == nil && length == 1 && value[0] == '1' {
			return true
		}
	}
	return false
}

// choose decides without changing anything. Of a scope it does not know the path.
func (s surroundings) choose() (*Place, error) {
	if s.readOnly {
		return nil, fmt.Errorf("%s is mounted read-only: in a systemd unit take away ProtectControlGroups=, %s", s.root, containerNeeds)
	}
	if strings.HasPrefix(s.own+"/", "/../") {
		return nil, fmt.Errorf("this process is in control group %s, outside of what is mounted on %s: "+
			"start it where it belongs, or mount cgroup2 anew", s.own, s.root)
	}
	unit, unitErr := s.unit()
	managed, err := s.isManaged()
	namespace := s.isNamespace()
	if err := errors.Join(unitErr, err); err != nil {
		return nil, err
	}
	switch {
	case unit != "":
		return &Place{Path: unit + belowOwner, By: ByUnit}, s.requireRoom(unit)
	case s.systemd:
		return &Place{By: ByScope}, nil
	case managed:
		return nil, fmt.Errorf("the control groups on %s are those of a systemd which is not this container's (it has %s): %s", s.root, managerLeaf, containerNeeds)
	case namespace:
		return &Place{Path: belowOwner, By: ByContainer}, cmp.Or(requireOurs(s.root, "/", s.user), s.requireRoom("/"))
	default:
		return &Place{Path: belowOwner, By: ByRoot}, requireOurs(s.root, "/", s.user)
	}
}

// unit returns the delegated unit that this process runs in, "" for none: the
// nearest group above it with the mark, if nobody else manages what is below. A
// user's systemd does: its units are in slices and units below user@….service, which
// is marked too, and is not ours to write in. A mark in another user's group is
// not for us. A unit of ours is refused where others may write it or a group above it, and
// no other place is used instead, because the unit's own limits are not there.
func (s surroundings) unit() (string, error) {
	for path := s.own; path != "/"; path = filepath.Dir(path) {
		dir := filepath.Join(s.root, path)
		if !s.delegated(dir) || s.isAnothers(dir) {
			continue
		}
		if path != s.own && (!isUnit(path) || slices.ContainsFunc(strings.Split(s.own[len(path):], "/"), isUnit)) {
			return "", nil
		}
		return path, requireOurs(s.root, path, s.user)
	}
	return "", nil
}

// isAnothers tells of a group that neither root nor this user has made.
func (s surroundings) isAnothers(dir string) bool {
	var found unix.Stat_t
	err := unix.Lstat(dir, &found)
	return err == nil && found.Uid != 0 && int(found.Uid) != s.user
}

// containerNeeds is the way out of a container that has no groups of its own.
const containerNeeds = "a container needs --privileged and a control group namespace of its own (docker run --privileged --cgroupns private)"

// managerLeaf is where systemd is itself, in whatever it manages (systemd.special(7)).
const managerLeaf = "/init.scope"

// isManaged tells of a systemd that has the tree, which from a container that is in its
// host's control group namespace is seen in no other way: pid 1 is the container's.
func (s surroundings) isManaged() (bool, error) {
	_, err := os.Lstat(filepath.Join(s.root, managerLeaf))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func isUnit(path string) bool {
	return slices.Contains([]string{".service", ".scope", ".slice"}, filepath.Ext(path))
}

// isNamespace tells the root of a control group namespace from that of the kernel,
// which alone has no type.
func (s surroundings) isNamespace() bool {
	_, err := os.Stat(filepath.Join(s.root, "cgroup.type"))
	return err == nil
}

// needed are the controllers by which a sandbox is limited.
func needed() []string { return []string{"cpu", "memory", "pids"} }

// requireRoom wants the group at path to be able to have children with controllers:
// it must have them from above, and the kernel enables none for the children of a
// group with processes (cgroup-v2.rst, "No Internal Process Constraint"). This one
// can move; others are not ours to move.
func (s surroundings) requireRoom(path string) error {
	dir := filepath.Join(s.root, path)
	lacking, err := missing(dir, "cgroup.controllers")
	if err != nil {
		return err
	}
	if len(lacking) > 0 {
		return fmt.Errorf("control group %s has not been given %s: set Delegate=yes for its unit, or have the container's host pass them on",
			path, strings.Join(lacking, ", "))
	}
	if lacking, err := missing(dir, "cgroup.subtree_control"); err != nil || len(lacking) == 0 {
		return err
	}
	others, err := processes(dir)
	others = slices.DeleteFunc(others, func(pid int) bool { return pid == s.pid })
	if err != nil || len(others) == 0 {
		return err
	}
	return fmt.Errorf("other processes are in control group %[2]s itself (%[1]d, the first is %[3]d), so that none below it can have limits: "+
		"let the runner be the only process that is started there (exec), set DelegateSubgroup= for a service, "+
		"or move them first, as root: mkdir %[4]s/init && for p in $(cat %[4]s/cgroup.procs); do echo $p > %[4]s/init/cgroup.procs; done",
		len(others), path, others[0], strings.TrimSuffix(dir, "/"))
}
