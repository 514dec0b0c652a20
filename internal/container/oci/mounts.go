//go:build linux

package oci

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"hotcell/internal/container"
)

const locked = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC

// mountAll makes the sandbox's mounts in the engine's namespace and opens the
// output, which stays readable through that handle when the mount has gone.
//
// Image and bundle are bound here, so that the sandbox's root need not be able to
// pass the directories in which the stores keep them, and so that they are
// read-only even if the runtime should forget it.
func (s *sandbox) mountAll(from sources) error {
	return s.mounts.do(func() error {
		if err := os.Mkdir(s.mountPoint(""), 0o711); err != nil {
			return fmt.Errorf("make mount point: %w", err)
		}
		if err := bindReadOnly(from.rootFS, s.mountPoint(rootFSDir), s.rootFlags()); err != nil {
			return err
		}
		if from.bundle != "" {
			if err := bindReadOnly(from.bundle, s.mountPoint(bundleDir), locked); err != nil {
				return err
			}
		}
		if err := s.mountTmpfs(outputDir, s.spec.Limits.OutputBytes, s.spec.Limits.OutputFiles); err != nil {
			return err
		}
		if s.hasSentry() {
			if err := s.mountTmpfs(scratchDir, s.spec.Limits.ScratchBytes, container.ScratchFiles); err != nil {
				return err
			}
		}
		var err error
		s.output, err = os.OpenRoot(s.mountPoint(outputDir))
		return err
	})
}

// rootFlags are those of the image's mount. A gofer makes it read-only once more, in
// a user namespace and without them, which the kernel would refuse.
func (s *sandbox) rootFlags() uintptr {
	if s.hasSentry() {
		return 0
	}
	return unix.MS_NOSUID | unix.MS_NODEV
}

// mountTmpfs makes a file system that the guard may write, with its own limits.
func (s *sandbox) mountTmpfs(name string, bytes, files int64) error {
	target := s.mountPoint(name)
	if err := os.Mkdir(target, 0o700); err != nil {
		return fmt.Errorf("make mount point: %w", err)
	}
	options := container.TmpfsOptions(bytes, files, s.guardID())
	err := unix.Mount("hotcell", target, "tmpfs", locked, strings.Join(options, ","))
	if err != nil {
		return fmt.Errorf("mount %s file system of %d bytes: %w", name, bytes, err)
	}
	return nil
}

// bindReadOnly needs two calls: the kernel ignores MS_RDONLY on the first.
func bindReadOnly(source, target string, flags uintptr) error {
	if err := os.Mkdir(target, 0o700); err != nil {
		return fmt.Errorf("make mount point: %w", err)
	}
	if err := unix.Mount(source, target, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("bind %s: %w", source, err)
	}
	if err := unix.Mount("", target, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY|flags, ""); err != nil {
		return fmt.Errorf("make %s read-only: %w", source, err)
	}
	return nil
}

// unmountAll is idempotent. A dead owner's mounts went with its namespace.
func (s *sandbox) unmountAll() error {
	return s.mounts.do(func() error {
		var faults []error
		for _, name := range []string{rootFSDir, bundleDir, outputDir, scratchDir} {
			err := unix.Unmount(s.mountPoint(name), unix.MNT_DETACH|unix.UMOUNT_NOFOLLOW)
			// EINVAL: not a mount point. ENOENT: not made yet, or gone.
			if err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOENT) {
				faults = append(faults, fmt.Errorf("unmount %s: %w", s.mountPoint(name), err))
			}
			faults = append(faults, removeDir(s.mountPoint(name)))
		}
		return errors.Join(append(faults, removeDir(s.mountPoint("")))...)
	})
}

// removeDir removes an empty directory: never RemoveAll, which would go through a
// mount that is still there.
func removeDir(dir string) error {
	err := unix.Rmdir(dir) //nolint:forbidigo // on a tmpfs of root's in a mount namespace of the engine's own
	if err != nil && !errors.Is(err, unix.ENOENT) {
		return &os.PathError{Op: "rmdir", Path: dir, Err: err}
	}
	return nil
}
