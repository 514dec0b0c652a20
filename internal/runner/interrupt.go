package runner

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"hotcell/internal/wire"
)

const (
	// interruptGrace is how long a step may take to end once it has been interrupted, before
	// its sandbox is killed.
	interruptGrace = 3 * time.Second
	// interruptAgain is how often it is interrupted meanwhile: code may catch an interrupt, or
	// be where none is raised.
	interruptAgain = 100 * time.Millisecond
)

var errInterrupted = errors.New("step interrupted")

// watch interrupts one step when its time is over or somebody asks for it.
type watch struct {
	session *Session
	told    *transcript
	limit   time.Duration
	done    chan struct{} // closed when the step has ended
	work    sync.WaitGroup
	cause   error // why it was interrupted, or nil: to be read when work is over
}

func (s *Session) watch(told *transcript, limit time.Duration, interrupt <-chan struct{}) *watch {
	w := &watch{session: s, told: told, limit: limit, done: make(chan struct{})}
	clock := time.NewTimer(limit)
	w.work.Go(func() {
		defer clock.Stop()
		select {
		case <-w.done:
			return
		case <-clock.C:
			w.cause = errWallClock
		case <-interrupt:
			w.cause = errInterrupted
		}
		w.insist()
	})
	return w
}

// end ends the watch, and returns why the step was interrupted, if it was.
func (w *watch) end() error {
	close(w.done)
	w.work.Wait()
	return w.cause
}

// insist interrupts the step until it has ended. What does not end is killed, and the
// session with it.
func (w *watch) insist() {
	close(w.told.interrupted)
	kill := time.AfterFunc(interruptGrace, func() { w.session.kill(w.cause, w.limit) })
	defer kill.Stop()
	again := time.NewTicker(interruptAgain)
	defer again.Stop()
	for {
		if frame, err := w.session.dialogue.conversation.Interrupt(); err == nil { // else it has just reported
			w.session.dialogue.tell(frame)
		}
		select {
		case <-w.done:
			return
		case <-again.C:
		}
	}
}

// kill ends a session whose step, which might take limit, cannot be interrupted.
func (s *Session) kill(cause error, limit time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	why := fmt.Sprintf("its time, %s, was over", limit)
	if errors.Is(cause, errInterrupted) {
		why = "it was cancelled"
	} else {
		s.late = limit
	}
	if s.over == "" {
		s.over = fmt.Sprintf("a step went on for %s after %s and had been interrupted, so its sandbox was killed", interruptGrace, why)
	}
	s.end(cause)
}

// interrupted is what became of a step that has reported after it was interrupted for that
// reason. Its guard's word that nothing of it ran, or that its budget was used up, stands.
func interrupted(cause error, report *wire.Report) stop {
	switch {
	case cause == nil, report.Outcome != wire.OutcomeCompleted && report.Outcome != wire.OutcomeRaised:
		return notStopped
	case errors.Is(cause, errWallClock):
		return stoppedByClock
	default:
		return stoppedByCaller
	}
}
