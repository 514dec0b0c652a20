//go:build linux

package oci

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"hotcell/internal/container"
)

// pipes are a sandbox's three streams. Only these descriptors go into it: every
// other one of this process is O_CLOEXEC.
type pipes struct {
	in, out, err pipe
	idle         pipe          // of a sandbox's first process that is not the guard
	control      *net.UnixConn // a template's, in the place of in
	command      *exec.Cmd     // the runtime's, which made the container
}

type pipe struct{ read, write *os.File }

// newPipes makes three pipes, the first of them a socket for a template.
func newPipes(forTemplate bool) (*pipes, error) {
	p := &pipes{}
	if forTemplate {
		return p.withSocket()
	}
	return p.make(&p.in, &p.out, &p.err, &p.idle)
}

// withSocket makes a socket, through which descriptors can be sent, and two pipes.
func (p *pipes) withSocket() (*pipes, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("make socket: %w", err)
	}
	p.in.read = os.NewFile(uintptr(pair[1]), "template")
	ours := os.NewFile(uintptr(pair[0]), "template")
	defer ours.Close()
	connection, err := net.FileConn(ours)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make socket: %w", err), p.Close())
	}
	p.control = connection.(*net.UnixConn)
	return p.make(&p.out, &p.err)
}

func (p *pipes) make(wanted ...*pipe) (*pipes, error) {
	for _, each := range wanted {
		var err error
		if each.read, each.write, err = os.Pipe(); err != nil {
			return nil, errors.Join(fmt.Errorf("make pipes: %w", err), p.Close())
		}
	}
	return p, nil
}

// attach makes the pipes the streams of the runtime's process, and thereby the
// container's.
func (p *pipes) attach(command *exec.Cmd, forked bool) {
	p.command = command
	if forked {
		// Not /dev/null, which exec would open: runtimes make the sandbox's user the owner of
		// what they find there, and it is the host's.
		command.Stdin, command.Stdout, command.Stderr = p.idle.read, p.idle.write, p.idle.write
		return
	}
	command.Stdin, command.Stdout, command.Stderr = p.in.read, p.out.write, p.err.write
}

// closeGiven closes the container's ends here, so that the end of the container is
// the end of the streams.
func (p *pipes) closeGiven() error {
	return closeAll(p.in.read, p.out.write, p.err.write)
}

// Close closes both ends of all three. Idempotent.
func (p *pipes) Close() error {
	var fault error
	if p.control != nil {
		if err := p.control.Close(); !errors.Is(err, net.ErrClosed) {
			fault = err
		}
	}
	return errors.Join(fault, p.closeFiles())
}

func (p *pipes) closeFiles() error {
	return closeAll(p.idle.read, p.idle.write, p.in.read, p.in.write, p.out.read, p.out.write, p.err.read, p.err.write)
}

func closeAll(files ...*os.File) error {
	var faults []error
	for _, file := range files {
		if file == nil {
			continue
		}
		if err := file.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

const (
	chunkBytes = 64 << 10 // a pipe's capacity
	// drainPatience is how long a pipe may be waited for, all in all, after the last
	// process that could hold it has died: what is in it then is there at once.
	drainPatience = 5 * time.Second
)

// flow moves the bytes of one run.
type flow struct {
	pipes   *pipes
	streams container.Streams
	// failed gets nil for a Write that failed, which is a reason to kill, and an
	// error when Stdin failed, which is our fault.
	failed   chan error
	dead     atomic.Bool
	drains   sync.WaitGroup
	mu       sync.Mutex
	leftOpen error // a pipe that did not end with the sandbox
}

// connect begins to drain stdout and stderr.
func (p *pipes) connect(streams container.Streams) *flow {
	f := &flow{pipes: p, streams: streams, failed: make(chan error, 3)}
	f.drains.Go(func() { f.drain(p.out.read, streams.Stdout, "stdout") })
	f.drains.Go(func() { f.drain(p.err.read, streams.Stderr, "stderr") })
	return f
}

// feed copies stdin in the background. Its goroutine ends with the sandbox, or
// when a Read that blocks longer than that returns.
func (f *flow) feed() {
	go func() {
		defer f.pipes.in.write.Close()
		buffer := make([]byte, chunkBytes)
		for {
			n, err := f.streams.Stdin.Read(buffer)
			if _, err := f.pipes.in.write.Write(buffer[:n]); err != nil {
				return // the guard has closed its end or has ended, as it may
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				f.failed <- fmt.Errorf("read stdin: %w", err)
				return
			}
		}
	}()
}

func (f *flow) drain(from *os.File, to io.Writer, name string) {
	buffer, left := make([]byte, chunkBytes), drainPatience
	for {
		dead, begun := f.dead.Load(), time.Now()
		if dead {
			// Anew each time, for a slow Write takes none of it.
			if err := from.SetReadDeadline(begun.Add(left)); err != nil {
				f.failed <- fmt.Errorf("drain %s: %w", name, err)
				return
			}
		}
		n, err := from.Read(buffer)
		if dead {
			left -= time.Since(begun)
		}
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				f.failed <- nil
				return
			}
		}
		if err != nil {
			f.closed(name, err)
			return
		}
	}
}

func (f *flow) closed(name string, err error) {
	if errors.Is(err, io.EOF) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.leftOpen = errors.Join(f.leftOpen, fmt.Errorf("drain %s: %w", name, err))
}

// finish is called when every process of the sandbox is dead. It returns after
// the last Write.
func (f *flow) finish() error {
	f.dead.Store(true)
	deadline := time.Now().Add(drainPatience)
	faults := errors.Join(
		f.pipes.in.write.SetDeadline(deadline), // a Write that blocks: nobody reads any more
		f.pipes.out.read.SetReadDeadline(deadline), f.pipes.err.read.SetReadDeadline(deadline))
	f.drains.Wait()
	err := errors.Join(f.leftOpen, f.pipes.Close())
	if err != nil {
		return errors.Join(faults, err)
	}
	return nil
}
