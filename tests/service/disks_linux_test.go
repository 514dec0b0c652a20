package service_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/client"
	"hotcell/internal/image/imagetest"
	"hotcell/internal/job"
)

// small gives a directory of the scene a disk of its own, of so many bytes.
func (s *scene) small(name string, size int64) {
	s.t.Helper()
	dir := s.path(name)
	info, err := os.Stat(dir)
	require.NoError(s.t, err)
	owner := info.Sys().(*syscall.Stat_t)
	options := fmt.Sprintf("size=%d,mode=%o,uid=%d,gid=%d", size, info.Mode().Perm(), owner.Uid, owner.Gid)
	require.NoError(s.t, syscall.Mount("tmpfs", dir, "tmpfs", 0, options))
	s.t.Cleanup(func() { require.NoError(s.t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
}

// fill leaves nothing of the disk of a directory. What is freed meanwhile is taken by the next call.
func (s *scene) fill(name string) {
	s.t.Helper()
	file, err := os.OpenFile(filepath.Join(s.path(name), "filler"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	require.NoError(s.t, err)
	defer file.Close()
	for _, size := range []int{1 << 20, 1 << 12} {
		for err == nil {
			_, err = file.Write(make([]byte, size))
		}
		require.ErrorIs(s.t, err, syscall.ENOSPC)
		err = nil
	}
}

func (s *scene) free(name string) {
	s.t.Helper()
	require.NoError(s.t, os.Remove(filepath.Join(s.path(name), "filler")))
}

// impatient asks once, or nearly so: what is refused is to be seen.
func (s *scene) impatient() *client.Client {
	s.t.Helper()
	asks, err := client.New(client.Options{URL: "unix://" + s.path("listen/http.sock"), Patience: time.Millisecond})
	require.NoError(s.t, err)
	s.t.Cleanup(asks.Close)
	return asks
}

func (s *scene) ended(id job.ID) api.Run {
	s.t.Helper()
	run, err := s.asks.Wait(s.t.Context(), id)
	require.NoError(s.t, err)
	return run
}

func kindOf(err error) string {
	var problem *api.Problem
	if !errors.As(err, &problem) {
		return fmt.Sprint(err)
	}
	return fmt.Sprintf("%d %s", problem.Status, strings.TrimPrefix(problem.Type, "urn:hotcell:problem:"))
}

// asked are the runs that were accepted, by key.
type asked map[string]job.ID

// ask asks for a run that prints its key.
func (a asked) ask(s *scene, by *client.Client, key string) error {
	run, err := by.CreateRun(s.t.Context(), api.CreateRun{Policy: "interpreter", Code: fmt.Sprintf("print(%q)", key)}, client.CreateOptions{Key: key})
	if err == nil {
		a[key] = run.RunID
	}
	return err
}

// TestAFullDiskOfTheFrontLosesNothing: what is accepted is on the disk, and what cannot be is
// refused. What had begun ends, and is known after the next start.
func TestAFullDiskOfTheFrontLosesNothing(t *testing.T) {
	s := arrange(t)
	s.small("front", 4<<20)
	s.begin()
	impatient, runs := s.impatient(), asked{}
	require.NoError(t, runs.ask(s, s.asks, "before"))
	s.ended(runs["before"])
	going := s.going()

	var refused string
	var err error
	require.Eventually(t, func() bool {
		s.fill("front")
		refused = fmt.Sprintf("while-%d", len(runs))
		err = runs.ask(s, impatient, refused)
		return err != nil
	}, patience, time.Millisecond)
	require.Equal(t, "503 storage", kindOf(err))
	seen, err := impatient.Run(t.Context(), runs["before"])
	require.NoError(t, err, "what there is can be read")
	require.Equal(t, "before\n", seen.Result.Stdout)
	require.Equal(t, "begun\nended\n", s.ended(going).Result.Stdout, "what had begun goes on, and is told")

	s.free("front")
	require.Eventually(t, func() bool { return runs.ask(s, impatient, refused) == nil }, patience, time.Millisecond, "there is room")
	for key, id := range runs {
		require.Equal(t, key+"\n", s.ended(id).Result.Stdout)
	}
	s.front.kill()
	s.startFront()
	told := s.told()
	require.Len(t, told, len(runs)+1, "no other run was made of what was refused")
	runs["begun\nended"] = going
	for key, id := range runs {
		run := s.ended(id)
		require.Equal(t, key+"\n", run.Result.Stdout)
		require.Equal(t, 1, run.Attempt)
		require.Equal(t, []string{"run"}, told[id.String()])
	}
}

// TestAFrontThatWasKilledSaysThatItsDiskIsFull when it is started again, and starts when there is room.
func TestAFrontThatWasKilledSaysThatItsDiskIsFull(t *testing.T) {
	s := arrange(t)
	s.small("front", 4<<20)
	s.begin()
	runs := asked{}
	require.NoError(t, runs.ask(s, s.asks, "before"))
	s.ended(runs["before"])
	s.front.kill()
	s.fill("front")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	said, err := s.asFront(exec.CommandContext(ctx, runnerPath, "serve", "--config", s.path("serve.yaml"))).CombinedOutput()
	require.Error(t, err)
	require.NoError(t, ctx.Err(), "it has ended by itself")
	require.Contains(t, string(said), "the disk is full: make room on it")
	s.free("front")
	s.startFront()
	require.Equal(t, "before\n", s.ended(runs["before"]).Result.Stdout)
	require.NoError(t, runs.ask(s, s.asks, "after"))
	require.Equal(t, "after\n", s.ended(runs["after"]).Result.Stdout)
}

// TestAFullDiskOfTheEngineLosesNothing: nothing is accepted that could leave no record, what waits
// goes on waiting, and of what runs the audit chain or the caller is told.
func TestAFullDiskOfTheEngineLosesNothing(t *testing.T) {
	s := arrange(t, "--max-runs", "1")
	require.NoError(t, os.Remove(filepath.Join(s.state, "images")))
	s.small("state", 48<<20)
	require.NoError(t, os.Symlink(imagetest.Dir(), filepath.Join(s.state, "images")))
	s.begin()
	impatient, runs := s.impatient(), asked{}
	require.NoError(t, runs.ask(s, s.asks, "before"))
	s.ended(runs["before"])
	going := s.going()
	require.NoError(t, runs.ask(s, s.asks, "waits"))
	s.fill("state")
	require.Equal(t, "503 storage", kindOf(runs.ask(s, impatient, "while")))
	_, err := impatient.OpenSession(t.Context(), api.OpenSession{Policy: "interpreter"})
	require.Equal(t, "503 storage", kindOf(err))
	seen, err := impatient.Run(t.Context(), runs["before"])
	require.NoError(t, err, "what there is can be read")
	require.Equal(t, "before\n", seen.Result.Stdout)
	end := s.ended(going)
	require.Contains(t, []api.State{api.State(job.Succeeded), api.StateError}, end.Status)
	time.Sleep(time.Second) // in which the one that waits could be given, and fail
	waiting, err := impatient.Run(t.Context(), runs["waits"])
	require.NoError(t, err)
	require.False(t, waiting.Ended(), "%+v", waiting.Error)

	s.free("state")
	require.Eventually(t, func() bool { return runs.ask(s, impatient, "while") == nil }, patience, time.Millisecond, "there is room")
	for key, id := range runs {
		run := s.ended(id)
		require.Nil(t, run.Error, key)
		require.Equal(t, key+"\n", run.Result.Stdout)
	}
	s.engine.kill()
	s.startEngine() // which says what became of what has no record
	told := s.told()
	for _, id := range runs {
		require.Equal(t, []string{"run"}, told[id.String()])
	}
	kind := "run"
	if end.Status == api.StateError {
		kind = "interrupted"
	}
	require.Equal(t, []string{kind}, told[going.String()])
	require.Len(t, told, len(runs)+1)
	verified, err := s.command("records", "verify").CombinedOutput()
	require.NoError(t, err, "%s", verified)
}

var errBegun = errors.New("its code has begun")

// going is a run whose code has begun, and goes on for some seconds.
func (s *scene) going() job.ID {
	s.t.Helper()
	run, err := s.asks.CreateRun(s.t.Context(), api.CreateRun{
		Policy: "study-analysis", Code: "import time\nprint('begun', flush=True)\ntime.sleep(3)\nprint('ended')",
	}, client.CreateOptions{})
	require.NoError(s.t, err)
	err = s.asks.Follow(s.t.Context(), run.RunID, 0, func(event api.Event) error {
		if event.Type == api.EventStdout {
			return errBegun
		}
		return nil
	})
	require.ErrorIs(s.t, err, errBegun)
	return run.RunID
}
