package records

import (
	"errors"
	"sync"
	"time"

	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// ErrTooOften is wrapped by the error for a part that is not opened just now: the principal has
// opened as many as it may within a minute. It is worth another try in a minute.
var ErrTooOften = errors.New("the principal has opened as many parts of records as it may within a minute: try again in a minute")

// Of principals, who ask over a network, one event stands for every opening of a part by one of them
// within so long, and there are at most so many events in it: a loop, or a front that was taken over,
// would have the chain grow by gigabytes a day. None of them has more than what is left for all others:
// the first one half, the next one a quarter, and so on, so that whoever comes finds something.
const (
	readersFor  = time.Minute
	readersMost = 3000
)

// readers are the openings that the chain has of the minute that goes on.
type readers struct {
	mu    sync.Mutex
	since time.Time
	count int // of events, also of those that are being written
	each  map[reader]int
	told  map[opening]struct{}
}

// reader is a principal of a front, whose user is the host's.
type reader struct {
	uid       uint32
	principal string
}

// opening is of one part of a run by one reader.
type opening struct {
	id   job.ID
	role string
	sum  digest.Hex
	by   reader
}

// note has an opening be in the chain before it returns nil.
func (r *readers) note(event Event, now time.Time, appended func() error) error {
	if event.Actor.Principal == "" || event.Actor.UID == nil {
		return appended()
	}
	of := opening{event.RunID, event.Subjects[0].Role, event.Subjects[0].SHA256, reader{*event.Actor.UID, event.Actor.Principal}}
	told, err := r.begin(of, now)
	if err != nil || told {
		return err
	}
	if err := appended(); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.since.Equal(now) || now.After(r.since) { // else it is of a minute that is over
		r.told[of] = struct{}{}
	}
	return nil
}

func (r *readers) begin(of opening, now time.Time) (told bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if passed := now.Sub(r.since); r.told == nil || passed >= readersFor || passed < 0 {
		r.since, r.count, r.each, r.told = now, 0, map[reader]int{}, map[opening]struct{}{}
	}
	if _, told = r.told[of]; told {
		return true, nil
	}
	if r.each[of.by] >= readersMost-r.count {
		return false, ErrTooOften
	}
	r.count++
	r.each[of.by]++
	return false, nil
}
