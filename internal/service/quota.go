package service

import (
	"container/list"
	"context"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/service/store"
)

// maxRates is for how many principals it is kept how often they ask. Of more, the one that has
// been quiet for longest is forgotten, and begins anew.
const maxRates = 10_000

// rates bound how often each principal asks.
type rates struct {
	quota string // its name
	now   func() time.Time

	mu    sync.Mutex
	known map[string]*list.Element
	order *list.List // of *rateOf; who asked last is in front
}

type rateOf struct {
	owner   string
	limiter *rate.Limiter
}

func newRates(quota string, now func() time.Time) *rates {
	return &rates{quota: quota, now: now, known: map[string]*list.Element{}, order: list.New()}
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
	return &QuotaError{Quota: r.quota, Limit: int64(most), Used: int64(most), After: after}
}

// used is how many requests of a minute's a principal has had that are not there again yet.
func (r *rates) used(owner string, most int) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := r.known[owner]
	if found == nil || most <= 0 {
		return 0
	}
	return max(0, int64(math.Ceil(float64(most)-found.Value.(*rateOf).limiter.TokensAt(r.now()))))
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
func (s *Broker) quotas(owner string) Quotas { return s.options.Quotas(owner) }

// The quotas of a day.
const (
	cpuQuota   = "cpu_seconds_per_day"
	bytesQuota = "recorded_bytes_per_day"
)

func seconds(used store.Use) int64 { return int64(used.CPU / time.Second) }

// hasCPU is nil while a principal has CPU time left today. mu is held.
func (s *Broker) hasCPU(owner string) error {
	return s.hasLeft(QuotaError{Quota: cpuQuota, Limit: s.quotas(owner).CPUSecondsPerDay, Used: seconds(s.usedToday(owner))})
}

// mayRecord is nil while a principal has CPU time left today, and room in records: for all that
// leaves one. What is under way may leave more than is left. mu is held.
func (s *Broker) mayRecord(owner string) error {
	if err := s.hasCPU(owner); err != nil {
		return err
	}
	return s.hasLeft(QuotaError{Quota: bytesQuota, Limit: s.quotas(owner).RecordedBytesPerDay, Used: s.usedToday(owner).Bytes})
}

// hasLeft is nil unless all of a day's quota is used.
func (s *Broker) hasLeft(quota QuotaError) error {
	if quota.Limit <= 0 || quota.Used < quota.Limit {
		return nil
	}
	now := s.options.Now().UTC()
	quota.After = now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)
	return &quota
}

// spend counts what was used until a moment. mu is held.
func (s *Broker) spend(owner string, used store.Use, at time.Time) {
	day := s.usedOn(store.Day(at))
	day[owner] = day[owner].Plus(used)
}

// usedOn is what principals have used on a day. Others are kept, too: a clock may be set back over
// midnight, and what was used before must still count then. mu is held.
func (s *Broker) usedOn(day string) map[string]store.Use {
	if s.used[day] == nil {
		if len(s.used) > 3 {
			delete(s.used, slices.Min(slices.Collect(maps.Keys(s.used))))
		}
		s.used[day] = map[string]store.Use{}
	}
	return s.used[day]
}

// Me is a principal, with what is used of its quotas.
func (s *Broker) Me(_ context.Context, who access.Principal) (api.Me, error) {
	if who.Name == "" {
		return api.Me{}, errNobody
	}
	me := api.Me{Principal: who.Name, Scopes: []string{}}
	for _, one := range who.Scopes {
		me.Scopes = append(me.Scopes, string(one))
	}
	most := s.quotas(who.Name)
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting, today := s.waiting(who.Name), s.usedToday(who.Name)
	me.Quotas = []api.QuotaUse{
		{Quota: "running", Limit: int64(most.Running), Used: int64(s.given[who.Name])},
		{Quota: "queued", Limit: int64(most.Queued), Used: int64(waiting.runs)},
		{Quota: "queued_bytes", Limit: most.QueuedBytes, Used: waiting.bytes},
		{Quota: cpuQuota, Limit: most.CPUSecondsPerDay, Used: seconds(today)},
		{Quota: bytesQuota, Limit: most.RecordedBytesPerDay, Used: today.Bytes},
		{Quota: "requests_per_minute", Limit: int64(most.RequestsPerMinute), Used: s.rates.used(who.Name, most.RequestsPerMinute)},
		{Quota: "reads_per_minute", Limit: int64(most.ReadsPerMinute), Used: s.reads.used(who.Name, most.ReadsPerMinute)},
		{Quota: "sessions", Limit: int64(s.sessionsOf(who.Name)), Used: int64(s.openOf(who.Name))},
	}
	return me, nil
}

// usedToday is what a principal has used of today. mu is held.
func (s *Broker) usedToday(owner string) store.Use {
	return s.usedOn(store.Day(s.options.Now()))[owner]
}

// mayHave reports whether a principal may have one more run given to the engine. mu is held.
func (s *Broker) mayHave(owner string) bool {
	most := s.quotas(owner).Running
	return (most <= 0 || s.given[owner] < most) && s.mayRecord(owner) == nil
}
