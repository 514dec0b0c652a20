//go:build linux

package cgroup

import (
	"context"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	systemd "github.com/coreos/go-systemd/v22/dbus"
	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
)

// An administrator may stop a scope, or all of them with their slice, under a runner that
// goes on.
func TestAnotherPlaceIsFoundWhenAScopeIsStopped(t *testing.T) {
	place := scopeOrSkip(t)
	require.NoError(t, exec.Command("systemctl", "stop", filepath.Base(place.Path)).Run())
	_, err := Create(place.Path+"/test", container.Resources(limits()))
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = Load(place.Path)
	require.ErrorIs(t, err, ErrNotFound, "it was made behind systemd's back")
	next, err := Home(t.Context())
	require.NoError(t, err)
	require.NotEqual(t, place.Path, next.Path)
	newGroup(t, limits())
}

func scopeOrSkip(t *testing.T) *Place {
	t.Helper()
	requireRoot(t)
	place, err := Home(t.Context())
	require.NoError(t, err)
	if place.By != ByScope {
		t.Skip("this process's place is no scope of systemd's")
	}
	return place
}

func TestAnAnchorThatIsStoppedIsEnded(t *testing.T) {
	anchor, err := startAnchor()
	require.NoError(t, err)
	require.NoError(t, anchor.command.Process.Signal(unix.SIGSTOP))
	anchor.end()
	require.ErrorIs(t, anchor.command.Process.Signal(unix.Signal(0)), os.ErrProcessDone)
}

// root asks the host's systemd, whatever bus a user's environment names (sudo -E): what
// answers there could lead the sandboxes into a group of that user's.
func TestTheEnvironmentNamesNoBus(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "bus")
	listener, err := net.Listen("unix", socket)
	require.NoError(t, err)
	asked := make(chan int)
	go func() {
		count := 0
		for {
			connection, err := listener.Accept()
			if err != nil {
				asked <- count
				return
			}
			count++
			connection.Close()
		}
	}()
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path="+socket)
	_ = withSystemd(t.Context(), func(context.Context, *systemd.Conn) error { return nil }) // few hosts have one
	require.NoError(t, listener.Close())
	require.Zero(t, <-asked)
}

func TestSystemdIsBelievedOneAnswerOnly(t *testing.T) {
	const want = "/hotcell.slice/hotcell-1-a.scope"
	require.NoError(t, requirePath(want, dbus.MakeVariant(want)))
	for _, answer := range []any{
		"/user.slice/user-1000.slice/hotcell-1-a.scope", "/hotcell.slice/x/../hotcell-1-a.scope", "/hotcell-1-a.scope", "", 7,
	} {
		require.ErrorContains(t, requirePath(want, dbus.MakeVariant(answer)), "instead of "+want, answer)
	}
}

// Whatever led there: what another user owns is not written.
func TestAScopeOfAnothersIsNotSettledIn(t *testing.T) {
	requireRoot(t)
	const scope = "/hotcell.slice/hotcell-1-a.scope"
	root := fakeTree{groups: map[string]string{"/": "", "/hotcell.slice": "", scope: ""}}.around(t, "/").root
	leaf := filepath.Join(root, scope, anchorLeaf)
	require.NoError(t, os.Mkdir(leaf, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(leaf, "cgroup.procs"), nil, 0o600))
	for _, path := range []string{"/", "/hotcell.slice", scope} {
		require.NoError(t, os.Chown(filepath.Join(root, path), 1000, 1000))
		require.ErrorContains(t, settleScope(root, scope, 7), "belongs to user 1000")
		content, err := os.ReadFile(filepath.Join(leaf, "cgroup.procs"))
		require.NoError(t, err)
		require.Empty(t, content)
		require.NoError(t, os.Chown(filepath.Join(root, path), 0, 0))
	}
	require.NoError(t, settleScope(root, scope, 7))
}
