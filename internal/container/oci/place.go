//go:build linux

package oci

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"hotcell/internal/container/cgroup"
	"hotcell/internal/durable"
)

func (e *Engine) findPlace(ctx context.Context) (string, error) {
	if e.options.cgroupParent != "" {
		return e.options.cgroupParent, cgroup.MakePlace(e.options.cgroupParent)
	}
	place, err := cgroup.Home(ctx)
	if err != nil {
		return "", err
	}
	return place.Path, nil
}

// groupPath is the sandbox's own group, relative to the root of the hierarchies.
func (s *sandbox) groupPath() string { return filepath.Join(s.place, s.id.String()) }

// shownGroup is the same as its runtime sees it: on v2 the place is the root there.
func (s *sandbox) shownGroup() string {
	if mode, err := cgroup.HostMode(); err == nil && mode == cgroup.ModeUnified {
		return "/" + s.id.String()
	}
	return s.groupPath()
}

// maxSmall bounds the files of a sandbox's directory that hold a path or a number, in bytes.
const maxSmall = 8192

// knownPlace reads what the sandbox's owner wrote. It cannot name more than a group
// that is called after the sandbox.
func (s *sandbox) knownPlace() (string, error) {
	content, err := durable.ReadFile(s.path(placeFile), maxSmall)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read place of control group: %w", err)
	}
	if len(content) == 0 { // its owner died before it wrote, and made no group
		return s.place, nil
	}
	return string(content), nil
}

// coverGroups makes the place the root of all that runtimes see of v2's tree. To
// enable controllers they write to every group on the way to a sandbox's, from the
// root on (runc 1.1 all that the kernel has), and those groups are systemd's.
func coverGroups(place string) error {
	mode, err := cgroup.HostMode()
	if err != nil || mode != cgroup.ModeUnified {
		return err
	}
	source := filepath.Join(cgroup.Mountpoint(), place)
	if err := unix.Mount(source, cgroup.Mountpoint(), "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("cover %s with %s: %w", cgroup.Mountpoint(), place, err)
	}
	return nil
}

// lookAtPlace returns the place's group on v2, nil on v1, where nothing is covered.
func lookAtPlace(place string) (os.FileInfo, error) {
	mode, err := cgroup.HostMode()
	if err != nil || mode != cgroup.ModeUnified {
		return nil, err
	}
	return os.Stat(filepath.Join(cgroup.Mountpoint(), place))
}

// shows reports whether the namespace has the place as it is now. One that is gone stays
// where it was bound, and no group can be made in it.
func (n *namespace) shows(place string) (bool, error) {
	now, err := lookAtPlace(place)
	return err == nil && n.place == place && (n.group == nil || os.SameFile(n.group, now)), err
}
