//go:build linux

package oci

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
)

// entered is a sandbox with an anchor, which a fork from a template may enter.
func entered(t *testing.T) *sandbox {
	t.Helper()
	requireUsable(t, "crun")
	first := startIdle(t, unix.CLONE_NEWPID)
	process := opened(t, first.Pid)
	namespace, err := os.Readlink(pidNamespaceOf(first.Pid))
	require.NoError(t, err)
	return &sandbox{
		anchor: &anchor{process}, guard: &guardProcess{process}, pidNamespace: namespace, logger: slog.New(slog.DiscardHandler),
		origin: &fork{template: &template{box: &sandbox{group: ownGroup(t)}}},
	}
}

func (s *sandbox) endSoon(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // and not until sleep ends by itself
	defer cancel()
	require.NoError(t, s.endAnchor(ctx))
}

func TestAForkThatNobodyWaitsForDoesNotKeepItsSandboxFromEnding(t *testing.T) {
	s := entered(t)
	require.NoError(t, onThread(func() error {
		namespace, err := os.Open(pidNamespaceOf(s.anchor.pid))
		if err != nil {
			return err
		}
		defer namespace.Close()
		if err := unix.Setns(int(namespace.Fd()), unix.CLONE_NEWPID); err != nil {
			return err
		}
		_, err = os.StartProcess("/bin/sleep", []string{"sleep", "100"}, &os.ProcAttr{})
		return err
	}))
	s.endSoon(t)
}

func TestAParentThatDoesNotWaitDoesNotKeepTheSandboxFromEnding(t *testing.T) {
	s := entered(t)
	enter := "--pid=" + pidNamespaceOf(s.anchor.pid)
	parent := exec.Command("nsenter", "--no-fork", enter, "sh", "-c", "sleep 100 & echo begun; exec sleep 101")
	said, err := parent.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, parent.Start())
	defer func() { _ = parent.Process.Kill(); _ = parent.Wait() }()
	_, err = said.Read(make([]byte, 6))
	require.NoError(t, err)
	require.NoError(t, s.origin.template.box.group.AddProc(parent.Process.Pid))
	s.endSoon(t)
}

func TestATemplateLeavesNoneOfItsDeadBehind(t *testing.T) {
	requireUsable(t, "crun")
	user, err := templateUser(container.NewID())
	require.NoError(t, err)
	pids := map[uint32]int{}
	for _, each := range []uint32{user, container.DefaultIDRange().First, user + 1, 1} {
		process, err := os.StartProcess("/bin/true", []string{"true"}, &os.ProcAttr{
			Sys: &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: each, Gid: each}},
		})
		require.NoError(t, err)
		pids[each] = process.Pid
		require.Eventually(t, func() bool {
			fields, err := (&child{pid: process.Pid}).procStatus()
			return err == nil && fields["State"][:1] == "Z"
		}, time.Minute, time.Millisecond)
	}
	require.NoError(t, (&sandbox{template: &templateParts{user: user}}).reapForked())
	for each, pid := range pids {
		_, err := unix.Wait4(pid, nil, unix.WNOHANG, nil)
		if each == user || each == container.DefaultIDRange().First {
			require.ErrorIs(t, err, unix.ECHILD, "user %d", each)
		} else {
			require.NoError(t, err, "it is somebody else's: %d", each)
		}
	}
}
