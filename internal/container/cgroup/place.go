//go:build linux

package cgroup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
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
var home = struct {
	turn  chan struct{} // full while somebody is at place: no context ends the wait for a mutex
	place *Place
}{turn: make(chan struct{}, 1)}

// Home finds the place, or makes it, and keeps to it while it stands. It can go: whoever
// administers the host stops a scope. Ask before each sandbox. What Home made needs no
// removal: it ends with this process, however that ends, and with what still lives in
// it.
//
// On v2 a group has one writer (docs/decisions). Where systemd manages the
// tree, that is systemd, but for what it delegates: the unit that this process runs
// in, or else a scope in hotcell.slice.
func Home(ctx context.Context) (*Place, error) {
	select {
	case home.turn <- struct{}{}:
		defer func() { <-home.turn }()
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for another's place for control groups: %w", context.Cause(ctx))
	}
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

// stands reports whether groups with limits can be made in the place.
func (p *Place) stands() (bool, error) {
	mode, err := HostMode()
	if err != nil {
		return false, err
	}
	if mode != ModeUnified {
		err = requireLegacyPlace(p.Path) // it is made with each group
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
		return &Place{Path: belowOwner, By: ByRoot}, requireLegacyPlace(belowOwner)
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
