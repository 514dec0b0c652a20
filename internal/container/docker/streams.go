package docker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"

	"github.com/moby/moby/api/pkg/stdcopy"
	"github.com/moby/moby/client"

	"hotcell/internal/container"
	"hotcell/internal/panics"
)

// attachment carries the three streams of a container over one connection.
type attachment struct {
	conn client.HijackedResponse
	// failed gets the first error of a Write or of Stdin's Read: the sandbox is to
	// be killed.
	failed chan error
	// drained is closed at the end of the output stream; fault then says why it
	// was not orderly.
	drained chan struct{}
	fault   error
}

// attach connects before the container starts, so that no byte is missed.
func (s *sandbox) attach(ctx context.Context) (*attachment, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	answer, err := s.engine.api.ContainerAttach(ctx, s.containerID, client.ContainerAttachOptions{
		Stream: true, Stdin: true, Stdout: true, Stderr: true,
	})
	if err != nil {
		return nil, fmt.Errorf("attach to container: %w", err)
	}
	return &attachment{
		conn:    answer.HijackedResponse,
		failed:  make(chan error, 5), // stdin, stdout, stderr, the stream of both, what hands it on: no sender waits
		drained: make(chan struct{}),
	}, nil
}

// receive copies what the container writes until its end.
func (a *attachment) receive(streams container.Streams) {
	a.receiveInto(a.reporting(streams.Stdout), a.reporting(streams.Stderr))
}

func (a *attachment) reporting(to io.Writer) io.Writer {
	return &reportingWriter{to: to, failed: a.failed}
}

func (a *attachment) receiveInto(stdout, stderr io.Writer) {
	go func() {
		defer close(a.drained)
		a.fault = panics.Catch("reading the container's streams", func() error {
			_, err := stdcopy.StdCopy(stdout, stderr, stream{from: a.conn.Reader, local: isUnix(a.conn.Conn)})
			return err
		})
		if _, broken := errors.AsType[*panics.Error](a.fault); broken {
			a.failed <- a.fault
		}
	}()
}

// stream is what a daemon sends.
type stream struct {
	from  io.Reader
	local bool
}

func isUnix(conn net.Conn) bool { return conn.LocalAddr().Network() == "unix" }

// Read takes a unix socket's reset for its end. Podman closes with the stdin in it that
// nobody has read, which resets; the kernel hands out before it all that was sent.
func (s stream) Read(content []byte) (int, error) {
	size, err := s.from.Read(content)
	if s.local && errors.Is(err, syscall.ECONNRESET) {
		err = io.EOF
	}
	return size, err
}

// send copies stdin until its end or the connection's. Nobody waits for it: Read
// may block for good, and is the caller's to end.
func (a *attachment) send(stdin io.Reader) {
	go func() {
		reader := &reportingReader{from: stdin, failed: a.failed}
		// A sandbox that closes its stdin early is no fault of ours.
		_, _ = io.Copy(a.conn.Conn, reader)
		_ = a.conn.CloseWrite()
	}()
}

// reportingWriter goes on swallowing after an error, so that the sandbox can be
// drained while it is being killed.
type reportingWriter struct {
	to     io.Writer
	failed chan<- error
	broken bool
}

// Write implements io.Writer.
func (w *reportingWriter) Write(content []byte) (int, error) {
	if !w.broken {
		if _, err := w.to.Write(content); err != nil {
			w.broken = true
			w.failed <- nil
		}
	}
	return len(content), nil
}

type reportingReader struct {
	from   io.Reader
	failed chan<- error
}

// Read implements io.Reader.
func (r *reportingReader) Read(content []byte) (int, error) {
	size, err := r.from.Read(content)
	if err != nil && !errors.Is(err, io.EOF) {
		r.failed <- fmt.Errorf("read stdin for the sandbox: %w", err)
	}
	return size, err
}
