package containertest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

// shownBy names for each control the subtests that see it enforced, from within: a
// control is active when it keeps what it says, not when something was asked for it.
func shownBy() map[string][]string {
	const ownNamespaces = "identity/its own namespaces"
	return map[string][]string{
		container.ControlNamespaces:      {ownNamespaces, "identity/it sees only itself", "isolation/no network but an empty loopback"},
		container.ControlUserNamespace:   {ownNamespaces},
		container.ControlCgroupNamespace: {ownNamespaces},
		container.ControlReadOnlyRoot:    {"isolation/only output and scratch are writable"},
		container.ControlNoCapabilities:  {"identity/every capability set is empty"},
		container.ControlNoNewPrivs:      {"identity/no_new_privs and seccomp are on"},
		container.ControlSeccomp:         {"exit/SIGSYS is named"},
		container.ControlMemory:          {"limits/memory.max ends the guard and is counted", "limits/files in the output count towards memory.max"},
		container.ControlSwapOff:         {"limits/memory.max ends the guard and is counted"},
		container.ControlPIDs:            {"limits/pids.max refuses processes and is counted", "limits/pids.max refuses threads and is counted"},
		container.ControlCPU:             {"limits/cpu.max slows what spins"},
		container.ControlOutputQuota:     {"limits/output_bytes refuses bytes"},
		container.ControlOutputInodes:    {"limits/output_files refuses files"},
		container.ControlMountOptions:    {"identity/mounts are nosuid, nodev, noexec"},
		container.ControlOOMCount:        {"limits/memory.max ends a child and is counted"},
		container.ControlCPUClock:        {"limits/cpu_time ends one process", "limits/cpu_time adds up over children"},
	}
}

// requireShown wants each control to be seen enforced on each engine: by a subtest
// that is not left out, or by a test of the engine's own.
func requireShown(t *testing.T, h Harness) {
	t.Helper()
	var all []string
	for _, group := range groups() {
		for _, test := range group.tests {
			all = append(all, group.name+"/"+test.name)
		}
	}
	for _, control := range container.Controls() {
		if slices.Contains(container.ExtraControls(), control) {
			continue // hosts lack them, and their own tests show them where they are
		}
		if slices.Contains(h.Absent, control) {
			requireAbsent(t, h, control)
			continue
		}
		tests := shownBy()[control]
		require.Subset(t, all, tests, control)
		shown := slices.ContainsFunc(tests, func(name string) bool { return h.LeftOut[name] == "" })
		require.Equal(t, !shown, h.ShownBy[control] != "", "%s is shown by the suite, or by a test of the engine's own that ShownBy names", control)
	}
}

// requireAbsent has an engine say itself that it never has a control.
func requireAbsent(t *testing.T, h Harness, control string) {
	t.Helper()
	host, err := h.New(t).Probe(t.Context(), h.Spec(t).Runtime)
	require.NoError(t, err)
	require.Contains(t, host.Inactive(), control)
}
