//go:build linux

package oci

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"hotcell/internal/container"
)

// fork is how a sandbox's guard comes from a template: see the guard's own _fork.py for
// the other side. All that it says is one byte at a time, and which process says it the
// kernel tells (SCM_CREDENTIALS): it could name another only with a capability over this
// process's own pid namespace.
type fork struct {
	template *template
	control  *net.UnixConn
	user     *os.File // the user namespace that the fork has made
}

// forkTime bounds the making of a sandbox from a template, which takes some 50 ms.
const forkTime = 10 * time.Second

// graceTime is how long a fork may still take that nobody waits for any more.
const graceTime = time.Second

// Create implements container.Template.
func (t *template) Create(ctx context.Context, id container.ID) (container.PreparedSandbox, error) {
	made, err := container.CreateAs(ctx, t.engine.opening, id, t.spec, func(life *container.Lifecycle) (*prepared, error) {
		return t.create(ctx, life)
	})
	if err != nil {
		return nil, err // and not a sandbox that is none
	}
	return made, nil
}

func (t *template) create(ctx context.Context, life *container.Lifecycle) (made *prepared, err error) {
	host, from, err := t.engine.admit(ctx, t.spec)
	if err != nil {
		return nil, err
	}
	if err := t.takeTurn(ctx); err != nil {
		return nil, err
	}
	returned := false
	defer func() {
		if !returned { // in a panic, of which nobody knows how far it has come
			err = t.kill()
		}
		err = errors.Join(err, t.endTurn(ctx, made != nil))
	}()
	made, err = t.createInTurn(ctx, life, host, from)
	returned = true
	return made, err
}

// errSlow ends a template as what it holds too much of does: others wait for it.
var errSlow = fmt.Errorf("the sandbox was not made from its template within %s", forkTime)

func (t *template) createInTurn(ctx context.Context, life *container.Lifecycle, host *discovery, from sources) (*prepared, error) {
	s, err := t.engine.claim(ctx, life, t.spec, host)
	if err != nil {
		return nil, err
	}
	s.origin = &fork{template: t}
	whole, cancel := context.WithTimeoutCause(ctx, forkTime, errSlow)
	defer cancel()
	err = s.build(whole, from)
	if err == nil {
		err = s.endFork(whole)
	}
	if err != nil {
		releaseCtx, cancel := container.ReleaseContext(ctx)
		defer cancel()
		err = errors.Join(err, s.Destroy(releaseCtx))
		if errors.Is(err, errSlow) {
			err = errors.Join(err, t.kill())
		}
		return nil, err
	}
	return &prepared{s}, nil
}

// beginFork has the template fork, and maps the ids of the user namespace that the fork
// makes. It does nothing for a sandbox that is not forked.
func (s *sandbox) beginFork(ctx context.Context) error {
	f := s.origin
	if f == nil {
		return nil
	}
	theirs, err := f.open()
	if err != nil {
		return err
	}
	err = f.template.demand(s.pipes.in.read, s.pipes.out.write, s.pipes.err.write, theirs)
	if err = errors.Join(err, theirs.Close(), s.pipes.closeGiven()); err != nil {
		return err
	}
	envoy, err := f.hear(ctx, 'U')
	if err != nil {
		return err
	}
	return s.mapIDs(envoy)
}

// outlast returns a context that ends so much later than ctx.
func outlast(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	later, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(grace):
			cancel(context.Cause(ctx))
		case <-later.Done():
		}
	})
	return later, func() { stop(); cancel(nil) }
}

// open makes the fork's own socket, and returns its other end.
func (f *fork) open() (theirs *os.File, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("make a fork's socket: %w", err)
	}
	ours := os.NewFile(uintptr(pair[0]), "fork")
	theirs = os.NewFile(uintptr(pair[1]), "fork")
	defer ours.Close()
	err = errors.Join(unix.SetsockoptInt(pair[0], unix.SOL_SOCKET, unix.SO_PASSCRED, 1), unix.SetNonblock(pair[1], false))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a fork's socket: %w", err), theirs.Close())
	}
	connection, err := net.FileConn(ours)
	if err != nil {
		return nil, errors.Join(err, theirs.Close())
	}
	f.control = connection.(*net.UnixConn)
	return theirs, nil
}

// hear waits for the byte, and returns the process that sent it.
func (f *fork) hear(ctx context.Context, want byte) (pid int, err error) {
	stop := context.AfterFunc(ctx, func() { _ = f.control.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	words, control := make([]byte, 512), make([]byte, unix.CmsgSpace(unix.SizeofUcred))
	n, size, _, _, err := f.control.ReadMsgUnix(words, control)
	switch {
	case ctx.Err() != nil:
		return 0, context.Cause(ctx)
	case err != nil:
		return 0, f.template.stderr.Explain(fmt.Errorf("wait for the fork: %w", err))
	case n > 1 && words[0] == '!':
		return 0, fmt.Errorf("the fork failed: %.300q", words[1:n])
	case n != 1 || words[0] != want:
		return 0, f.template.stderr.Explain(fmt.Errorf("the fork said %.40q where %q was due", words[:n], want))
	}
	return sender(control[:size])
}

// sender reads SCM_CREDENTIALS.
func sender(control []byte) (pid int, err error) {
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil {
		return 0, fmt.Errorf("read who the fork is: %w", err)
	}
	for _, message := range messages {
		if credentials, err := unix.ParseUnixCredentials(&message); err == nil && credentials.Pid > 1 {
			return int(credentials.Pid), nil
		}
	}
	return 0, errors.New("the kernel does not tell who the fork is")
}

// mapIDs gives the envoy's user namespace the ids of every sandbox. A pidfd keeps its
// number from being another process's meanwhile.
func (s *sandbox) mapIDs(envoy int) (err error) {
	process, err := s.origin.openSender(envoy) // not ours; merely held
	if err != nil {
		return err
	}
	defer process.handle.Close()
	if s.origin.user, err = os.Open(fmt.Sprintf("/proc/%d/ns/user", envoy)); err != nil {
		return err
	}
	ids := s.paths.UserNamespace
	mapping := fmt.Sprintf("0 %d %d\n", ids.First, ids.Count)
	for _, name := range []string{"uid_map", "gid_map"} {
		file, err := os.OpenFile(fmt.Sprintf("/proc/%d/%s", envoy, name), os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		if err = process.requireThere(); err == nil {
			_, err = file.WriteString(mapping)
		}
		if err = errors.Join(err, file.Close()); err != nil {
			return fmt.Errorf("map the ids of the fork: %w", err)
		}
	}
	s.paths.UserNamespacePath = fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), s.origin.user.Fd())
	return nil
}

// namespaceNames are in the order in which the fork enters them.
func namespaceNames() []string { return []string{"mnt", "pid", "net", "ipc", "uts", "cgroup"} }

// endFork brings the fork into the sandbox, which the runtime has made and which has been
// verified, and waits until it is prepared there. What then holds the fork is verified as
// of any guard, while neither it nor the template runs.
//
// From the moment in which a fork may be in the sandbox until it is known, it outlasts ctx by
// graceTime: a process that nobody waits for would keep the pid namespace from ending.
func (s *sandbox) endFork(ctx context.Context) error {
	f := s.origin
	defer f.close()
	if err := s.sendNamespaces(); err != nil {
		return err
	}
	known, cancelKnown := outlast(ctx, graceTime)
	defer cancelKnown()
	pid, err := f.hear(known, 'E')
	if err != nil {
		return err
	}
	guard, err := f.openSender(pid)
	if err != nil {
		return err
	}
	if err := s.adoptFork(known, guard); err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	limits, err := s.encodedLimits()
	if err != nil {
		return err
	}
	if _, err := f.control.Write(append([]byte{'G'}, limits...)); err != nil {
		return fmt.Errorf("let the fork go on: %w", err)
	}
	if err := f.template.untilPrepared(ctx, s.pipes.out.read); err != nil {
		return s.explainFork(err)
	}
	if err := f.template.requireAlone(ctx, func() error {
		return s.verify(slices.Concat(idleChecks(), startedChecks(), forkChecks()))
	}, s.group); err != nil {
		return err
	}
	s.setupCPU, err = s.group.CPUTime()
	return err
}

// explainFork adds why a fork has failed, if it still said so.
func (s *sandbox) explainFork(err error) error {
	_ = s.origin.control.SetReadDeadline(time.Now().Add(time.Second))
	words := make([]byte, 512)
	if n, _ := s.origin.control.Read(words); n > 0 {
		return fmt.Errorf("%w: %.300q", err, words[:n])
	}
	return err
}

// close lets go of the fork, which ends if it has not been told to go on. Idempotent.
func (f *fork) close() {
	if f.control != nil {
		f.control.Close()
	}
	if f.user != nil {
		f.user.Close()
	}
}

func (s *sandbox) sendNamespaces() error {
	var handles []int
	for _, name := range namespaceNames() {
		file, err := os.Open(fmt.Sprintf("/proc/%d/ns/%s", s.anchor.pid, name))
		if err != nil {
			return err
		}
		defer file.Close()
		handles = append(handles, int(file.Fd()))
	}
	if _, _, err := s.origin.control.WriteMsgUnix([]byte{'G'}, unix.UnixRights(handles...), nil); err != nil {
		return fmt.Errorf("send the fork its namespaces: %w", err)
	}
	return nil
}

// encodedLimits are the resource limits that the fork sets itself, as the runtime does:
// of each the kernel's number, soft and hard.
func (s *sandbox) encodedLimits() ([]byte, error) {
	config, err := s.config()
	if err != nil {
		return nil, err
	}
	var encoded []byte
	for _, one := range config.Process.Rlimits {
		encoded = binary.NativeEndian.AppendUint64(encoded, uint64(limits()[one.Type].number))
		encoded = binary.NativeEndian.AppendUint64(encoded, one.Soft)
		encoded = binary.NativeEndian.AppendUint64(encoded, one.Hard)
	}
	return encoded, nil
}
