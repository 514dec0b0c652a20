package service

import (
	"container/list"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"hotcell/internal/service/store"
)

// maxRates is for how many principals it is kept how often they ask. Of more, the one that has
// been quiet for longest is forgotten, and begins anew.
const maxRates = 10_000

// rates bound how often each principal asks.
type rates struct {
	now func() time.Time

	mu    sync.Mutex
	known map[string]*list.Element
	order *list.List // of *rateOf; who asked last is in front
}

type rateOf struct {
	owner   string
	limiter *rate.Limiter
}

func newRates(now func() time.Time) *rates {
	return &rates{now: now, known: map[string]*list.Element{}, order: list.New()}
}

// take counts a request of a principal who may have so many a minute, or, with 0, any number. Who was
// quiet for a minute has all of a minute's at once.
func (r *rates) take(owner string, most int) error {
	if most <= 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	booked := r.of(owner, most).ReserveN(now, 1)
	after := booked.DelayFrom(now)
	if after == 0 {
		return nil
	}
	booked.CancelAt(now)
	return &QuotaError{Quota: "requests_per_minute", Limit: int64(most), After: after}
}

func (r *rates) of(owner string, most int) *rate.Limiter {
	if found := r.known[owner]; found != nil {
		r.order.MoveToFront(found)
		return found.Value.(*rateOf).limiter
	}
	if r.order.Len() >= maxRates {
		last := r.order.Remove(r.order.Back()).(*rateOf)
		delete(r.known, last.owner)
	}
	one := &rateOf{owner, rate.NewLimiter(rate.Every(time.Minute/time.Duration(most)), most)}
	r.known[owner] = r.order.PushFront(one)
	return one.limiter
}

// quotas are a principal's.
func (s *Broker) quotas(owner string) Quotas {
	if s.options.QuotasFor != nil {
		return s.options.QuotasFor(owner)
	}
	return s.options.Quotas
}

// hasCPU is nil while a principal has CPU time left today. mu is held.
func (s *Broker) hasCPU(owner string) error {
	most := s.quotas(owner).CPUSecondsPerDay
	if most == 0 {
		return nil
	}
	now := s.options.Now().UTC()
	if today := store.Day(now); today != s.cpuDay {
		s.cpu, s.cpuDay = map[string]int64{}, today
	}
	if s.cpu[owner] < most*1000 {
		return nil
	}
	tomorrow := now.Truncate(24 * time.Hour).Add(24 * time.Hour)
	return &QuotaError{Quota: "cpu_seconds_per_day", Limit: most, After: tomorrow.Sub(now)}
}

// spend counts CPU time that was used until a moment. mu is held.
func (s *Broker) spend(owner string, used time.Duration, at time.Time) {
	if day := store.Day(at); day != s.cpuDay {
		s.cpu, s.cpuDay = map[string]int64{}, day
	}
	s.cpu[owner] += max(0, used.Milliseconds())
}

// mayHave reports whether a principal may have one more run given to the engine. mu is held.
func (s *Broker) mayHave(owner string) bool {
	most := s.quotas(owner).Running
	return (most == 0 || s.given[owner] < most) && s.hasCPU(owner) == nil
}
