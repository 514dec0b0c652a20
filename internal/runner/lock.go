package runner

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/wire"
)

// guardLock is what a guard said of its own lock before the first script began: until then
// the process was the image's alone. Nobody outside can see it: the kernel shows no
// process's Landlock.
type guardLock struct {
	required bool // Landlock, by the policy

	mu       sync.Mutex
	heard    bool
	landlock job.Control
}

// demands is what the guard is told to have in force before the first script: what is
// heard of it afterwards comes when that may have begun.
func (l *guardLock) demands() []string {
	if l.required {
		return []string{container.ControlLandlock}
	}
	return nil
}

// hear takes the word of the first script's guard, and none that comes later. An error
// says that the policy requires what is not in force.
func (l *guardLock) hear(said *wire.Ready) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.heard {
		return nil
	}
	l.heard = true
	var lacking error
	abi := 0
	switch {
	case said == nil:
		lacking = errors.New("the image's guard does not report it: rebuild the image with `runner image build`")
	case said.Landlock == 0:
		lacking = errors.New("the kernel of the guard has no Landlock, or was started without it, or a filter denies it")
	default:
		abi = said.Landlock
	}
	l.landlock = container.LandlockControl(abi, lacking)
	if l.required && lacking != nil {
		return fmt.Errorf("the policy requires %s, which this run does not have (%w): repair that, or %s",
			container.ControlLandlock, lacking, container.WayOut(container.ControlLandlock))
	}
	return nil
}

// errNoLock is why nothing is claimed of a guard that was not heard: it refused the
// script, or ended while it was loading.
var errNoLock = errors.New("no code ran, and the guard locks itself right before it does")

// amend puts what was heard in place of what the host has to offer.
func (l *guardLock) amend(controls []job.Control) []job.Control {
	l.mu.Lock()
	defer l.mu.Unlock()
	amended := slices.Clone(controls)
	for index, control := range amended {
		switch {
		case control.Name != container.ControlLandlock:
		case l.heard:
			amended[index] = l.landlock
		case control.Active:
			amended[index] = container.LandlockControl(0, errNoLock)
		}
	}
	return amended
}
