package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"hotcell/internal/doctor"
	"hotcell/internal/policy"
)

// What must be free on the disk of the state directory, so that doctor does not warn: a run
// whose record cannot be written fails, whatever it has computed.
const (
	leastFree  = 5 << 30 // bytes: an image takes some 3 GiB while it is built
	leastShare = 10      // per cent
)

// spaceSettings tells how much the state directory holds, and warns before its disk is full.
// Where there is no state directory there is nothing to tell: doctor makes none.
func (a *app) spaceSettings() []doctor.Setting {
	if _, err := os.Lstat(a.state); err != nil {
		return nil
	}
	var parts []string
	for _, name := range []string{"runs", "quarantine", "bundles", "images"} {
		bytes, there, err := bytesOf(filepath.Join(a.state, name))
		switch {
		case err != nil:
			return []doctor.Setting{{Name: "state directory", Value: "cannot be read", Advice: err.Error()}}
		case there:
			parts = append(parts, fmt.Sprintf("%s %s", name, policy.Size(bytes)))
		}
	}
	disk := doctor.Setting{Name: "state directory", Value: a.state + ": " + strings.Join(append(parts, ""), ", ")}
	var stat unix.Statfs_t
	if err := unix.Statfs(a.state, &stat); err != nil {
		disk.Advice = fmt.Sprintf("its disk cannot be looked at: %v", err)
		return []doctor.Setting{disk}
	}
	free, whole := freeOf(stat)
	disk.Value += fmt.Sprintf("%s of %s free", policy.Size(free), policy.Size(whole))
	if free < leastFree || free < whole/100*leastShare {
		disk.Advice = "its disk is nearly full, and a run whose record cannot be written fails: see what `runner gc --dry-run` would delete, or give it a larger one (--state, HOTCELL_STATE)"
	}
	return append([]doctor.Setting{disk}, a.apart()...)
}

// apart tells of images and bundles that lie on two file systems: what a fork of a template
// has mapped must be on its image's (see internal/container/oci).
func (a *app) apart() []doctor.Setting {
	var images, bundles unix.Stat_t
	if unix.Stat(filepath.Join(a.state, "images"), &images) != nil || unix.Stat(filepath.Join(a.state, "bundles"), &bundles) != nil || images.Dev == bundles.Dev {
		return nil
	}
	return []doctor.Setting{{
		Name: "images and bundles", Value: "on two file systems",
		Advice: "no sandbox is kept ready for a bundle with tables, and its runs begin cold: have both on one file system",
	}}
}

// freeOf is what is left for this user, and all, in bytes.
func freeOf(stat unix.Statfs_t) (free, whole int64) {
	size := uint64(stat.Bsize)
	return int64(stat.Bavail * size), int64(stat.Blocks * size)
}

// withoutState gives a command that only looks a state directory for a while, where there is
// none: engines need one to be asked.
func (a *app) withoutState() (leave func() error, err error) {
	if _, err := os.Lstat(a.state); !errors.Is(err, fs.ErrNotExist) {
		return func() error { return nil }, nil
	}
	dir, err := os.MkdirTemp("", "hotcell-doctor-") //nolint:forbidigo // of our own, with a name that nobody else has chosen
	if err != nil {
		return nil, fmt.Errorf("make a directory to ask engines in: %w", err)
	}
	named := a.state
	a.state = dir
	return func() error {
		a.state = named
		return errors.Join(a.closeEngines(), os.RemoveAll(dir)) //nolint:forbidigo // what was made above
	}, nil
}

// bytesOf sums up the sizes of the files in a place of our own, or of the one that it is.
func bytesOf(place string) (bytes int64, there bool, err error) {
	err = filepath.WalkDir(place, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		there = true
		if !entry.Type().IsRegular() {
			return nil
		}
		info, err := entry.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return bytes, there, err
}
