package runner

import (
	"bytes"
	"context"
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
		g.send(wire.TypeHello, `{"protocol":2,"guard":"test","python":"3.13.5"}`)
		g.send(wire.TypeReady, said)
		g.report("completed", `,"result":2`)
		return container.Exit{}
	}
}

func TestTheRecordTellsWhatTheGuardSaidOfItsLock(t *testing.T) {
	for said, want := range map[string]job.Control{
		`{"landlock":6}`: {Name: container.ControlLandlock, Active: true, Detail: "ABI 6"},
		`{"landlock":0}`: {Name: container.ControlLandlock, Detail: "the kernel of the guard has no Landlock, or was started without it, or a filter denies it"},
		``:               {Name: container.ControlLandlock, Detail: "the image's guard does not tell of it: rebuild the image with `runner image build`"},
	} {
		t.Run(said, func(t *testing.T) {
			b := newBench(t, locked(said), nil)
			answer, err := b.runner.Run(t.Context(), request(), "")
			require.NoError(t, err)
			require.Contains(t, answer.Result.Provenance.Controls, want)
			require.Len(t, answer.Result.Provenance.Controls, len(container.Controls()))
		})
	}
}

func TestWhatNoCodeMetIsAsTheHostHasIt(t *testing.T) {
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		g.send(wire.TypeHello, `{"protocol":2,"guard":"test","python":"3.13.5"}`)
		g.report("rejected", `,"violations":[{"rule":"import.denied","line":1}]`)
		return container.Exit{}
	}, func(o *fake.Options, _ *Options) { o.Inactive = []string{container.ControlLandlock} })
	answer, err := b.runner.Run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Contains(t, answer.Result.Provenance.Controls, job.Control{Name: container.ControlLandlock, Detail: "switched off for this test"})
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
		answer, err := b.runner.Run(t.Context(), request(), "")
		require.ErrorContains(t, err, "the policy requires landlock, which this run does not have", said)
		require.ErrorContains(t, err, "take landlock out of the policy's required_controls")
		require.NotEqual(t, job.Succeeded, answer.Result.Status)
		require.Equal(t, "null", string(answer.Result.Value), "user code had begun: it is recorded, and gives nothing")
	}
	b := newBench(t, locked(`{"landlock":1}`), requiring(t))
	answer, err := b.runner.Run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, answer.Result.Status)
}

func TestALockIsHeardOnce(t *testing.T) {
	heard := &lock{}
	require.NoError(t, heard.hear(&wire.Ready{Landlock: 3}))
	require.NoError(t, heard.hear(nil))
	require.NoError(t, heard.hear(&wire.Ready{Landlock: 6}))
	require.Equal(t, []job.Control{{Name: container.ControlLandlock, Active: true, Detail: "ABI 3"}},
		heard.amend([]job.Control{{Name: container.ControlLandlock}}), "after the first script nobody knows who speaks")
}

// A record must not name a layer that no guard came to: it refused the script, say.
func TestLandlockIsNotClaimedOfAGuardThatWasNotHeard(t *testing.T) {
	offered := []job.Control{{Name: container.ControlSeccomp, Active: true}, container.LandlockControl(6, nil)}
	amended := (&lock{}).amend(offered)
	require.Equal(t, offered[0], amended[0])
	require.Equal(t, container.LandlockControl(0, errNoLock), amended[1])
	require.True(t, offered[1].Active, "the offer itself is for the next run")
}
