//go:build linux

package oci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
)

var _ container.Warmer = (*Engine)(nil)

// template is a container in which a guard has prepared, and forks. It never runs a
// script. Whoever might have taken it over, by way of the data that it has read, is a user
// of the host without rights, in namespaces of its own but for those of users and pids:
// so the host believes nothing of what it says, and looks at the kernel's account of
// whatever came from it.
type template struct {
	engine      *Engine
	box         *sandbox
	spec        container.Spec
	preparation container.Preparation
	control     *net.UnixConn

	holds     holdings      // while it waits
	turn      chan struct{} // full while a sandbox is being made from it
	stderr    container.LastWords
	listening sync.WaitGroup // to stderr, until its pipe is closed
}

// templateParts are what distinguishes a template's container from a sandbox.
type templateParts struct {
	user    uint32
	seccomp *specs.LinuxSeccomp
}

// firstTemplateUser lies above the ids of sandboxes, DefaultIDRange, and below 2³¹.
const firstTemplateUser = 0x70010000

// templateUser is a user of the host that no other template is likely to be, so that
// none can send another a signal: one of 2²⁴, by the first digits of its random id.
func templateUser(id container.ID) (uint32, error) {
	const digits = 6
	offset, err := strconv.ParseUint(fmt.Sprintf("%.*s", digits, id), 16, 4*digits)
	if err != nil {
		return 0, fmt.Errorf("choose the template's user: %w", err)
	}
	return firstTemplateUser + uint32(offset), nil
}

// Prepare implements container.Warmer. Nothing is prepared with gVisor, whose guest forks
// into no other, and where ids are not mapped or AppArmor confines the guard.
func (e *Engine) Prepare(ctx context.Context, id container.ID, spec container.Spec, preparation container.Preparation) (container.Template, error) {
	made := &template{engine: e, spec: spec, preparation: preparation, turn: make(chan struct{}, 1)}
	_, err := e.opening.Create(ctx, id, spec, func(life *container.Lifecycle) (container.Sandbox, error) {
		return made.make(ctx, life)
	})
	if err != nil {
		return nil, fmt.Errorf("prepare template: %w", err)
	}
	return made, nil
}

func (t *template) make(ctx context.Context, life *container.Lifecycle) (container.Sandbox, error) {
	host, sources, err := t.engine.admit(ctx, t.spec)
	if err != nil {
		return nil, err
	}
	if err := host.canFork(); err != nil {
		return nil, err
	}
	seccomp, err := t.preparation.Seccomp()
	if err != nil {
		return nil, err
	}
	user, err := templateUser(life.ID())
	if err != nil {
		return nil, err
	}
	if t.box, err = t.engine.claim(ctx, life, t.spec, host); err != nil {
		return nil, err
	}
	t.box.template = &templateParts{user: user, seccomp: seccomp}
	t.box.paths.UserNamespace = nil
	err = t.box.build(ctx, sources)
	if err == nil {
		err = t.begin(ctx)
	}
	if err != nil {
		releaseCtx, cancel := container.ReleaseContext(ctx)
		defer cancel()
		return nil, errors.Join(err, t.Destroy(releaseCtx))
	}
	return t.box, nil
}

// canFork says why this host makes no templates.
func (d *discovery) canFork() error {
	switch {
	case d.name == gVisor:
		return errors.New("gVisor's guest cannot fork into another sandbox")
	case d.userNamespace == nil:
		return errors.New("this host has no user namespaces for sandboxes")
	case d.appArmor != "":
		return errors.New("AppArmor confines the guard here, and its profile cannot be changed after a fork")
	default:
		return cgroup.CanFreeze()
	}
}

// begin has the guard prepare, and waits until it has.
func (t *template) begin(ctx context.Context) error {
	t.control = t.box.pipes.control
	if err := t.box.release(ctx); err != nil {
		return err
	}
	if err := t.takeProcAway(); err != nil {
		return err
	}
	t.box.guard.reap()
	t.listening.Go(func() { _, _ = io.Copy(&t.stderr, t.box.pipes.err.read) }) // until its end, or ours
	ctx, cancel := context.WithTimeoutCause(ctx, container.PrepareTime, fmt.Errorf("it was not prepared within %s", container.PrepareTime))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = t.control.SetWriteDeadline(time.Unix(1, 0)) })
	_, err := t.control.Write(t.preparation.Words)
	switch {
	case !stop():
		err = context.Cause(ctx)
	case err == nil:
		err = t.untilPrepared(ctx, t.box.pipes.out.read)
	}
	if err != nil {
		return t.stderr.Explain(err)
	}
	if err := t.box.guard.collapse(); err != nil {
		t.engine.options.Logger.Debug("some memory of a template stays in small pages", "reason", err)
	}
	return t.beginCensus(ctx)
}

// takeProcAway unmounts /proc, before the template has read anything. What it forks has
// every capability in a user namespace of its own, which the runtime then joins: through
// /proc it could open the memory of the runtime's process (compare CVE-2016-9962). The
// calls for that are denied by its filter.
func (t *template) takeProcAway() error {
	handle, err := os.Open(fmt.Sprintf("/proc/%d/ns/mnt", t.box.guard.pid))
	if err != nil {
		return err
	}
	defer handle.Close()
	return onThread(func() error {
		if err := unix.Unshare(unix.CLONE_FS); err != nil {
			return fmt.Errorf("unshare: %w", err)
		}
		if err := unix.Setns(int(handle.Fd()), unix.CLONE_NEWNS); err != nil {
			return fmt.Errorf("enter the template's mount namespace: %w", err)
		}
		if err := unix.Unmount("/proc", unix.MNT_DETACH|unix.UMOUNT_NOFOLLOW); err != nil {
			return fmt.Errorf("take /proc from the template: %w", err)
		}
		if _, err := os.Lstat("/proc/self"); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("take /proc from the template: it is still there: %w", cmp.Or(err, fs.ErrExist))
		}
		return nil
	})
}

// untilPrepared waits for the guard on the other end of from, or for ctx. The template's
// own socket is not touched: a caller who gives up takes no other's fork along.
func (t *template) untilPrepared(ctx context.Context, from *os.File) error {
	stop := context.AfterFunc(ctx, func() { _ = from.SetReadDeadline(time.Unix(1, 0)) }) // a pipe is pollable
	defer stop()
	err := t.preparation.Await(from)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// Quick implements container.Template: a fork takes milliseconds.
func (t *template) Quick() bool { return true }

// Memory implements container.Template. What forks write counts for their own limits.
func (t *template) Memory() (int64, error) { return t.box.group.Memory() }

// Dead implements container.Template.
func (t *template) Dead() <-chan struct{} { return t.box.guard.reap() }

// Destroy implements container.Template.
func (t *template) Destroy(ctx context.Context) error {
	return t.box.life.Destroy(ctx, func(ctx context.Context) error {
		ended := t.box.endProcesses(ctx)
		t.listening.Wait()
		if err := errors.Join(ended, t.box.endGroup(ctx), t.box.reapForked(), t.box.remove(ctx)); err != nil {
			return err
		}
		return t.box.unlock()
	})
}

// endGroup kills what the template has forked and that has not entered its sandbox: no
// pid namespace ends with the template.
func (s *sandbox) endGroup(ctx context.Context) error {
	if s.group == nil {
		return nil
	}
	return s.group.Kill(ctx)
}

// requireSingle wants the template to have one thread: a fork has the locks of all
// threads, and only one of them goes on.
func (t *template) requireSingle() error {
	count, err := threads(t.box.guard.pid)
	if err != nil {
		return t.stderr.Explain(fmt.Errorf("the template has ended: %w", err))
	}
	if count != 1 {
		return fmt.Errorf("the template has %d threads, and can fork safely with one only: a library that it has imported starts threads", count)
	}
	return nil
}

// demand asks for a fork with these streams and this socket. Only who has the turn does.
func (t *template) demand(files ...*os.File) error {
	if err := t.requireSingle(); err != nil {
		return err
	}
	handles := make([]int, len(files))
	for index, file := range files {
		handles[index] = int(file.Fd())
	}
	// One that was taken over need not read.
	err := t.control.SetWriteDeadline(time.Now().Add(forkTime))
	if err == nil {
		_, _, err = t.control.WriteMsgUnix([]byte{'F'}, unix.UnixRights(handles...), nil)
	}
	if err != nil {
		return t.stderr.Explain(fmt.Errorf("ask the template for a fork: %w", err))
	}
	return nil
}
