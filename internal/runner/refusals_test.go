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
		require.ErrorIs(t, b.runner.Resolve(t.Context(), ask), ErrInput)
	}
	for range 50 {
		refuse("token:loop")
	}
	require.Len(t, b.told(t), refusalsEach)
	for n := range 300 {
		refuse(fmt.Sprintf("user:made-up-%d", n))
	}
	all := b.told(t)
	require.Len(t, all, refusalsMost)
	b.runner.tellRest() // when the minute is over
	all = b.told(t)
	require.Len(t, all, refusalsMost+1)
	last := all[len(all)-1]
	require.Equal(t, records.KindRefused, last.Kind)
	require.EqualValues(t, 350-refusalsMost, last.Count)
	require.Equal(t, job.Actor{UID: new(uint32(990)), User: "front"}, last.Actor, "of the front")
	ask.Caller.Actor = tester
	for range refusalsMost {
		require.ErrorIs(t, b.runner.Resolve(t.Context(), ask), ErrInput)
	}
	require.Len(t, b.told(t), 2*refusalsMost+1, "a user of the host has an event each")
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
