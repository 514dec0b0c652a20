//go:build linux

package cgroup

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	systemd "github.com/coreos/go-systemd/v22/dbus"
	"github.com/godbus/dbus/v5"
)

const (
	// slice is above all scopes and slices of ours; an administrator may limit it.
	slice = "hotcell.slice"
	// systemdTimeout bounds one job of systemd's, which takes milliseconds unless
	// the machine is overloaded.
	systemdTimeout = 30 * time.Second
	// systemdDir exists where systemd is the first process (sd_booted(3)).
	systemdDir = "/run/systemd/system"
	// anchorLeaf is the anchor's group in its scope.
	anchorLeaf = "anchor"
)

// systemdRuns wants it to be this pid namespace's first process, too: in a container
// that is given the host's sockets it would take our numbers for its own, and move
// another's process.
func systemdRuns() bool {
	name, err := os.ReadFile("/proc/1/comm")
	if err != nil || strings.TrimSpace(string(name)) != "systemd" {
		return false
	}
	_, err = os.Lstat(systemdDir)
	return err == nil
}

// withSystemd calls action with a connection to the system's manager, at its own socket,
// which is below a directory of root's and is root's alone to use. On the system's bus
// anybody may send a signal that looks like systemd's, and the library does not ask who
// sent that a job has ended.
func withSystemd(ctx context.Context, action func(context.Context, *systemd.Conn) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, systemdTimeout, errors.New("systemd does not answer"))
	defer cancel()
	connection, err := systemd.NewSystemdConnectionContext(ctx)
	if err != nil {
		return fmt.Errorf("ask systemd for a control group: %w: it manages them here, so that its socket must be reached (/run/systemd/private, as root)", err)
	}
	defer connection.Close()
	return action(ctx, connection)
}

// await waits for the end of a job of systemd's that start began.
func await(ctx context.Context, start func(chan<- string) (int, error)) error {
	ended := make(chan string, 1)
	if _, err := start(ended); err != nil {
		return err
	}
	select {
	case result := <-ended:
		if result != "done" {
			return fmt.Errorf("systemd's answer is %q", result)
		}
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// startScope makes a scope of this process's own and settles in it. A scope lives
// as long as a process in it. This process stays where it belongs, in its session or
// service, and the sandboxes come and go: so the scope has an anchor, a process that
// waits for the end of a pipe of which this process has the other end, and that is
// all. The kernel closes it, however this process ends, and the anchor ends, the
// scope with it, unless a sandbox lives on: that is left for Sweep.
func startScope(ctx context.Context) (_ *Place, err error) {
	anchor, err := startAnchor()
	if err != nil {
		return nil, fmt.Errorf("start the anchor of a scope: %w", err)
	}
	defer func() {
		if err != nil {
			anchor.end()
		}
	}()
	name := fmt.Sprintf("hotcell-%d-%s.scope", os.Getpid(), strings.ToLower(rand.Text()[:8]))
	path := filepath.Join("/", slice, name)
	err = withSystemd(ctx, func(ctx context.Context, connection *systemd.Conn) error {
		properties := []systemd.Property{
			systemd.PropDescription("Hotcell's sandboxes"),
			systemd.PropSlice(slice),
			systemd.PropPids(uint32(anchor.command.Process.Pid)),
			property("Delegate", true),
			// A sandbox's limit is its own; the default is a share of the machine's.
			property("TasksMax", uint64(math.MaxUint64)),
			property("CollectMode", "inactive-or-failed"),
		}
		if err := await(ctx, func(ended chan<- string) (int, error) {
			return connection.StartTransientUnitContext(ctx, name, "fail", properties, ended)
		}); err != nil {
			return fmt.Errorf("start %s: %w", name, err)
		}
		return requireGroup(ctx, connection, path, "Scope")
	})
	if err != nil {
		return nil, err
	}
	return &Place{Path: path, By: ByScope, anchor: anchor}, settleScope(mountpoint, path, anchor.command.Process.Pid)
}

func property(name string, value any) systemd.Property {
	return systemd.Property{Name: name, Value: dbus.MakeVariant(value)}
}

// requireGroup wants a unit's group to be where systemd has its slice.
func requireGroup(ctx context.Context, connection *systemd.Conn, path, kind string) error {
	unit := filepath.Base(path)
	found, err := connection.GetUnitTypePropertyContext(ctx, unit, kind, "ControlGroup")
	if err != nil {
		return fmt.Errorf("ask for the control group of %s: %w", unit, err)
	}
	return requirePath(path, found.Value)
}

func requirePath(path string, answer dbus.Variant) error {
	if got, ok := answer.Value().(string); !ok || got != path {
		return fmt.Errorf("systemd says that %s is in control group %v instead of %s", filepath.Base(path), answer, path)
	}
	return nil
}

// settleScope moves the anchor into a leaf, so that the scope's children can have
// limits.
func settleScope(root, path string, anchor int) error {
	if err := requireOurs(root, path, os.Geteuid()); err != nil {
		return err
	}
	dir := filepath.Join(root, path)
	lacking, err := missing(dir, "cgroup.controllers")
	if err != nil {
		return err
	}
	if len(lacking) > 0 {
		return fmt.Errorf("systemd delegates %s without %s", path, strings.Join(lacking, ", "))
	}
	leaf := filepath.Join(dir, anchorLeaf)
	if err := makeGroup(leaf); err != nil {
		return err
	}
	if err := moveTo(leaf, anchor); err != nil {
		return err
	}
	return enable(dir)
}

// anchor is a process that ends when the rope's last end is closed.
type anchor struct {
	command *exec.Cmd
	rope    *os.File
}

// end does not rely on the rope: a process that somebody stopped would not see it go.
func (a *anchor) end() {
	_ = a.command.Process.Kill() // it has ended with its scope, mostly
	_ = a.command.Wait()
	a.rope.Close()
}

// startAnchor gives it a session of its own: a terminal's Ctrl-C is not for it.
func startAnchor() (*anchor, error) {
	path, err := exec.LookPath("cat")
	if err != nil {
		return nil, err
	}
	reader, rope, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	//nolint:noctx // it ends with the pipe, and must outlive the context of whoever asks first
	command := exec.Command(path)
	command.Env, command.Dir = []string{}, "/"
	command.Stdin = reader
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := command.Start(); err != nil {
		rope.Close()
		return nil, err
	}
	return &anchor{command, rope}, nil
}

func ignoreMissing(err error) error {
	var answer dbus.Error
	if errors.As(err, &answer) && answer.Name == "org.freedesktop.systemd1.NoSuchUnit" {
		return nil
	}
	return err
}
