//go:build linux

package cgroup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// Place is where this process makes the groups of its sandboxes.
type Place struct {
	// Path is the group above them, relative to the root of the hierarchies.
	Path string
	// By says whose the tree is around it.
	By PlaceKind

	anchor *anchor // of a scope, else nil
}

// PlaceKind is how a place was found.
type PlaceKind string

// The kinds of places.
const (
	ByRoot      PlaceKind = "below the root of the hierarchies" // v1's, or one that nobody manages
	ByContainer PlaceKind = "in this container"
	ByUnit      PlaceKind = "in this process's unit, which is delegated"
	ByScope     PlaceKind = "a scope of systemd's"
)

const (
	// belowOwner is what a place's path ends with, but a scope's.
	belowOwner = "/hotcell"
	// leaf is where this process moves to when it must not stay where it is.
	leaf = "/hotcell-runner"
)

// String is what doctor shows.
func (p *Place) String() string { return fmt.Sprintf("%s (%s)", p.Path, p.By) }

// home is this process's place: it is in one group, and needs one scope, however
// many engines it has.
var home struct {
	sync.Mutex
	place *Place
}

// Home finds the place, or makes it, and keeps to it while it stands. It can go: whoever
// administers the host stops a scope. Ask before each sandbox. What Home made needs no
// removal: it ends with this process, however that ends, and with what still lives in
// it.
//
// On v2 a group has one writer (docs/decisions). Where systemd manages the
// tree, that is systemd, but for what it delegates: the unit that this process runs
// in, or else a scope in hotcell.slice.
func Home(ctx context.Context) (*Place, error) {
	home.Lock()
	defer home.Unlock()
	if home.place != nil {
		stands, err := home.place.stands()
		if err != nil {
			return nil, fmt.Errorf("look at the place for control groups %s: %w", home.place, err)
		}
		if stands {
			return home.place, nil
		}
		home.place.forget()
		home.place = nil
	}
	found, err := findPlace(ctx)
	if err != nil {
		return nil, fmt.Errorf("find a place for control groups: %w", err)
	}
	home.place = found
	return found, nil
}

// stands tells whether groups with limits can be made in the place.
func (p *Place) stands() (bool, error) {
	mode, err := HostMode()
	if err != nil {
		return false, err
	}
	if mode != ModeUnified {
		err = requireOursOrNone(p.Path) // it is made with each group
		return err == nil, err
	}
	return p.standsIn(mountpoint)
}

func (p *Place) standsIn(root string) (bool, error) {
	dir := filepath.Join(root, p.Path)
	lacking, err := missing(dir, "cgroup.subtree_control")
	if err == nil {
		err = requireOurs(root, p.Path, os.Geteuid())
	}
	var anchored []int
	if err == nil && p.By == ByScope { // without its anchor it goes with the last sandbox
		anchored, err = processes(filepath.Join(dir, anchorLeaf))
	}
	if isGone(err) {
		return false, nil
	}
	return len(lacking) == 0 && (p.By != ByScope || len(anchored) > 0), err
}

// forget ends what kept a place alive that is gone.
func (p *Place) forget() {
	if p.anchor != nil {
		p.anchor.end()
	}
}

func findPlace(ctx context.Context) (*Place, error) {
	mode, err := HostMode()
	if err != nil {
		return nil, err
	}
	if mode != ModeUnified {
		// The controllers of v1 have no delegation, and systemd leaves there alone
		// what it did not make.
		return &Place{Path: belowOwner, By: ByRoot}, requireOursOrNone(belowOwner)
	}
	around, err := look()
	if err != nil {
		return nil, err
	}
	found, err := around.choose()
	if err != nil {
		return nil, err
	}
	if found.By == ByScope {
		return startScope(ctx)
	}
	return found, around.settle(found)
}

// MakePlace makes a group for others, in one that is there.
func MakePlace(path string) error {
	mode, err := checkedMode(path)
	if err != nil || mode != ModeUnified {
		return err
	}
	return makePlace(mountpoint, path)
}

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

// requireOurs wants a group, and each one above it up to the root, to be this user's or
// root's, and no others' to write: whoever may write one of them moves processes from one
// place below it to another, and takes the limits away that were read back (cgroup-v2.rst,
// "Delegation Containment"); on v1 he renames the group, and his own has its name and
// counts nothing. Root by sudo in a user's delegated scope has it from that user; a user's
// own place is below root's slices.
func requireOurs(root, path string, user int) error {
	root, err := filepath.EvalSymlinks(root) // v1's "cpu" may be one to "cpu,cpuacct"
	if err != nil {
		return err
	}
	for {
		if err := requireOurGroup(filepath.Join(root, path), user); err != nil {
			return err
		}
		if path == "/" {
			return nil
		}
		path = filepath.Dir(path)
	}
}

// requireOurGroup is requireOurs without the groups above.
func requireOurGroup(dir string, user int) error {
	for _, name := range []string{"", "cgroup.procs", "cgroup.subtree_control", "tasks"} {
		file := filepath.Join(dir, name)
		var found unix.Stat_t
		err := unix.Lstat(file, &found)
		if errors.Is(err, fs.ErrNotExist) && (name == "cgroup.subtree_control" || name == "tasks") {
			continue // v2's, and v1's
		}
		if err != nil {
			return &os.PathError{Op: "lstat", Path: file, Err: err}
		}
		if owner := int(found.Uid); owner != 0 && owner != user {
			return fmt.Errorf("%s belongs to user %d, who could take sandboxes out of their limits", file, owner)
		}
		if found.Mode&0o022 != 0 {
			return fmt.Errorf("%s may be written by others than its owner, who could take sandboxes out of their limits: chmod go-w %[1]s", file)
		}
	}
	return nil
}

// requireOursOrNone is for a place on v1, of which each hierarchy has one, or none so far.
func requireOursOrNone(path string) error {
	for _, dir := range (legacy{path}).dirs() {
		err := requireOurs(strings.TrimSuffix(dir, path), path, os.Geteuid())
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
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
		return &Place{Path: belowOwner, By: ByRoot}, nil
	}
}

// unit returns the delegated unit that this process runs in, "" for none: the
// nearest group above it with the mark, if nobody else manages what is below. A
// user's systemd does: its units are in slices and units below user@….service, which
// is marked too, and is not ours to write in. A mark in another's group is his own; one
// in ours below what others may write is a place that does not hold: no other place is
// taken for it, for the unit's own limits are not there.
func (s surroundings) unit() (string, error) {
	for path := s.own; path != "/"; path = filepath.Dir(path) {
		dir := filepath.Join(s.root, path)
		if !s.delegated(dir) || requireOurGroup(dir, s.user) != nil {
			continue
		}
		if path != s.own && (!isUnit(path) || slices.ContainsFunc(strings.Split(s.own[len(path):], "/"), isUnit)) {
			return "", nil
		}
		return path, requireOurs(s.root, path, s.user)
	}
	return "", nil
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

// settle makes room and the place in it.
func (s surroundings) settle(place *Place) error {
	above := strings.TrimSuffix(place.Path, belowOwner)
	if place.By != ByRoot {
		if err := s.leave(filepath.Join("/", above)); err != nil {
			return err
		}
	}
	if err := makePlace(s.root, place.Path); err != nil {
		return err
	}
	return requireOurs(s.root, place.Path, s.user) // it may have been there
}

// leave moves this process into a leaf when it is in the group at path itself.
func (s surroundings) leave(path string) error {
	if s.own != path {
		return nil
	}
	dir := filepath.Join(s.root, path, leaf)
	if err := makeGroup(dir); err != nil {
		return err
	}
	return moveTo(dir, s.pid)
}

func moveTo(dir string, pid int) error {
	if err := writeFile(filepath.Join(dir, "cgroup.procs"), strconv.Itoa(pid)); err != nil {
		return fmt.Errorf("move process %d: %w", pid, err)
	}
	return nil
}

// makePlace makes the group at path in one that is there, and lets the children of both
// have limits.
func makePlace(root, path string) error {
	dir := filepath.Join(root, path)
	if err := enable(filepath.Dir(dir)); err != nil {
		return err
	}
	if err := makeGroup(dir); err != nil {
		return err
	}
	return enable(dir)
}

// enable lets the children of a group have limits. It writes nothing where they have
// them: what is above a delegated group is another's to write.
func enable(dir string) error {
	lacking, err := missing(dir, "cgroup.subtree_control")
	if err != nil || len(lacking) == 0 {
		return err
	}
	if err := writeFile(filepath.Join(dir, "cgroup.subtree_control"), "+"+strings.Join(lacking, " +")); err != nil {
		return fmt.Errorf("enable controllers %s: %w", strings.Join(lacking, ", "), err)
	}
	return nil
}

// makeGroup makes dir, unless it is there.
func makeGroup(dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make control group: %w", err)
	}
	return nil
}

// missing returns which of the needed controllers are not in a file of dir.
func missing(dir, name string) ([]string, error) {
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	found := strings.Fields(string(content))
	return slices.DeleteFunc(needed(), func(controller string) bool { return slices.Contains(found, controller) }), nil
}

func writeFile(path, content string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(content)
	return errors.Join(err, file.Close())
}
