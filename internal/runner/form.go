package runner

import (
	"context"
	"time"

	"hotcell/internal/wire"
)

// Form is what a text is to the guard's Python, or FormUnknown.
type Form = wire.Form

// FormUnknown is the form of a text of which the guard has said nothing.
const FormUnknown Form = ""

// formTime is how long the guard may take to say what a text is: somebody waits who types.
const formTime = time.Second

// Form asks the guard what a text is, between two steps. Nothing of it is run, and no step or
// limit of the session counts it. What has run in the session may have made up the answer: whether
// somebody is asked for more of the text may depend on it, and nothing else. It takes a second
// at most. FormUnknown is returned after that, while a step runs, before the session is
// prepared and after its end, while the guard is at a question before, and for a text that is longer than
// wire.MaxQuestion or than a step's code may be. It may be called at any time.
func (s *Session) Form(ctx context.Context, text []byte) Form {
	if !s.answers() {
		return FormUnknown
	}
	answer, err := s.dialogue.ask(text)
	if err != nil {
		return FormUnknown
	}
	clock := time.NewTimer(formTime)
	defer clock.Stop()
	select {
	case form := <-answer:
		return form
	case <-clock.C:
	case <-s.dead:
	case <-ctx.Done():
	}
	return FormUnknown
}

// answers tells whether the guard waits for a step.
func (s *Session) answers() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.busy && s.over == "" && !s.dialogue.isUnprepared()
}
