//go:build linux

package docker

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/moby/moby/client"
	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
)

// requireNothingLeft looks for everything that a sandbox of h may leave.
func requireNothingLeft(t *testing.T, h harness) {
	t.Helper()
	ours := client.Filters{}.Add("label", labelOwner+"="+h.Engine.state.owner)
	containers, err := h.api.ContainerList(context.Background(), client.ContainerListOptions{All: true, Filters: ours})
	require.NoError(t, err)
	require.Empty(t, containers.Items)
	volumes, err := h.api.VolumeList(context.Background(), client.VolumeListOptions{Filters: ours})
	require.NoError(t, err)
	require.Empty(t, volumes.Items)
	requireNoRuns(t, h.state)
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	require.NoError(t, err)
	require.NotContains(t, string(mounts), h.state)
}

// requireNoRuns wants nothing but what a state keeps: its owner, and on hosts with
// AppArmor what of the profile the kernel was given.
func requireNoRuns(t *testing.T, state string) {
	t.Helper()
	entries, err := os.ReadDir(state)
	require.NoError(t, err)
	var names []string
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), "hotcell-sandbox-") {
			names = append(names, entry.Name())
		}
	}
	require.Equal(t, []string{durable.OwnerFile}, names)
}

func requireNoGroup(t *testing.T, id container.ID) {
	t.Helper()
	left, err := containertest.HostLeftovers(id)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestDestroyLeavesNothingAtAnyStage(t *testing.T) {
	bothPlaces(t, func(t *testing.T, h harness) {
		for _, stage := range []string{"created", "ended", "twice"} {
			t.Run(stage, func(t *testing.T) {
				made := h.create(t, h.spec(waitForInput+"open('/output/x', 'w').write('x')"))
				if stage != "created" {
					h.run(t.Context(), t, made, "x")
				}
				require.NoError(t, made.Destroy(t.Context()))
				if stage == "twice" {
					require.NoError(t, made.Destroy(t.Context()))
				}
				requireNothingLeft(t, h)
				requireNoGroup(t, made.(*sandbox).id)
			})
		}
	})
}

func TestFailedCreateLeavesNothing(t *testing.T) {
	cases := []struct {
		name, wanted string
		change       func(*container.Spec)
	}{
		{"unknown runtime", `unknown runtime "nosuch"`, func(s *container.Spec) { s.Runtime = "nosuch" }},
		{"unknown image", "no such image", func(s *container.Spec) { s.Image = digest.Of(nil) }},
		{"unknown bundle", "no such bundle", func(s *container.Spec) { s.Bundle = digest.Of(nil) }},
		{"a control that is missing", "does not enforce user_namespace", func(s *container.Spec) { s.Optional = container.ExtraControls() }},
		{"a limit that Docker refuses", "create container", func(s *container.Spec) { s.Limits.MemoryBytes = 1 << 20 }},
	}
	notPodmans := []string{"a control that is missing", "a limit that Docker refuses"}
	bothPlaces(t, func(t *testing.T, h harness) {
		for _, test := range cases {
			t.Run(test.name, func(t *testing.T) {
				if h.podman && slices.Contains(notPodmans, test.name) {
					t.Skip("Podman has a user namespace, and refuses no limit")
				}
				spec := h.spec("pass")
				test.change(&spec)
				id := container.NewID()
				_, err := h.Create(t.Context(), id, spec)
				require.ErrorContains(t, err, test.wanted)
				requireNothingLeft(t, h)
				requireNoGroup(t, id)
			})
		}
	})
}

// The variables by which the test binary plays the process that is killed.
const (
	victimState  = "HOTCELL_DOCKER_VICTIM_STATE"
	victimRemote = "HOTCELL_DOCKER_VICTIM_REMOTE"
	victimHeld   = "HOTCELL_DOCKER_VICTIM_HELD" // not empty: while its sandbox is held
)

// TestVictim is not a test of its own: TestSweepAfterSIGKILL runs it in a process
// of its own.
func TestVictim(t *testing.T) {
	state := os.Getenv(victimState)
	if state == "" {
		return
	}
	h := newHarnessIn(t, state, os.Getenv(victimRemote) != "")
	made, err := h.Create(t.Context(), container.NewID(), h.spec("input(); print('ready', flush=True); import time; time.sleep(1000)"))
	require.NoError(t, err)
	_, err = made.Run(t.Context(), container.Streams{Stdin: strings.NewReader("\n"), Stdout: victimOutput{made}, Stderr: io.Discard})
	require.NoError(t, err)
}

// victimOutput passes on that the victim is ready, when it is held if it is to be.
type victimOutput struct{ sandbox container.Sandbox }

func (o victimOutput) Write(chunk []byte) (int, error) {
	if os.Getenv(victimHeld) != "" {
		if _, err := o.sandbox.Hold(context.Background()); err != nil {
			return 0, err
		}
	}
	return os.Stdout.Write(chunk)
}

// On cgroup v1 nothing that is frozen ends.
func TestSweepAfterSIGKILLInAHold(t *testing.T) {
	t.Setenv(victimHeld, "yes")
	TestSweepAfterSIGKILL(t)
}

func TestSweepAfterSIGKILL(t *testing.T) {
	for place, remote := range map[string]string{"local": "", "remote": "yes"} {
		t.Run(place, func(t *testing.T) {
			h := newHarness(t, remote != "")
			alive := h.create(t, h.spec(waitForInput))
			id := killVictim(t, h.state, remote)
			removed, err := h.Sweep(t.Context())
			require.NoError(t, err)
			require.Equal(t, 1, removed)
			requireNoGroup(t, id)
			removed, err = h.Sweep(t.Context())
			require.NoError(t, err)
			require.Zero(t, removed)
			h.run(t.Context(), t, alive, "x") // was not touched
			require.NoError(t, alive.Destroy(t.Context()))
			requireNothingLeft(t, h)
		})
	}
}

// killVictim returns the ID of a sandbox that ran when its owner was killed.
func killVictim(t *testing.T, state, remote string) container.ID {
	t.Helper()
	before, err := os.ReadDir(state)
	require.NoError(t, err)
	victim := exec.Command(os.Args[0], "-test.run=^TestVictim$", "-test.v")
	victim.Env = append(os.Environ(), victimState+"="+state, victimRemote+"="+remote, "TMPDIR="+t.TempDir())
	output, err := victim.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, victim.Start())
	buffer := make([]byte, 4096)
	for said := ""; !strings.Contains(said, "ready"); {
		size, err := output.Read(buffer)
		require.NoError(t, err, said)
		said += string(buffer[:size])
	}
	require.NoError(t, victim.Process.Kill())
	_ = victim.Wait() // "signal: killed"
	after, err := os.ReadDir(state)
	require.NoError(t, err)
	require.Len(t, after, len(before)+1)
	for _, entry := range after {
		if id, err := container.ParseID(entry.Name()); err == nil && !contains(before, entry.Name()) {
			return id
		}
	}
	t.Fatal("the victim left nothing")
	return container.ID{}
}

func contains(entries []os.DirEntry, name string) bool {
	for _, entry := range entries {
		if entry.Name() == name {
			return true
		}
	}
	return false
}

func TestSweepRemovesWhatLostItsDirectory(t *testing.T) {
	h := newHarness(t, true)
	made := h.create(t, h.spec("pass")).(*sandbox)
	require.NoError(t, made.dir.remove())
	removed, err := h.Sweep(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, removed)
	requireNothingLeft(t, h)
}

func TestSweepLeavesOthersAlone(t *testing.T) {
	h, other := newHarness(t, true), newHarness(t, true)
	made := h.create(t, h.spec(waitForInput))
	removed, err := other.Sweep(t.Context())
	require.NoError(t, err)
	require.Zero(t, removed)
	h.run(t.Context(), t, made, "x")
}

// A copy of a state directory, such as a restored backup, has the locks of its
// original's living sandboxes, which nobody holds, and the file that names the owner.
func TestACopyOfTheStateLeavesTheOriginalsSandboxesAlone(t *testing.T) {
	for _, remote := range []bool{false, true} {
		for _, test := range []struct {
			name   string
			before bool // copied before the sandbox was made: nothing of it is in the copy
		}{{"copied before", true}, {"copied meanwhile", false}} {
			t.Run(fmt.Sprintf("%s, remote %t", test.name, remote), func(t *testing.T) {
				h := newHarness(t, remote)
				state := filepath.Join(t.TempDir(), "copy")
				if test.before {
					require.NoError(t, exec.Command("cp", "-a", h.state, state).Run())
				}
				made := h.create(t, h.spec(waitForInput))
				if !test.before {
					require.NoError(t, exec.Command("cp", "-a", h.state, state).Run())
				}
				removed, err := newHarnessIn(t, state, remote).Sweep(t.Context())
				require.NoError(t, err)
				require.Zero(t, removed)
				requireNoRuns(t, state)
				require.Zero(t, h.run(t.Context(), t, made, "x").Code)
			})
		}
	}
}

func TestConcurrentSandboxes(t *testing.T) {
	h := newHarness(t, false)
	const count = 8
	results := make(chan string, count)
	for range count {
		made := h.create(t, h.spec("import sys, socket; sys.stdout.write(sys.stdin.read() + socket.gethostname())"))
		go func() {
			var out strings.Builder
			_, err := made.Run(context.Background(), container.Streams{Stdin: strings.NewReader("in "), Stdout: &out, Stderr: io.Discard})
			if err != nil {
				out.WriteString(err.Error())
			}
			results <- out.String()
		}()
	}
	for range count {
		require.Equal(t, "in hotcell", <-results)
	}
}
