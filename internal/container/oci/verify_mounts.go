//go:build linux

package oci

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/moby/sys/mountinfo"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
)

// exactMounts refuses a mount that nobody asked for and one that lacks an option
// which protects.
func exactMounts(s *sandbox) error {
	file, err := os.Open(fmt.Sprintf("/proc/%d/mountinfo", s.guard.pid))
	if err != nil {
		return err
	}
	defer file.Close()
	mounts, err := mountinfo.GetMountsFromReader(file, nil)
	if err != nil {
		return fmt.Errorf("read mounts: %w", err)
	}
	wanted, err := s.wantedMounts()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, mount := range mounts {
		options, known := wanted[mount.Mountpoint]
		if !known {
			return fmt.Errorf("unexpected mount on %s", mount.Mountpoint)
		}
		if missing := lacking(mount.Options, options); missing != nil {
			return fmt.Errorf("mount on %s lacks %v", mount.Mountpoint, missing)
		}
		seen[mount.Mountpoint] = true
	}
	return requireSeen(seen, "/", "/proc", "/dev", container.ScratchDir, container.OutputDir)
}

// wantedMounts maps each allowed mount point to its required options.
func (s *sandbox) wantedMounts() (map[string][]string, error) {
	config, err := s.config()
	if err != nil {
		return nil, err
	}
	wanted := map[string][]string{"/": {"ro"}}
	for _, mount := range config.Mounts {
		wanted[mount.Destination] = slices.DeleteFunc(slices.Clone(mount.Options), func(option string) bool {
			return !slices.Contains([]string{"ro", "nosuid", "nodev", "noexec"}, option)
		})
	}
	for _, path := range config.Linux.MaskedPaths {
		wanted[path] = nil // what hides them is looked at by hiddenPaths
	}
	for _, path := range config.Linux.ReadonlyPaths {
		wanted[path] = []string{"ro"}
	}
	for _, device := range container.Devices() {
		wanted[device.Path] = nil // bound from the host in a user namespace
	}
	wanted["/dev/tty"] = nil // likewise, by the runtime's own wish; no terminal, no open
	return wanted, nil
}

func lacking(got string, want []string) []string {
	options := strings.Split(got, ",")
	var missing []string
	for _, option := range want {
		if !slices.Contains(options, option) {
			missing = append(missing, option)
		}
	}
	return missing
}

func requireSeen(seen map[string]bool, points ...string) error {
	for _, point := range points {
		if !seen[point] {
			return fmt.Errorf("nothing is mounted on %s", point)
		}
	}
	return nil
}

// hiddenPaths looks at the masked paths as the sandbox sees them: runtimes have
// been made to mask something else (CVE-2025-31133, CVE-2025-52881).
func hiddenPaths(s *sandbox) error {
	root := fmt.Sprintf("/proc/%d/root", s.guard.pid)
	for _, path := range container.MaskedPaths() {
		if err := hidden(filepath.Join(root, path)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// hidden accepts what is absent, the null device, and an empty read-only
// directory.
func hidden(path string) error {
	var stat unix.Stat_t
	err := unix.Lstat(path, &stat)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) {
		return nil
	}
	if err != nil {
		return err
	}
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFCHR:
		if stat.Rdev == unix.Mkdev(1, 3) {
			return nil
		}
	case unix.S_IFDIR:
		return emptyReadOnly(path)
	}
	return errors.New("is not masked")
}

func emptyReadOnly(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	var stat unix.Statfs_t
	if err := unix.Statfs(path, &stat); err != nil {
		return err
	}
	if len(entries) > 0 || stat.Flags&unix.ST_RDONLY == 0 {
		return errors.New("is not masked")
	}
	return nil
}
