package runner

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/fake"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/wire"
	"hotcell/policies"
)

// locked plays a guard that says this of its lock.
func locked(said string) play {
	return func(_ context.Context, g guard) container.Exit {
		g.send(wire.TypeHello, `{"protocol":7,"guard":"test","python":"3.13.5"}`)
		g.send(wire.TypeReady, said)
		g.report("completed", `,"result":2`)
		return container.Exit{}
	}
}

func TestTheRecordTellsWhatTheGuardSaidOfItsLock(t *testing.T) {
	for said, want := range map[string]job.Control{
		`{"landlock":6}`: {Name: container.ControlLandlock, Active: true, Detail: "ABI 6"},
		`{"landlock":0}`: {Name: container.ControlLandlock, Detail: "the kernel of the guard has no Landlock, or was started without it, or a filter denies it"},
		``:               {Name: container.ControlLandlock, Detail: "the image's guard does not report it: rebuild the image with `runner image build`"},
	} {
		t.Run(said, func(t *testing.T) {
			b := newBench(t, locked(said), nil)
			response, err := b.run(t.Context(), request(), "")
			require.NoError(t, err)
			require.Contains(t, response.Result.Provenance.Controls, want)
			require.Len(t, response.Result.Provenance.Controls, len(container.Controls()))
		})
	}
}

func TestWhatNoCodeMetIsAsTheHostHasIt(t *testing.T) {
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		g.send(wire.TypeHello, `{"protocol":7,"guard":"test","python":"3.13.5"}`)
		g.report("rejected", `,"violations":[{"rule":"import.denied","line":1}]`)
		return container.Exit{}
	}, func(o *fake.Options, _ *Options) { o.Inactive = []string{container.ControlLandlock} })
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Contains(t, response.Result.Provenance.Controls, job.Control{Name: container.ControlLandlock, Detail: "switched off for this test"})
}

// requiring is study-analysis with Landlock required.
func requiring(t *testing.T) func(*fake.Options, *Options) {
	t.Helper()
	files := fstest.MapFS{}
	require.NoError(t, fs.WalkDir(policies.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(policies.Files, name)
		if name == "study-analysis.yaml" {
			text = bytes.Replace(text, []byte("isolation:\n"), []byte("isolation:\n  required_controls: [landlock]\n"), 1)
		}
		files[name] = &fstest.MapFile{Data: text}
		return err
	}))
	return func(_ *fake.Options, o *Options) { o.Policies = policy.NewCatalog(files, "") }
}

func TestALockWithoutWhatThePolicyRequiresReleasesNothing(t *testing.T) {
	for _, said := range []string{`{"landlock":0}`, ``} {
		b := newBench(t, locked(said), requiring(t))
		response, err := b.run(t.Context(), request(), "")
		require.ErrorContains(t, err, "the policy requires landlock, which this run does not have", said)
		require.ErrorContains(t, err, "take landlock out of the policy's required_controls")
		require.NotEqual(t, job.Succeeded, response.Result.Status)
		require.Equal(t, "null", string(response.Result.Value), "user code had begun: it is recorded, and gives nothing")
	}
	b := newBench(t, locked(`{"landlock":1}`), requiring(t))
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, response.Result.Status)
}

// told plays a guard that keeps what it was told first, and refuses the code.
func told(into *wire.Start) play {
	return func(_ context.Context, g guard) container.Exit {
		*into = g.started()
		g.send(wire.TypeHello, `{"protocol":7,"guard":"test","python":"3.13.5"}`)
		g.report("rejected", `,"violations":[{"rule":"import.denied","line":1}]`)
		return container.Exit{}
	}
}

// started reads the first frame.
func (g guard) started() (start wire.Start) {
	header := make([]byte, 5)
	if _, err := io.ReadFull(g.stdio.Stdin, header); err != nil || header[0] != wire.TypeStart {
		return start
	}
	payload := make([]byte, binary.BigEndian.Uint32(header[1:]))
	if _, err := io.ReadFull(g.stdio.Stdin, payload); err == nil {
		_ = json.Unmarshal(payload, &start) // what is missing is seen by who compares
	}
	return start
}

func TestTheGuardIsToldWhatItMustBring(t *testing.T) {
	for name, test := range map[string]struct {
		adapt func(*fake.Options, *Options)
		want  []string
	}{
		"required":     {requiring(t), []string{container.ControlLandlock}},
		"not required": {nil, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			for mode, ask := range map[wire.Mode]func(*bench) error{
				wire.ModeRun:   func(b *bench) error { _, err := b.run(t.Context(), request(), ""); return err },
				wire.ModeCheck: func(b *bench) error { _, err := b.runner.Check(t.Context(), b.ask(request())); return err },
			} {
				var heard wire.Start
				b := newBench(t, told(&heard), test.adapt)
				require.NoError(t, ask(b))
				require.Equal(t, mode, heard.Mode)
				require.Equal(t, test.want, heard.RequiredControls)
			}
		})
	}
}

// Before it has a word of the host's: an image that is older than the field goes on to
// run the code, for all that the host knows.
func TestAGuardOfAnotherVersionIsEndedAndNothingIsClaimed(t *testing.T) {
	b := newBench(t, func(ctx context.Context, g guard) container.Exit {
		g.send(wire.TypeHello, `{"protocol":2,"guard":"old","python":"3.13.5"}`)
		g.send(wire.TypeReady, `{"landlock":6}`)
		g.send(wire.TypeStdout, "ran")
		<-ctx.Done()
		return container.Exit{KilledByUs: true, Signal: "SIGKILL"}
	}, requiring(t))
	response, err := b.run(t.Context(), request(), "")
	_, ok := errors.AsType[*GuardError](err)
	require.True(t, ok, "got %v", err)
	require.ErrorContains(t, err, "it speaks protocol 2, this runner speaks 7: rebuild the image with `runner image build`")
	require.Equal(t, Response{}, response)
	require.Empty(t, b.stdout.String())
}

func TestAGuardThatLacksWhatIsRequiredHasRunNothing(t *testing.T) {
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		g.send(wire.TypeHello, `{"protocol":7,"guard":"test","python":"3.13.5"}`)
		g.report("guard_failed", `,"error":{"type":"ControlFault","message":"the policy requires landlock, and it is not in force"}`)
		return container.Exit{}
	}, requiring(t))
	response, err := b.run(t.Context(), request(), "")
	_, ok := errors.AsType[*GuardError](err)
	require.True(t, ok, "got %v", err)
	require.ErrorContains(t, err, "guard: the policy requires landlock, and it is not in force")
	require.Equal(t, Response{}, response)
}

func TestALockIsHeardOnce(t *testing.T) {
	heard := &guardLock{}
	require.NoError(t, heard.hear(&wire.Ready{Landlock: 3}))
	require.NoError(t, heard.hear(nil))
	require.NoError(t, heard.hear(&wire.Ready{Landlock: 6}))
	require.Equal(t, []job.Control{{Name: container.ControlLandlock, Active: true, Detail: "ABI 3"}},
		heard.amend([]job.Control{{Name: container.ControlLandlock}}), "after the first script nobody knows who speaks")
}

// A record must not name a layer that no guard came to: it refused the script, say.
func TestLandlockIsNotClaimedOfAGuardThatWasNotHeard(t *testing.T) {
	offered := []job.Control{{Name: container.ControlSeccomp, Active: true}, container.LandlockControl(6, nil)}
	amended := (&guardLock{}).amend(offered)
	require.Equal(t, offered[0], amended[0])
	require.Equal(t, container.LandlockControl(0, errNoLock), amended[1])
	require.True(t, offered[1].Active, "the offer itself is for the next run")
}
