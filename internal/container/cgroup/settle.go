//go:build linux

package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

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
	// It may have been there. What is above it was looked at before anything was written.
	return requireOurGroup(filepath.Join(s.root, place.Path), s.user)
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
