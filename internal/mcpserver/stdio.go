package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Serve answers one caller on a pair of streams until the input ends, or ctx: neither is an
// error. Then it ends what it has running: runs that were created without a key, and sessions. Nothing but messages of
// the protocol is written to out.
func (s *Server) Serve(ctx context.Context, backend Backend, in io.Reader, out io.Writer) error {
	held := newHeld()
	written := &lockedWriter{to: out}
	lines := &messages{from: bufio.NewReaderSize(in, maxMessage), answer: written}
	asking := withCaller(ctx, caller{backend: backend, gone: ctx.Done(), held: held})
	served := make(chan error, 1)
	go func() {
		served <- s.mcp.Run(asking, &mcp.IOTransport{Reader: lines, Writer: written, MaxLineLength: maxMessage + 1})
	}()
	var err error
	select {
	case err = <-served:
	case <-ctx.Done():
		// Its answers may have no reader: what is held is ended all the same.
		select {
		case err = <-served:
		case <-time.After(endTime):
		}
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		err = nil
	}
	return errors.Join(err, held.end(ending, backend))
}

// lockedWriter has each message written whole.
type lockedWriter struct {
	mu sync.Mutex
	to io.Writer
}

// Write implements io.Writer.
func (w *lockedWriter) Write(message []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(message)
}

// Close implements io.Closer. The stream is our caller's.
func (w *lockedWriter) Close() error { return nil }

// messages lets only lines through that are messages. The SDK ends the connection at the first
// line that is none, and reads the last of two equal names: here such a line is answered, as
// JSON-RPC has it for a message whose id is not known, and the next one is read.
type messages struct {
	from   *bufio.Reader
	answer io.Writer
	line   []byte // what was let through and not read yet
}

// Read implements io.Reader.
func (m *messages) Read(p []byte) (int, error) {
	for len(m.line) == 0 {
		line, err := m.next()
		if err != nil {
			return 0, err
		}
		m.line = line
	}
	n := copy(p, m.line)
	m.line = m.line[n:]
	return n, nil
}

// Close implements io.Closer. The stream is our caller's.
func (m *messages) Close() error { return nil }

// next is the next line that is let through, or nothing where one was answered or blank.
func (m *messages) next() ([]byte, error) {
	line, err := m.from.ReadSlice('\n')
	var fault string
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = m.from.ReadSlice('\n')
		}
		fault = "the message is too large"
	case len(bytes.TrimSpace(line)) == 0:
		return nil, err
	default:
		fault = faultOf(line)
	}
	if fault != "" {
		if _, writing := m.answer.Write(append(rejection(fault), '\n')); writing != nil {
			return nil, writing
		}
		return nil, dropEOF(err)
	}
	return append(bytes.TrimRight(bytes.Clone(line), "\r\n"), '\n'), dropEOF(err)
}

// dropEOF leaves the end of a stream to the next read: a line came before it.
func dropEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
