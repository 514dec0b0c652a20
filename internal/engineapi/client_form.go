package engineapi

import (
	"context"
	"time"

	"hotcell/internal/runner"
)

// answerForm is how long an engine may take to answer a question. It gives its guard a second.
const answerForm = 2 * time.Second

// Form implements Session.
func (s *clientSession) Form(ctx context.Context, text []byte) runner.Form {
	answer := s.question(text)
	if answer == nil {
		return runner.FormUnknown
	}
	clock := time.NewTimer(answerForm)
	defer clock.Stop()
	select {
	case form := <-answer:
		return form
	case <-clock.C:
	case <-s.done:
	case <-ctx.Done():
	}
	return runner.FormUnknown
}

// question sends one, and waits for nobody. It returns nil where the one before has no answer yet,
// and after the end.
func (s *clientSession) question(text []byte) <-chan runner.Form {
	encoded, err := encode(step{Code: text, Question: true})
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over != "" || s.closing || s.asked != nil {
		return nil
	}
	s.asked = make(chan runner.Form, 1)
	s.asking.Go(func() { _, _ = s.body.Write(encoded) }) // where it could not be sent, no answer comes
	return s.asked
}

// heard hands an answer on, and reports whether there was a question.
func (s *clientSession) heard(form runner.Form) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked == nil {
		return false
	}
	s.asked <- form
	s.asked = nil
	return true
}

// endAsking returns when no question is being written, so that the end of the request is not in
// the middle of a line, and has none be written afterwards.
func (s *clientSession) endAsking() {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.asking.Wait()
}
