package service_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/job"
	"hotcell/internal/service"
)

func TestOnePrincipalDoesNotHoldUpAnother(t *testing.T) {
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake})
	held := create(t, s, anna, "wait")
	for range 20 {
		create(t, s, anna, "ok")
	}
	other := create(t, s, bert, "ok")
	require.Equal(t, 1, *other.Position)
	fake.finish(held.RunID, nil)
	ended(t, s, other.RunID)
	fake.set(func() { require.Less(t, position(fake.order, other.RunID), 4) })
}

func position(order []job.ID, id job.ID) int {
	for i, one := range order {
		if one == id {
			return i
		}
	}
	return -1
}

func TestTheQuotaOfRunning(t *testing.T) {
	fake := newFake(t, 3)
	s := open(t, service.Options{Engine: fake, Quotas: everybody(service.Quotas{Running: 1})})
	first, second := create(t, s, anna, "wait"), create(t, s, anna, "wait")
	other := create(t, s, bert, "wait")
	require.Eventually(t, func() bool {
		run, err := s.Run(t.Context(), bert, other.RunID)
		return err == nil && run.Status == api.StateRunning
	},
		patience, time.Millisecond, "a place that anna may not have is bert's")
	run, err := s.Run(t.Context(), anna, second.RunID)
	require.NoError(t, err)
	require.Equal(t, api.StateQueued, run.Status)
	fake.finish(first.RunID, nil)
	require.Eventually(t, func() bool {
		run, err := s.Run(t.Context(), anna, second.RunID)
		return err == nil && run.Status == api.StateRunning
	},
		patience, time.Millisecond)
}

func TestTheQuotaOfCPUTimeIsADays(t *testing.T) {
	var now atomic.Pointer[time.Time]
	set := func(at time.Time) { now.Store(&at) }
	set(time.Date(2026, 11, 27, 22, 0, 0, 0, time.UTC))
	fake, dir := newFake(t, 1), t.TempDir()
	options := service.Options{Engine: fake, Dir: dir, Quotas: everybody(service.Quotas{CPUSecondsPerDay: 1}), Now: func() time.Time { return *now.Load() }}
	s := begin(t, options)
	first, second, third := create(t, s, anna, "wait"), create(t, s, anna, "ok"), create(t, s, anna, "ok")
	fake.finish(first.RunID, nil)
	ended(t, s, second.RunID) // 1.4 s are used
	_, _, err := s.Create(t.Context(), anna, asks("ok"))
	var quota *service.QuotaError
	require.ErrorAs(t, err, &quota)
	require.Equal(t, service.QuotaError{Quota: "cpu_seconds_per_day", Limit: 1, Used: 1, After: 2 * time.Hour}, *quota)
	_, err = s.Check(t.Context(), anna, api.CreateRun{Policy: "p"})
	require.ErrorAs(t, err, &quota)
	ended(t, s, create(t, s, bert, "ok").RunID)
	require.NoError(t, s.Close())

	s = open(t, options)
	_, _, err = s.Create(t.Context(), anna, asks("ok"))
	require.ErrorAs(t, err, &quota, "a restart forgets nothing")
	run, err := s.Run(t.Context(), anna, third.RunID)
	require.NoError(t, err)
	require.Equal(t, api.StateQueued, run.Status, "what waited waits for the next day")
	set(now.Load().Add(2 * time.Hour))
	ended(t, s, third.RunID)
	set(now.Load().Add(-2 * time.Hour))
	_, _, err = s.Create(t.Context(), anna, asks("ok"))
	require.ErrorAs(t, err, &quota, "and neither does a clock that is set over midnight and back")
}

func TestTheQueueIsBounded(t *testing.T) {
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake, MaxQueued: 2})
	create(t, s, anna, "wait")
	create(t, s, anna, "ok")
	create(t, s, anna, "ok")
	before := fake.resolved()
	_, _, err := s.Create(t.Context(), bert, asks("ok"))
	require.ErrorIs(t, err, service.ErrQueueFull)
	require.Equal(t, before, fake.resolved(), "the engine is not asked for nothing")
}

func TestRequestsAMinute(t *testing.T) {
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake, Quotas: everybody(service.Quotas{RequestsPerMinute: 2})})
	create(t, s, anna, "ok")
	_, err := s.Check(t.Context(), anna, api.CreateRun{Policy: "p"})
	require.NoError(t, err)
	_, _, err = s.Create(t.Context(), anna, asks("ok"))
	require.ErrorContains(t, err, "requests_per_minute is used up: 2 of 2")
	create(t, s, bert, "ok")
}

func TestWhoAsksMaySeeTheirQuotasAndTheirUse(t *testing.T) {
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake, Quotas: everybody(service.Quotas{Running: 1, Queued: 2, RequestsPerMinute: 9})})
	first := create(t, s, anna, "ok")
	ended(t, s, first.RunID)
	create(t, s, anna, "wait")
	create(t, s, anna, "ok")
	create(t, s, anna, "ok")
	_, _, err := s.Create(t.Context(), anna, asks("ok"))
	require.ErrorContains(t, err, "the quota queued is used up: 2 of 2")
	me, err := s.Me(t.Context(), anna)
	require.NoError(t, err)
	require.Equal(t, anna.Name, me.Principal)
	require.Len(t, me.Scopes, len(anna.Scopes))
	used := map[string]api.QuotaUse{}
	for _, one := range me.Quotas {
		used[one.Quota] = one
	}
	require.Equal(t, api.QuotaUse{Quota: "running", Limit: 1, Used: 1}, used["running"])
	require.Equal(t, api.QuotaUse{Quota: "queued", Limit: 2, Used: 2}, used["queued"])
	require.EqualValues(t, 0, used["cpu_seconds_per_day"].Limit, "without bound")
	require.EqualValues(t, 9, used["requests_per_minute"].Limit)
	require.Positive(t, used["requests_per_minute"].Used)
	other, err := s.Me(t.Context(), bert)
	require.NoError(t, err)
	for _, one := range other.Quotas {
		require.Zero(t, one.Used, one.Quota)
	}
	_, err = s.Me(t.Context(), access.Principal{})
	require.Error(t, err, "nobody has none")
	list, err := s.Runs(t.Context(), admin, service.Filter{})
	require.NoError(t, err)
	require.Equal(t, anna.Name, list.Runs[0].Principal)
}

func TestReadsAMinute(t *testing.T) {
	s := open(t, service.Options{Engine: newFake(t, 1), Quotas: everybody(service.Quotas{RequestsPerMinute: 2, ReadsPerMinute: 2})})
	require.NoError(t, s.Admit(anna))
	require.NoError(t, s.Admit(anna))
	require.ErrorContains(t, s.Admit(anna), "reads_per_minute")
	require.NoError(t, s.Admit(bert))
	create(t, s, anna, "ok") // which is another quota
	require.Error(t, s.Admit(accessNobody))
}

func TestAPrincipalMayHaveQuotasOfTheirOwn(t *testing.T) {
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake, Quotas: func(principal string) service.Quotas {
		if principal == bert.Name {
			return service.Quotas{Queued: 2}
		}
		return service.Quotas{Queued: 1}
	}})
	create(t, s, anna, "wait")
	create(t, s, anna, "ok")
	_, _, err := s.Create(t.Context(), anna, asks("ok"))
	require.ErrorContains(t, err, "queued")
	create(t, s, bert, "ok")
	create(t, s, bert, "ok")
	_, _, err = s.Create(t.Context(), bert, asks("ok"))
	require.ErrorContains(t, err, "queued")
	_, err = service.New(service.Options{Engine: fake, Dir: t.TempDir(), MaxQueued: -1})
	require.ErrorContains(t, err, "below zero")
}

// everybody has the same quotas.
func everybody(each service.Quotas) func(string) service.Quotas {
	return func(string) service.Quotas { return each }
}

func (f *fakeEngine) resolved() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.resolves
}
