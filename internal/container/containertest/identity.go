package containertest

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

func identityTests() []subtest {
	return []subtest{
		{"uid and gid are unprivileged", ofSighting(checkIDs)},
		{"every capability set is empty", ofSighting(checkCapabilities)},
		{"no_new_privs and seccomp are on", ofSighting(checkConfinement)},
		{"only the streams are open", ofSighting(checkDescriptors)},
		{"working directory, host name and terminal", ofSighting(checkSurroundings)},
		{"its own namespaces", ofSighting(checkNamespaces)},
		{"mounts are nosuid, nodev, noexec", ofSighting(checkMounts)},
		{"only harmless devices open", ofSighting(checkDevices)},
		{"it sees only itself", ofSighting(checkProcesses)},
		{"rlimits", ofSighting(checkResourceLimits)},
	}
}

// sighting is what a sandbox found out about itself.
type sighting struct {
	Identity
	harness Harness
	spec    container.Spec
	host    container.Host
}

// identify lets one sandbox look at itself for the whole group: it looks at every file
// that it sees, which takes seconds where a guest's kernel asks another process for each.
func identify(t *testing.T, h Harness) Harness {
	t.Helper()
	engine := h.New(t)
	host, err := engine.Probe(t.Context(), h.Spec(t).Runtime)
	require.NoError(t, err)
	r := newTrialOn(t, h, engine, Behaviour{Name: ReportIdentity, Path: "/"})
	h.seen = &sighting{harness: h, spec: r.spec, host: host}
	r.report(&h.seen.Identity)
	return h
}

func ofSighting(check func(*testing.T, sighting)) func(*testing.T, Harness) {
	return func(t *testing.T, h Harness) { check(t, *h.seen) }
}

func checkIDs(t *testing.T, s sighting) {
	want := []int{container.UserID, container.UserID, container.UserID}
	require.Equal(t, want, s.UIDs)
	require.Equal(t, want, s.GIDs)
	require.Subset(t, []int{container.UserID}, s.Groups)
}

func checkCapabilities(t *testing.T, s sighting) {
	const none = "0000000000000000"
	require.Equal(t, map[string]string{"CapInh": none, "CapPrm": none, "CapEff": none, "CapBnd": none, "CapAmb": none}, s.Capabilities)
}

func checkConfinement(t *testing.T, s sighting) {
	require.Equal(t, "1", s.NoNewPrivs)
	require.Equal(t, "2", s.Seccomp)
}

func checkDescriptors(t *testing.T, s sighting) {
	require.Len(t, s.Descriptors, 3, "%v", s.Descriptors)
	for _, number := range []string{"0", "1", "2"} {
		// gVisor calls a stream that it was given "host".
		require.Regexp(t, `^(pipe|socket|host):\[`, s.Descriptors[number])
	}
}

func checkSurroundings(t *testing.T, s sighting) {
	require.Equal(t, "/", s.WorkingDirectory)
	require.Equal(t, container.Hostname, s.Hostname)
	require.False(t, s.Terminal)
	require.Contains(t, []int{0, 1, s.PID}, s.Session, "the session is another's")
}

// checkNamespaces compares with this process, where the sandbox runs on the same
// kernel. Elsewhere the names can only differ.
func checkNamespaces(t *testing.T, s sighting) {
	names := []string{"mnt", "pid", "net", "ipc", "uts"}
	inactive := s.host.Inactive()
	if !slices.Contains(inactive, container.ControlUserNamespace) {
		names = append(names, "user")
	}
	if !slices.Contains(inactive, container.ControlCgroupNamespace) {
		names = append(names, "cgroup")
	}
	for _, name := range names {
		require.NotEmpty(t, s.Namespaces[name], name)
		if ours, err := os.Readlink("/proc/self/ns/" + name); err == nil {
			require.NotEqual(t, ours, s.Namespaces[name], "the %s namespace is the host's", name)
		}
	}
}

func checkMounts(t *testing.T, s sighting) {
	locked := []string{"nosuid", "nodev", "noexec"}
	for target, options := range map[string][]string{
		"/":                  {"ro"},
		"/proc":              locked,
		container.BundleDir:  append([]string{"ro"}, locked...),
		container.OutputDir:  append([]string{"rw"}, locked...),
		container.ScratchDir: append([]string{"rw"}, locked...),
	} {
		// The last one mounted on a target is the one that is seen.
		mount := slices.IndexFunc(s.Mounts, func(m Mount) bool { return m.Target == target })
		require.NotEqual(t, -1, mount, "%s is not a mount", target)
		for i, other := range s.Mounts {
			if other.Target == target {
				mount = i
			}
		}
		require.Subset(t, s.Mounts[mount].Options, options, target)
	}
}

// harmlessDevices are null, zero, full, random and urandom. They are known by
// their numbers: a masked path is null under another name.
func harmlessDevices() []string { return []string{"1:3", "1:5", "1:7", "1:8", "1:9"} }

func checkDevices(t *testing.T, s sighting) {
	require.Contains(t, s.Devices, Device{"/dev/null", "1:3"})
	require.Contains(t, s.Devices, Device{"/dev/urandom", "1:9"})
	for _, device := range s.Devices {
		if !slices.Contains(s.harness.Devices, device.Path) {
			require.Contains(t, harmlessDevices(), device.Numbers, device.Path)
		}
	}
}

func checkProcesses(t *testing.T, s sighting) {
	require.ElementsMatch(t, append(slices.Clone(s.harness.Besides), s.PID), s.Processes)
}

func checkResourceLimits(t *testing.T, s sighting) {
	require.Equal(t, [2]int64{0, 0}, s.CoreLimit)
	require.Equal(t, [2]int64{s.spec.Limits.OpenFiles, s.spec.Limits.OpenFiles}, s.FileLimit)
	require.Positive(t, s.SizeLimit[1], "RLIMIT_FSIZE is not set")
	require.LessOrEqual(t, s.SizeLimit[1], max(s.spec.Limits.OutputBytes, s.spec.Limits.ScratchBytes)+1<<20)
}
