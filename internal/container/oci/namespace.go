//go:build linux

package oci

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"

	"hotcell/internal/container/cgroup"
)

// namespace is a mount namespace that only this engine enters. The kernel keeps it for
// as long as a sandbox knows it.
type namespace struct {
	handle *os.File
	place  string      // group above those of the sandboxes
	group  os.FileInfo // the same, as the namespace shows it; nil where it shows all (v1)
}

// newNamespace makes the namespace on a thread that then ends; the handle keeps
// it.
func newNamespace(place string) (*namespace, error) {
	made := &namespace{place: place}
	err := onThread(func() (err error) {
		if made.group, err = lookAtPlace(place); err != nil {
			return err
		}
		made.handle, err = furnish(place)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("create mount namespace: %w", err)
	}
	return made, nil
}

// furnish gives the calling thread a mount namespace with what an engine needs. It is
// opened last, so that a step that fails leaves nothing to close.
func furnish(place string) (*os.File, error) {
	if err := unshareMounts(); err != nil {
		return nil, err
	}
	for _, step := range []func() error{hideHybrid, func() error { return coverGroups(place) }, coverMountDir} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return os.Open("/proc/thread-self/ns/mnt")
}

func unshareMounts() error {
	if err := unix.Unshare(unix.CLONE_FS | unix.CLONE_NEWNS); err != nil {
		return fmt.Errorf("unshare: %w", err)
	}
	// Slave, not private: what the host mounts later (a data volume, say) must be
	// seen here, and nothing of ours there.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_SLAVE, ""); err != nil {
		return fmt.Errorf("stop mount propagation: %w", err)
	}
	return nil
}

// mountDir is where a namespace has the mounts of its sandboxes, and on the host
// itself always an empty directory. It is not in the state directory, because the
// sandbox's root, who is nobody on the host, must be able to pass all directories
// above its mounts; the state directory may be anywhere.
const mountDir = "/run/hotcell-mounts"

// coverMountDir lets the mount points be made where nobody else sees them.
func coverMountDir() error {
	err := unix.Mount("hotcell", mountDir, "tmpfs", locked, "size=1m,nr_inodes=64k,mode=711")
	if err != nil {
		return fmt.Errorf("mount tmpfs on %s: %w", mountDir, err)
	}
	return nil
}

// hideHybrid unmounts the v2 tree of a hybrid host: crun 1.8 refuses to run
// beside it ("cgroups in hybrid mode not supported"), and the controllers are all
// in v1.
func hideHybrid() error {
	mode, err := cgroup.HostMode()
	if err != nil || mode != cgroup.ModeHybrid {
		return err
	}
	if err := unix.Unmount(cgroup.HybridMountpoint(), unix.MNT_DETACH); err != nil {
		return fmt.Errorf("hide %s: %w", cgroup.HybridMountpoint(), err)
	}
	return nil
}

// do calls action on a thread inside the namespace. Children that action starts
// on its own goroutine are born there. Their umask, and action's, is not the
// caller's: under a strict one the sandbox's root could not pass what is made for it.
func (n *namespace) do(action func() error) error {
	return onThread(func() error {
		if err := unix.Unshare(unix.CLONE_FS); err != nil {
			return fmt.Errorf("unshare: %w", err)
		}
		if err := unix.Setns(int(n.handle.Fd()), unix.CLONE_NEWNS); err != nil {
			return fmt.Errorf("enter mount namespace: %w", err)
		}
		unix.Umask(ordinaryUmask) // the thread's own since the unshare
		return action()
	})
}

const ordinaryUmask = 0o022

// onThread calls action on an operating system thread that ends afterwards: its
// goroutine never unlocks it, and so no other code ever runs in its namespaces.
//
// The main thread is passed over. It would never end, and /proc/self, by which
// libraries read mounts and cgroups, shows that thread's namespaces.
func onThread(action func() error) error {
	result := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		if unix.Gettid() == unix.Getpid() {
			defer runtime.UnlockOSThread()
			result <- onThread(action) // on another one, while this one is held
			return
		}
		err := errors.New("thread ended early")
		defer func() { result <- err }()
		err = action()
	}()
	return <-result
}

func becomeSubreaper() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become child subreaper: %w", err)
	}
	return nil
}
