package runner

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/records"
)

// What is asked for in names that a front makes up is refused, and has the chain grow by so much.
func TestRefusalsOfPrincipalsAreCounted(t *testing.T) {
	b := newBench(t, honest(t), nil)
	ask := b.askAs(request())
	ask.Request.Policy = "nope"
	refuse := func(principal string) {
		ask.Caller.Actor = job.Actor{UID: new(uint32(990)), User: "front", Principal: principal}
		require.ErrorIs(t, b.resolve(t, ask), ErrInput)
	}
	for range 50 {
		refuse("token:loop")
	}
	require.Len(t, b.told(t), refusalsEach)
	for n := range 30 {
		refuse(fmt.Sprintf("user:made-up-%d", n))
	}
	all := b.told(t)
	require.Len(t, all, refusalsEach+30)
	b.runner.tellRest() // when the minute is over
	all = b.told(t)
	require.Len(t, all, refusalsEach+30+1)
	last := all[len(all)-1]
	require.Equal(t, records.KindRefused, last.Kind)
	require.EqualValues(t, 50-refusalsEach, last.Count)
	require.Equal(t, job.Actor{UID: new(uint32(990)), User: "front"}, last.Actor, "of the front")
	ask.Caller.Actor = tester
	for range refusalsMost {
		require.ErrorIs(t, b.resolve(t, ask), ErrInput)
	}
	require.Len(t, b.told(t), refusalsEach+30+1+refusalsMost, "a user of the host has an event each")
}

// TestEachPrincipalHasARefusalOfItsOwn: however many have had all that they may, who comes then is
// named. Names that a front makes up end, too.
func TestEachPrincipalHasARefusalOfItsOwn(t *testing.T) {
	var found refusals
	now, told := time.Now(), 0
	refuse := func(principal string, times int) (named int) {
		for range times {
			if found.take(job.Actor{Principal: principal}, now, func() {}) {
				named++
			}
		}
		told += named
		return named
	}
	for n := range 8 {
		require.Positive(t, refuse(fmt.Sprintf("token:loop-%d", n), 1000))
	}
	require.Equal(t, 1, refuse("user:bob", 10), "who is refused for the first time is named")
	for n := range 10_000 {
		refuse(fmt.Sprintf("user:made-up-%d", n), 2)
	}
	require.Equal(t, refusalsMost+refusalsFirst, told)
	require.EqualValues(t, 8*1000+10+20_000-told, found.over().Count, "none is lost")
}

func TestAnotherMinuteHasRefusalsOfItsOwn(t *testing.T) {
	var found refusals
	now, told := time.Now(), make(chan struct{}, 1)
	actor := job.Actor{Principal: "token:loop"}
	for n := range 2 * refusalsEach {
		require.Equal(t, n < refusalsEach, found.take(actor, now, func() { told <- struct{}{} }))
	}
	require.True(t, found.take(job.Actor{Principal: "user:anna"}, now, nil), "another's are told")
	require.True(t, found.take(actor, now.Add(refusalsFor), nil))
	require.True(t, found.take(actor, now.Add(-time.Hour), nil), "also by a clock that was set back")
	require.EqualValues(t, refusalsEach, found.over().Count)
	require.Zero(t, found.over().Count, "once")
}

// resolve is what is wrong with a request, of which nothing is made.
func (b *bench) resolve(t *testing.T, ask Ask) error {
	t.Helper()
	_, err := b.runner.Prepare(t.Context(), ask)
	return err
}
