package selftest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// leftovers looks for what still bears the name of a sandbox: processes by their
// cgroup, cgroups, and mounts.
func leftovers(ids []string) []Canary {
	return []Canary{
		left("no_process_left", ids, processGroups),
		left("no_cgroup_left", ids, cgroups),
		left("no_mount_left", ids, mounts),
	}
}

func left(name string, ids []string, list func() ([]string, error)) Canary {
	found, err := list()
	if err != nil {
		return intact(name, err.Error()) // what could not be looked at is not known to be gone
	}
	var bad []string
	for _, one := range found {
		if slices.ContainsFunc(ids, func(id string) bool { return strings.Contains(one, id) }) {
			bad = append(bad, one)
		}
	}
	if len(bad) > 0 {
		return intact(name, fmt.Sprintf("%d are left, the first is %q", len(bad), bad[0]))
	}
	return intact(name, "")
}

// processGroups returns the cgroup paths of every process.
func processGroups() ([]string, error) {
	files, err := filepath.Glob("/proc/[0-9]*/cgroup")
	if err != nil {
		return nil, err
	}
	var all []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err == nil { // a process that has ended since is not left
			all = append(all, strings.Split(string(text), "\n")...)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("no process's cgroup could be read")
	}
	return all, nil
}

func cgroups() ([]string, error) {
	var all []string
	err := filepath.WalkDir("/sys/fs/cgroup", func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // another's, which was removed meanwhile
		}
		if err == nil && entry.IsDir() {
			all = append(all, path)
		}
		return err
	})
	return all, err
}

func mounts() ([]string, error) {
	text, err := os.ReadFile("/proc/self/mountinfo")
	return strings.Split(string(text), "\n"), err
}
