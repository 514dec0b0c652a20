package service

import (
	"time"

	"hotcell/internal/job"
)

// Pass lets so much time pass in which the service runs.
func (s *Broker) Pass(passed time.Duration) error { return s.age.pass(passed, s.options.Now()) }

// BoundDisk lets the database have so many pages, as a disk does that is full.
func (s *Broker) BoundDisk(pages int) error { return s.store.Bound(pages) }

// CodeKept is how many bytes of scripts are kept of a session's steps.
func (s *Broker) CodeKept(id job.ID) (bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.sessions[id].steps {
		bytes += len(one.script.Code)
	}
	return bytes
}

// AskedKept is how much is kept of what a session was asked for with.
func (s *Broker) AskedKept(id job.ID) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sessions[id].asked.Imports)
}

// ResultsKept is how many bytes of results are kept of a session's steps.
func (s *Broker) ResultsKept(id job.ID) (bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.sessions[id].steps {
		if one.shown.Result != nil {
			bytes += len(one.shown.Result.Stdout)
		}
	}
	return bytes
}

// ResultsInMemory is of how many runs the result is in memory.
func (s *Broker) ResultsInMemory(of []job.ID) (there int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range of {
		if r := s.runs[id]; r != nil && r.result != nil {
			there++
		}
	}
	return there
}

// SessionsKept is how many sessions are kept that have ended.
func (s *Broker) SessionsKept() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over.count
}
