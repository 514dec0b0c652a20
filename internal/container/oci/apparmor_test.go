//go:build linux

package oci

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/apparmor"
	"hotcell/internal/job"
)

// A runtime that ignores the profile executes the guard without it, on any host.
func TestASandboxThatIsNotUnderTheProfileIsRefused(t *testing.T) {
	s := &sandbox{paths: container.Paths{AppArmor: "hotcell-sandbox-0123456789ab"},
		host: container.Host{Controls: []job.Control{{Name: container.ControlAppArmor, Active: true}}}}
	asThisProcess(t, s)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	require.ErrorContains(t, s.awaitConfined(ctx), "does not enforce apparmor")
	s.host = container.Host{Controls: []job.Control{{Name: container.ControlAppArmor}}}
	require.NoError(t, s.awaitConfined(ctx), "the host lacks it, and the policy accepted that")
}

func TestRuntimesWithoutAppArmorSayWhy(t *testing.T) {
	for runtime, want := range map[string]string{gVisor: "not with gVisor", "crun": "this crun is built without AppArmor"} {
		_, _, err := loadAppArmor(t.Context(), runtime, runtime+" 1\n+SECCOMP", t.TempDir())
		require.ErrorContains(t, err, want)
	}
}

// Each runtime's sandboxes run under the profile where the kernel has AppArmor. Other
// hosts cannot show it.
func TestSandboxesRunUnderTheProfile(t *testing.T) {
	for _, runtime := range runtimes() {
		t.Run(runtime, func(t *testing.T) {
			engine := newHost(t, runtime).engine(t)
			found, err := engine.discover(t.Context(), "")
			require.NoError(t, err)
			if found.appArmor == "" {
				t.Skip("this host has no AppArmor")
			}
			s := python(t, engine, "import sys; sys.stdin.read()")
			require.NoError(t, s.release(t.Context()))
			require.NoError(t, apparmor.Confined(s.guard.pid, found.appArmor))
			other := *s
			other.paths.AppArmor = "docker-default"
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			require.ErrorContains(t, other.awaitConfined(ctx), "does not enforce apparmor (the process runs as")
		})
	}
}
