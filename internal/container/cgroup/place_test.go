//go:build linux

package cgroup

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
)

// fakeTree is a v2 hierarchy of plain files. A group's value lists its processes.
type fakeTree struct {
	groups    map[string]string
	delegated []string
	without   string // a controller that no group has
	kernel    bool   // its root is the kernel's
}

func (f fakeTree) around(t *testing.T, own string) surroundings {
	t.Helper()
	root := t.TempDir()
	write := func(path, content string) { require.NoError(t, os.WriteFile(path, []byte(content), 0o600)) }
	groups := map[string]string{}
	for path := range f.groups {
		for ; path != "/"; path = filepath.Dir(path) {
			groups[path] = ""
		}
	}
	maps.Copy(groups, f.groups)
	for path, pids := range groups {
		dir := filepath.Join(root, path)
		require.NoError(t, os.MkdirAll(dir, 0o700))
		write(filepath.Join(dir, "cgroup.procs"), strings.ReplaceAll(pids, " ", "\n"))
		write(filepath.Join(dir, "cgroup.controllers"), strings.ReplaceAll("cpuset cpu io memory pids", f.without, ""))
		write(filepath.Join(dir, "cgroup.subtree_control"), "")
		if path != "/" || !f.kernel {
			write(filepath.Join(dir, "cgroup.type"), "domain\n")
		}
	}
	return surroundings{root: root, own: own, pid: 7, user: os.Geteuid(), delegated: func(dir string) bool {
		for _, path := range f.delegated {
			if dir == filepath.Join(root, path) {
				return true
			}
		}
		return false
	}}
}

func TestPlace(t *testing.T) {
	const unit, session = "/system.slice/study.service", "/user.slice/user-0.slice/session-3.scope"
	manager := "/user.slice/user-1000.slice/user@1000.service"
	host := func(groups map[string]string, delegated ...string) fakeTree {
		groups["/"] = "1"
		return fakeTree{groups: groups, delegated: delegated, kernel: true}
	}
	for _, test := range []struct {
		name    string
		tree    fakeTree
		own     string
		systemd bool
		want    Place
	}{
		{"nobody manages the tree", host(map[string]string{}), "/", false, Place{Path: "/hotcell", By: ByRoot}},
		{"a session", host(map[string]string{session: "7 8"}), session, true, Place{By: ByScope}},
		{"a service", host(map[string]string{unit: "7"}), unit, true, Place{By: ByScope}},
		{"a delegated service", host(map[string]string{unit: "7"}, unit), unit, true, Place{Path: unit + "/hotcell", By: ByUnit}},
		{"a delegated service's subgroup", host(map[string]string{unit: "", unit + "/main": "6 7"}, unit), unit + "/main", true, Place{Path: unit + "/hotcell", By: ByUnit}},
		{"a delegated service, its second runner", host(map[string]string{unit: "", unit + leaf: "6 7"}, unit), unit + leaf, true, Place{Path: unit + "/hotcell", By: ByUnit}},
		{"a terminal that a user's systemd started", host(map[string]string{manager: "", manager + "/app.slice/a.scope": "7"}, manager),
			manager + "/app.slice/a.scope", true, Place{By: ByScope}},
		{"a container in its host's namespace", host(map[string]string{"/system.slice/docker-1.scope": "7"}, "/system.slice/docker-1.scope"),
			"/system.slice/docker-1.scope", false, Place{Path: "/system.slice/docker-1.scope/hotcell", By: ByUnit}},
		{"a container, alone", fakeTree{groups: map[string]string{"/": "7"}}, "/", false, Place{Path: "/hotcell", By: ByContainer}},
		{"a container whose processes are in a leaf", fakeTree{groups: map[string]string{"/": "", "/init": "1 7"}}, "/init", false, Place{Path: "/hotcell", By: ByContainer}},
		{"a container with a systemd of its own", fakeTree{groups: map[string]string{"/": "", unit: "7"}}, unit, true, Place{By: ByScope}},
	} {
		t.Run(test.name, func(t *testing.T) {
			around := test.tree.around(t, test.own)
			around.systemd = test.systemd
			found, err := around.choose()
			require.NoError(t, err)
			require.Equal(t, test.want, *found)
		})
	}
}

// Whoever owns a delegated group, or one above it, can mark it himself, and take processes
// out of it. Root's is a user's place, too: his systemd's groups are below root's.
func TestAnothersGroupIsNotDelegatedToUs(t *testing.T) {
	requireRoot(t)
	const above, unit = "/user.slice", "/user.slice/study.service"
	around := fakeTree{groups: map[string]string{"/": "", above: "", unit: "7"}, delegated: []string{unit}}.around(t, unit)
	found := func() string {
		t.Helper()
		path, err := around.unit()
		require.NoError(t, err)
		return path
	}
	require.Equal(t, unit, found())
	for _, group := range []string{"/", above, unit} {
		for _, name := range []string{"", "cgroup.procs", "cgroup.subtree_control"} {
			file := filepath.Join(around.root, group, name)
			require.NoError(t, os.Chown(file, 1000, 1000))
			if group == unit && name == "" {
				require.Empty(t, found(), file)
			} else {
				_, err := around.choose()
				require.ErrorContains(t, err, file+" belongs to user 1000")
			}
			require.NoError(t, os.Chown(file, 0, 0))
		}
	}
	require.Equal(t, unit, found())

	for _, name := range []string{"", "cgroup.procs", "cgroup.subtree_control"} {
		require.NoError(t, os.Chown(filepath.Join(around.root, unit, name), 1000, 1000))
	}
	require.Empty(t, found())
	around.user = 1000
	require.Equal(t, unit, found(), "the user's own, below root's")
}

// The limits of a delegated unit are not left because of what is wrong with it or far
// above it, and what is wrong is named, whatever else is there to choose.
func TestADelegatedUnitThatOthersMayWriteIsRefused(t *testing.T) {
	const above, unit = "/system.slice", "/system.slice/study.service"
	for name, groups := range map[string]map[string]string{
		"alone":                     {"/": "", above: "", unit: "7"},
		"beside a systemd's groups": {"/": "", above: "", unit: "7", managerLeaf: "1"},
	} {
		for _, systemd := range []bool{false, true} {
			for _, written := range []string{above + "/cgroup.procs", unit, unit + "/cgroup.procs", unit + "/cgroup.subtree_control"} {
				around := fakeTree{groups: groups, delegated: []string{unit}}.around(t, unit)
				around.systemd = systemd
				file := filepath.Join(around.root, written)
				require.NoError(t, os.Chmod(file, 0o775))
				_, err := around.choose()
				require.ErrorContains(t, err, file+" may be written by others", name)
			}
		}
	}
}

func TestAMarkIsReadFromTheDirectory(t *testing.T) {
	requireRoot(t)
	dir := t.TempDir()
	require.False(t, hasDelegateTag(dir))
	require.NoError(t, unix.Setxattr(dir, "trusted.delegate", []byte("1"), 0))
	require.True(t, hasDelegateTag(dir))
}

func TestAContainersGroupThatIsAnothersIsNoPlace(t *testing.T) {
	requireRoot(t)
	around := fakeTree{groups: map[string]string{"/": "7"}}.around(t, "/")
	require.NoError(t, os.Chown(around.root, 1000, 1000))
	_, err := around.choose()
	require.ErrorContains(t, err, "belongs to user 1000")
}

func TestNoPlace(t *testing.T) {
	const unit = "/system.slice/study.service"
	for _, test := range []struct {
		name  string
		tree  fakeTree
		own   string
		fault string
	}{
		{"others are in the delegated unit", fakeTree{groups: map[string]string{"/": "", unit: "5 7"}, delegated: []string{unit}}, unit, "other processes are in control group " + unit + " itself (1, the first is 5)"},
		{"others are in the container", fakeTree{groups: map[string]string{"/": "1 7"}}, "/", "for p in $(cat "},
		{"others of another pid namespace are in the container", fakeTree{groups: map[string]string{"/": "0 7"}}, "/", "other processes"},
		{"a controller is not delegated", fakeTree{groups: map[string]string{"/": "", unit: "7"}, delegated: []string{unit}, without: "memory"}, unit, "has not been given memory"},
		{"in the groups of a systemd that is the host's", fakeTree{groups: map[string]string{"/": "", "/init.scope": "1", "/system.slice/docker-1.scope": "7"}, kernel: true},
			"/system.slice/docker-1.scope", "docker run --privileged --cgroupns private"},
		{"in the groups of a systemd that is another container's", fakeTree{groups: map[string]string{"/": "", "/init.scope": "1", "/system.slice/docker-1.scope": "7"}},
			"/system.slice/docker-1.scope", "docker run --privileged --cgroupns private"},
		{"outside of the mounted tree", fakeTree{groups: map[string]string{"/": ""}}, "/../../init.scope", "outside of what is mounted"},
	} {
		t.Run(test.name, func(t *testing.T) {
			around := test.tree.around(t, test.own)
			around.systemd = strings.Contains(test.name, "unit")
			_, err := around.choose()
			require.ErrorContains(t, err, test.fault)
		})
	}
	around := fakeTree{groups: map[string]string{"/": ""}}.around(t, "/")
	around.readOnly = true
	_, err := around.choose()
	require.ErrorContains(t, err, "ProtectControlGroups=")
}

func TestSettleMovesThisProcessAndNoOther(t *testing.T) {
	const unit = "/system.slice/study.service"
	around := fakeTree{groups: map[string]string{"/": "1", "/system.slice": "", unit: "7"}, delegated: []string{unit}, kernel: true}.around(t, unit)
	for _, path := range []string{"", "/system.slice"} { // as systemd has them, and as they must stay
		require.NoError(t, os.WriteFile(filepath.Join(around.root, path, "cgroup.subtree_control"), []byte("cpu memory pids"), 0o400))
	}
	// A directory of a kernel's comes with its files.
	for _, path := range []string{unit + leaf, unit + "/hotcell"} {
		require.NoError(t, os.Mkdir(filepath.Join(around.root, path), 0o700))
		for _, name := range []string{"cgroup.procs", "cgroup.subtree_control"} {
			require.NoError(t, os.WriteFile(filepath.Join(around.root, path, name), nil, 0o600))
		}
	}
	place, err := around.choose()
	require.NoError(t, err)
	require.NoError(t, around.settle(place))
	for path, want := range map[string]string{
		unit + leaf + "/cgroup.procs":            "7",
		unit + "/cgroup.subtree_control":         "+cpu +memory +pids",
		unit + "/hotcell/cgroup.subtree_control": "+cpu +memory +pids",
		"/cgroup.subtree_control":                "cpu memory pids",
		"/system.slice/cgroup.subtree_control":   "cpu memory pids",
		"/cgroup.procs":                          "1",
	} {
		content, err := os.ReadFile(filepath.Join(around.root, path))
		require.NoError(t, err)
		require.Equal(t, want, string(content), path)
	}
}

// Systemd takes a scope's group away when somebody stops it. To make it again would be to
// write in systemd's tree.
func TestCreateMakesNothingAboveTheGroup(t *testing.T) {
	root := t.TempDir()
	const place = "/hotcell.slice/hotcell-1-a.scope"
	require.NoError(t, os.Mkdir(filepath.Join(root, "hotcell.slice"), 0o700))
	_, err := createUnified(root, place+"/sandbox", container.Resources(limits()))
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "its place "+place+" is gone")
	require.NoDirExists(t, filepath.Join(root, place))
	require.ErrorIs(t, makePlace(root, place+"/tests"), fs.ErrNotExist)
	require.NoDirExists(t, filepath.Join(root, place))

	require.NoError(t, os.Mkdir(filepath.Join(root, place), 0o700))
	_, err = createUnified(root, place+"/sandbox", container.Resources(limits()))
	require.NoError(t, err)
	limit, err := os.ReadFile(filepath.Join(root, place, "sandbox/memory.max"))
	require.NoError(t, err)
	require.Equal(t, "33554432", string(limit))
	_, err = createUnified(root, place+"/sandbox", container.Resources(limits()))
	require.ErrorIs(t, err, fs.ErrExist)
}

func TestAPlaceStands(t *testing.T) {
	const scope = "/hotcell.slice/hotcell-1-a.scope"
	for _, test := range []struct {
		name   string
		place  Place
		change func(t *testing.T, dir string) // nil where it stands
	}{
		{"a unit's", Place{Path: scope, By: ByUnit}, nil},
		{"a scope", Place{Path: scope, By: ByScope}, nil},
		{"not when it is gone", Place{Path: scope, By: ByUnit}, func(t *testing.T, dir string) { require.NoError(t, os.RemoveAll(dir)) }},
		{"not without controllers", Place{Path: scope, By: ByUnit}, func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "cgroup.subtree_control"), []byte("cpu pids\n"), 0o600))
		}},
		{"not when its anchor has ended", Place{Path: scope, By: ByScope}, func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, anchorLeaf, "cgroup.procs"), nil, 0o600))
		}},
		{"not when its anchor's group is gone", Place{Path: scope, By: ByScope}, func(t *testing.T, dir string) {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, anchorLeaf)))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := fakeTree{groups: map[string]string{"/": "", scope: "", scope + "/" + anchorLeaf: "7"}}.around(t, "/").root
			dir := filepath.Join(root, scope)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "cgroup.subtree_control"), []byte("cpu memory pids\n"), 0o600))
			if test.change != nil {
				test.change(t, dir)
			}
			stands, err := test.place.standsIn(root)
			require.NoError(t, err)
			require.Equal(t, test.change == nil, stands)
		})
	}
}

// systemd joins controllers of v1: "cpu" is a link to "cpu,cpuacct".
func TestAHierarchyMayBeALink(t *testing.T) {
	root := fakeTree{groups: map[string]string{"/": "", "/hotcell": ""}}.around(t, "/").root
	link := filepath.Join(t.TempDir(), "cpu")
	require.NoError(t, os.Symlink(root, link))
	require.NoError(t, requireOurs(link, belowOwner, os.Geteuid()))
	require.NoError(t, os.Chmod(filepath.Join(root, "cgroup.procs"), 0o666))
	require.ErrorContains(t, requireOurs(link, belowOwner, os.Geteuid()), "chmod go-w")
}

// Of v1's places there may be none so far: who may write the group above could make it.
func TestAPlaceThatIsNotThereIsAsWhatIsAboveIt(t *testing.T) {
	const missing = "/study/hotcell"
	root := fakeTree{groups: map[string]string{"/": "", "/study": ""}}.around(t, "/").root
	user := os.Geteuid()
	require.NoError(t, requireOursOrNone(root, missing, user))
	require.NoError(t, requireOursOrNone(root+"-not-mounted", missing, user))
	for _, group := range []string{"/", "/study"} {
		file := filepath.Join(root, group, "cgroup.procs")
		require.NoError(t, os.Chmod(file, 0o666))
		require.ErrorContains(t, requireOursOrNone(root, missing, user), file+" may be written by others")
		require.NoError(t, os.Chmod(file, 0o600))
	}
}

// What root has made may be given away later, by a chown or a chmod of the administrator's.
func TestAPlaceThatOthersWriteIsRefused(t *testing.T) {
	requireRoot(t)
	for name, test := range map[string]struct {
		file, want string
		change     func(path string) error
	}{
		"another's":            {"/hotcell", "belongs to user 1000", func(path string) error { return os.Chown(path, 1000, 1000) }},
		"everybody's to write": {"/hotcell/cgroup.procs", "chmod go-w", func(path string) error { return os.Chmod(path, 0o666) }},
		"above, a group's":     {"/cgroup.procs", "chmod go-w", func(path string) error { return os.Chmod(path, 0o664) }},
	} {
		t.Run(name, func(t *testing.T) {
			around := fakeTree{groups: map[string]string{"/": "", "/hotcell": ""}, kernel: true}.around(t, "/")
			place := Place{Path: belowOwner, By: ByRoot}
			require.NoError(t, around.settle(&place))
			require.NoError(t, os.WriteFile(filepath.Join(around.root, "hotcell/cgroup.subtree_control"), []byte("cpu memory pids"), 0o600))
			stands, err := place.standsIn(around.root)
			require.NoError(t, err)
			require.True(t, stands)
			require.NoError(t, test.change(filepath.Join(around.root, test.file)))
			found, err := around.choose()
			if err == nil {
				err = around.settle(found)
			}
			require.ErrorContains(t, err, test.want)
			_, err = place.standsIn(around.root)
			require.ErrorContains(t, err, test.want)
		})
	}
}

// Systemd may take its time with another caller's scope.
func TestNobodyWaitsForAPlaceForLongerThanHisContext(t *testing.T) {
	home.turn <- struct{}{}
	defer func() { <-home.turn }()
	late := errors.New("too late")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(late)
	_, err := Home(ctx)
	require.ErrorIs(t, err, late)
}
