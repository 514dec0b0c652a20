package containertest

import (
	"crypto/rand"
	"net"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

func isolationTests() []subtest {
	return []subtest{
		{"the bundle is readable", bundleIsReadable},
		{"the bundle cannot be changed", bundleCannotBeChanged},
		{"only output and scratch are writable", onlyTwoPlacesAreWritable},
		{"/sys is empty", sysIsEmpty},
		{"the environment is the spec's", environmentIsExact},
		{"no network but an empty loopback", noNetwork},
		{"two sandboxes share no files and no processes", sandboxesAreApart},
	}
}

func bundleIsReadable(t *testing.T, h Harness) {
	var report ReadReport
	newTrial(t, h, Behaviour{Name: ReadFile, Path: h.Bundle.Path}).report(&report)
	require.Equal(t, ReadReport{Content: h.Bundle.Content}, report)
}

func bundleCannotBeChanged(t *testing.T, h Harness) {
	report := map[string]string{}
	newTrial(t, h, Behaviour{Name: ChangeFile, Path: h.Bundle.Path}).report(&report)
	require.Len(t, report, 7)
	for way, refusal := range report {
		require.Contains(t, []string{"EROFS", "EACCES", "EPERM", "EXDEV"}, refusal, way)
	}
	require.Equal(t, "EROFS", report["create"], "the mount itself is not read-only")
}

func onlyTwoPlacesAreWritable(t *testing.T, h Harness) {
	var found []string
	newTrial(t, h, Behaviour{Name: FindWritable}).report(&found)
	require.Equal(t, []string{container.OutputDir, container.ScratchDir}, found)
}

func sysIsEmpty(t *testing.T, h Harness) {
	var report ReadReport
	newTrial(t, h, Behaviour{Name: ListDirectory, Path: "/sys"}).report(&report)
	require.Empty(t, report.Names)
}

func environmentIsExact(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: PrintEnvironment})
	var found []string
	r.report(&found)
	require.ElementsMatch(t, slices.Concat(r.spec.Environment, h.Environment), found)
}

// noNetwork listens on this host, so that a sandbox that shares its network shows
// itself even where the host has none.
func noNetwork(t *testing.T, h Harness) {
	var reached atomic.Int64
	tcp := listen(t, "tcp", "127.0.0.1:0", &reached)
	targets := [][2]any{
		{"AF_INET", []any{"127.0.0.1", tcp.(*net.TCPAddr).Port}},
		{"AF_INET", []any{"192.0.2.1", 443}},      // TEST-NET-1, RFC 5737
		{"AF_INET", []any{"169.254.169.254", 80}}, // where clouds serve credentials
		{"AF_INET6", []any{"2001:db8::1", 443}},   // RFC 3849
		{"AF_UNIX", listenAbstract(t, "hotcell-"+rand.Text(), &reached)},
	}
	var report NetworkReport
	newTrial(t, h, Behaviour{Name: Network, Targets: targets}).report(&report)
	require.Equal(t, []string{"lo"}, report.Interfaces)
	require.False(t, report.LoopbackUp && !h.LoopbackUp, "the loopback interface is up")
	require.Len(t, report.Attempts, len(targets))
	for i, refusal := range report.Attempts {
		require.NotEmpty(t, refusal, "%v answered", targets[i])
	}
	require.Zero(t, reached.Load(), "a connection reached the host")
}

// listen counts connections until the end of the test.
func listen(t *testing.T, network, address string, reached *atomic.Int64) net.Addr {
	t.Helper()
	listener, err := net.Listen(network, address)
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			reached.Add(1)
			connection.Close()
		}
	}()
	t.Cleanup(func() {
		listener.Close()
		<-done
	})
	return listener.Addr()
}

func sandboxesAreApart(t *testing.T, h Harness) {
	engine := h.New(t)
	secret := map[string]string{"/tmp/secret": "s", "/output/secret": "s"}
	first := newTrialOn(t, h, engine, Behaviour{Name: WriteFiles, Files: secret}).converse()
	first.expect("written")
	for _, dir := range []string{container.ScratchDir, container.OutputDir} {
		var report ReadReport
		newTrialOn(t, h, engine, Behaviour{Name: ListDirectory, Path: dir}).report(&report)
		require.Equal(t, ReadReport{Names: []string{}}, report, dir)
	}
	var identity Identity
	newTrialOn(t, h, engine, Behaviour{Name: ReportIdentity, Path: "/dev"}).report(&identity)
	require.ElementsMatch(t, append(slices.Clone(h.Besides), identity.PID), identity.Processes)
	requireCleanEnd(t, first.finish())
}
