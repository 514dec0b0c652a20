package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"hotcell/internal/digest"
)

// lab is where all is measured: directories of its own, and what has to be ended.
type lab struct {
	options options
	work    string // removed at the end
	image   image
	ending  []func() error // the last one first
}

// image is what the plain runs need to know.
type image struct {
	Digest digest.Digest `json:"digest"`
	Rootfs string        `json:"rootfs"`
}

func newLab(ctx context.Context, o options) (*lab, error) {
	runner, err := filepath.Abs(o.runner)
	if err != nil {
		return nil, err
	}
	o.runner = runner
	printed, err := exec.CommandContext(ctx, runner, "image", "rootfs", "python-analysis", "--json").Output()
	if err != nil {
		return nil, fmt.Errorf("find image (`%s image build` makes it): %w", runner, err)
	}
	l := &lab{options: o}
	if err := json.Unmarshal(printed, &l.image); err != nil {
		return nil, fmt.Errorf("find image: %w", err)
	}
	if l.work, err = os.MkdirTemp("", "hotcell-bench-"); err != nil {
		return nil, err
	}
	l.atEnd(func() error { return os.RemoveAll(l.work) })
	return l, nil
}

func (l *lab) atEnd(end func() error) { l.ending = append(l.ending, end) }

// close ends what was begun, whatever became of it.
func (l *lab) close() error {
	var faults []error
	for _, end := range slices.Backward(l.ending) {
		faults = append(faults, end())
	}
	l.ending = nil
	return errors.Join(faults...)
}

func (l *lab) path(name string) string { return filepath.Join(l.work, name) }

// state makes a state directory of its own, with the images linked into it.
func (l *lab) state(name string) (string, error) {
	state := l.path(name)
	if err := os.Mkdir(state, 0o700); err != nil {
		return "", err
	}
	return state, os.Symlink(filepath.Dir(filepath.Dir(l.image.Rootfs)), filepath.Join(state, "images"))
}

// tag is the name under which the docker engine gives its daemon the image.
func (l *lab) tag() string { return "hotcell/python-analysis:" + string(l.image.Digest.Hex()) }

// progress says on standard error what is being measured: it takes minutes.
func progress(format string, args ...any) { fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...) }
