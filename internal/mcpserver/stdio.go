package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Serve answers one caller on a pair of streams until the input ends, or ctx: neither is an
// error. Then it ends what it has running: runs that were created without a key, and sessions. Nothing but messages of
// the protocol is written to out.
func (s *Server) Serve(ctx context.Context, backend Backend, in io.Reader, out io.Writer) error {
	held, pace := newHeld(), newPace()
	written := &lockedWriter{to: out, pace: pace}
	lines := &messages{from: bufio.NewReaderSize(in, maxMessage), answer: written, pace: pace, ended: make(chan struct{})}
	asking := withCaller(ctx, caller{backend: backend, gone: ctx.Done(), held: held})
	served := make(chan error, 1)
	go func() {
		served <- s.mcp.Run(asking, &mcp.IOTransport{Reader: lines, Writer: written, MaxLineLength: maxMessage + 1})
	}()
	err := endOf(ctx, served, lines.ended)
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		err = nil
	}
	return errors.Join(err, held.end(ending, backend))
}

// endOf waits until a conversation is over. When its input or its context has ended, its answers may
// have no reader: what is held is ended all the same.
func endOf(ctx context.Context, served <-chan error, ended <-chan struct{}) error {
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	case <-ended:
	}
	select {
	case err := <-served:
		return err
	case <-time.After(endTime):
		return nil
	}
}

// maxAhead is how many messages are read while one answer waits for its reader, and deafTime how
// long it is waited for then: whoever reads none is as good as gone.
const (
	maxAhead = 64
	deafTime = time.Minute
)

// pace has a client wait that asks and does not read: its answers would be kept.
type pace struct {
	mu      sync.Mutex
	goes    sync.Cond
	writing bool
	deaf    bool
	ahead   int // messages that were read since that writing began
}

func newPace() *pace {
	p := &pace{}
	p.goes.L = &p.mu
	return p
}

// write is around one.
func (p *pace) write(do func()) {
	p.set(true)
	defer p.set(false)
	do()
}

func (p *pace) set(writing bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writing, p.ahead = writing, 0
	p.goes.Broadcast()
}

// read waits until one more may be read, and is io.EOF where none will be.
func (p *pace) read() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.writing && p.ahead >= maxAhead {
		defer time.AfterFunc(deafTime, p.giveUp).Stop()
	}
	for p.writing && p.ahead >= maxAhead && !p.deaf {
		p.goes.Wait()
	}
	if p.deaf {
		return io.EOF
	}
	p.ahead++
	return nil
}

func (p *pace) giveUp() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deaf = true
	p.goes.Broadcast()
}

// lockedWriter has each message written whole.
type lockedWriter struct {
	pace *pace
	mu   sync.Mutex
	to   io.Writer
}

// Write implements io.Writer.
func (w *lockedWriter) Write(message []byte) (written int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pace.write(func() { written, err = w.to.Write(message) })
	return written, err
}

// Close implements io.Closer. The stream is our caller's.
func (w *lockedWriter) Close() error { return nil }

// messages lets only lines through that are messages. The SDK ends the connection at the first
// line that is none, and reads the last of two equal names: here such a line is answered, as
// JSON-RPC has it, and the next one is read.
type messages struct {
	from   *bufio.Reader
	answer io.Writer
	pace   *pace
	ended  chan struct{} // closed when the input is over
	once   sync.Once
	line   []byte // what was let through and not read yet
}

// Read implements io.Reader.
func (m *messages) Read(p []byte) (int, error) {
	for len(m.line) == 0 {
		err := m.pace.read()
		var line []byte
		if err == nil {
			line, err = m.next()
		}
		if err != nil {
			m.once.Do(func() { close(m.ended) })
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
	var wrong []denial
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = m.from.ReadSlice('\n')
		}
		wrong = []denial{{code: jsonrpc.CodeInvalidRequest, text: "the message is too large"}}
	case len(bytes.TrimSpace(line)) == 0:
		return nil, err
	default:
		wrong = judge(line)
	}
	if wrong != nil {
		if _, writing := m.answer.Write(append(rejection(wrong), '\n')); writing != nil {
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
