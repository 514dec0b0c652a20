package records

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// A run has one end. What no runner writes of one is a fault, whoever has written it.
func TestAnInterruptedRunIsHeldToItsForm(t *testing.T) {
	id := job.NewID(time.Now())
	sum := digest.Of(nil).Hex()
	interrupted := Event{Kind: KindInterrupted, RunID: id}
	with := func(change func(*Event)) Event {
		event := interrupted
		change(&event)
		return event
	}
	recorded := Event{Kind: KindRun, RunID: id, Status: job.Failed, Subjects: []Subject{{Role: RoleRecord, SHA256: sum}}}
	for name, scene := range map[string]struct {
		lines []Event
		says  string
	}{
		"once":                    {[]Event{interrupted}, ""},
		"twice":                   {[]Event{interrupted, interrupted}, "for a second time"},
		"after its record":        {[]Event{recorded, interrupted}, "which is recorded"},
		"before its record":       {[]Event{interrupted, recorded}, "an event before that it was interrupted"},
		"with a status":           {[]Event{with(func(e *Event) { e.Status = job.Succeeded })}, "what no runner knows"},
		"with a record":           {[]Event{with(func(e *Event) { e.Subjects = recorded.Subjects })}, "what no runner knows"},
		"with a name":             {[]Event{with(func(e *Event) { e.Name = "x" })}, "what no runner knows"},
		"with what became of it":  {[]Event{with(func(e *Event) { e.OK = new(true) })}, "what no runner knows"},
		"of no run":               {[]Event{with(func(e *Event) { e.RunID = job.ID{} })}, "names no run"},
		"and a part that is read": {[]Event{interrupted, {Kind: KindAccess, RunID: id, Subjects: []Subject{{Role: RoleFile, SHA256: sum}}}}, "there was no such run"},
	} {
		t.Run(name, func(t *testing.T) {
			store := openStore(t, t.TempDir())
			for n := range scene.lines {
				scene.lines[n].Time = time.Now().UTC()
			}
			_, _, err := store.chain.append(t.Context(), scene.lines, signingKey{})
			require.NoError(t, err)
			found, err := store.Verify(t.Context(), VerifyOptions{})
			require.NoError(t, err)
			var words []string
			for _, fault := range found.Faults {
				words = append(words, fault.Message)
			}
			told := strings.Join(words, "\n")
			if scene.says == "" {
				require.Empty(t, told)
			}
			require.Contains(t, told, scene.says)
		})
	}
}

// Somebody who puts a record in the place of a run that was interrupted has no line for it.
func TestAnInterruptedRunHasNoRecord(t *testing.T) {
	store := openStore(t, t.TempDir())
	id := job.NewID(time.Now())
	draft, err := store.Begin(t.Context(), id, Asked{})
	require.NoError(t, err)
	require.NoError(t, draft.Begun())
	require.NoError(t, draft.Discard(t.Context()))
	require.NoError(t, os.Mkdir(store.Path(id), 0o700))
	found, err := store.Verify(t.Context(), VerifyOptions{})
	require.NoError(t, err)
	require.Len(t, found.Faults, 1)
	require.Equal(t, Added, found.Faults[0].Problem)
	require.Equal(t, id, found.Faults[0].RunID)
}
