package service_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/client"
	"hotcell/internal/job"
	"hotcell/internal/records"
)

// snapshot copies directories as they are at one moment, as a file system's snapshot does: who
// would write them stands still meanwhile.
func (s *scene) snapshot(archive string, names ...string) {
	s.t.Helper()
	for _, one := range []*process{s.engine, s.front} {
		one.signal(syscall.SIGSTOP)
		defer one.signal(syscall.SIGCONT)
	}
	s.tar(append([]string{"--create", "--file", archive, "--directory", s.dir}, names...)...)
}

// tar is as docs/operations.md has it.
func (s *scene) tar(args ...string) {
	s.t.Helper()
	said, err := exec.Command("tar", append([]string{"--xattrs", "--sparse"}, args...)...).CombinedOutput()
	require.NoError(s.t, err, "%s", said)
}

// restored is a host to which an archive was unpacked, and on which nothing was started yet.
func restored(t *testing.T, archive string) *scene {
	t.Helper()
	s := arrange(t)
	require.NoError(t, os.RemoveAll(s.state))
	s.tar("--extract", "--file", archive, "--directory", s.dir)
	return s
}

// verify is what the page on operations has when the service runs again.
func (s *scene) verify() {
	s.t.Helper()
	said, err := s.runner("records", "verify", "--key", filepath.Join(s.state, "signing.key.pub"))
	require.NoError(s.t, err, said)
}

// verifyBefore is what the page has before anything runs: nothing else may be wrong than that a run,
// whose event was written at the backup's moment, has its record in its draft yet. Those are the runs that it returns.
func (s *scene) verifyBefore() (cut []string) {
	s.t.Helper()
	said, err := s.command("records", "verify", "--json", "--key", filepath.Join(s.state, "signing.key.pub")).Output()
	var found records.Verification
	require.NoError(s.t, json.Unmarshal(said, &found), "%s: %v", said, err)
	for _, fault := range found.Faults {
		require.Equal(s.t, records.OutOfOrder, fault.Problem, fault.Message)
		require.Contains(s.t, fault.Message, "lies in .draft-"+fault.RunID.String())
		cut = append(cut, fault.RunID.String())
	}
	require.Equal(s.t, len(cut) > 0, err != nil)
	return cut
}

// busy has callers ask for runs until some have ended, and calls do while they go on.
func (s *scene) busy(do func()) map[string]api.Run {
	s.t.Helper()
	c := &crowd{scene: s, stop: make(chan struct{}), ended: map[string]api.Run{}}
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Hour)
	defer cancel()
	var asking sync.WaitGroup
	for caller := range callers {
		asking.Go(func() { c.ask(ctx, caller) })
	}
	c.await(2 * callers)
	c.mu.Lock()
	before := maps.Clone(c.ended)
	c.mu.Unlock()
	do()
	c.await(len(before) + callers)
	close(c.stop)
	asking.Wait()
	require.NoError(s.t, c.err, "whoever asks meanwhile is answered")
	return before
}

// TestABackupOfAServiceThatRunsIsRestored elsewhere, with the front's directory and without it.
func TestABackupOfAServiceThatRunsIsRestored(t *testing.T) {
	s := arrange(t)
	said, err := s.runner("keygen")
	require.NoError(t, err, said)
	s.begin()
	whole, alone := s.path("whole.tar"), s.path("records.tar")
	ended := s.busy(func() {
		s.snapshot(whole, "state", "front")
		s.snapshot(alone, "state")
	})
	require.NotEmpty(t, ended)

	t.Run("with its queue and keys", func(t *testing.T) {
		other := restored(t, whole)
		other.begin()
		other.verify()
		other.requireSame(ended)
		for key, run := range ended {
			again, err := other.again(key)
			require.NoError(t, err)
			require.Equal(t, run.RunID, again.RunID, "a key gives its run")
		}
		other.requireAllEnd()
	})
	t.Run("with the records alone", func(t *testing.T) {
		other := restored(t, alone)
		cut := ended[slices.Sorted(maps.Keys(ended))[1]].RunID.String() // as one whose line was written, and its name not yet
		runs := filepath.Join(other.state, "runs")
		require.NoError(t, os.Rename(filepath.Join(runs, cut), filepath.Join(runs, ".draft-"+cut)))
		require.Contains(t, other.verifyBefore(), cut)
		other.begin()
		other.requireSame(ended)
		lost := slices.Sorted(maps.Keys(ended))[0]
		again, err := other.again(lost)
		require.NoError(t, err)
		require.NotEqual(t, ended[lost].RunID, again.RunID, "keys are of the front's directory")
		require.Equal(t, lost+"\n", other.ended(again.RunID).Result.Stdout)
		other.verify()
	})
	t.Run("an older one is told by the checkpoint", func(t *testing.T) {
		anchor := filepath.Join(t.TempDir(), "anchor")
		said, err := s.runner("records", "anchor", "--to", anchor)
		require.NoError(t, err, "%s", said)
		said, err = restored(t, alone).runner("records", "verify", "--anchor", anchor, "--key", filepath.Join(s.state, "signing.key.pub"))
		require.Error(t, err)
		require.Contains(t, said, "truncated: the anchor has seen")
	})
}

// runner carries a command out with the scene's state.
func (s *scene) runner(args ...string) (said string, err error) {
	text, err := s.command(args...).CombinedOutput()
	return string(text), err
}

// again asks for what was asked for by the key.
func (s *scene) again(key string) (api.Run, error) {
	return s.asks.CreateRun(s.t.Context(), api.CreateRun{Policy: "interpreter", Code: `print("` + key + `")`}, client.CreateOptions{Key: key})
}

// requireSame wants each run as it was.
func (s *scene) requireSame(ended map[string]api.Run) {
	s.t.Helper()
	for key, was := range ended {
		require.Eventually(s.t, func() bool { // where the index is read from the chain
			_, err := s.asks.Run(s.t.Context(), was.RunID)
			return err == nil
		}, patience, 10*time.Millisecond, key)
		now := s.ended(was.RunID)
		require.Equal(s.t, was.Status, now.Status)
		require.Equal(s.t, key+"\n", now.Result.Stdout)
	}
}

// requireAllEnd wants every run that was accepted at that moment to end, with its code's result or
// as one that was under way: nobody is told of it anywhere else.
func (s *scene) requireAllEnd() {
	s.t.Helper()
	for run, err := range s.asks.Runs(s.t.Context(), client.Filter{}) {
		require.NoError(s.t, err)
		end := s.ended(run.RunID)
		if end.Status != api.State(job.Succeeded) {
			require.Equal(s.t, "urn:hotcell:problem:interrupted", end.Error.Type)
		}
	}
}
