package kubernetes

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"sync"
	"time"

	"k8s.io/client-go/tools/remotecommand"

	"hotcell/internal/container"
	"hotcell/internal/panics"
	"hotcell/internal/strictjson"
)

// session is the connection to a pod's keeper, from before the run to its end. It has one
// owner; its methods are not for concurrent use, but for end.
type session struct {
	cancel context.CancelCauseFunc
	to     *io.PipeWriter // the keeper's lines
	report chan report    // one
	begun  chan struct{}
	over   chan struct{} // closed when the sandbox's first process has let go of its pipe
	gone   chan struct{} // closed when the connection has ended
	tar    *io.PipeReader
	into   *io.PipeWriter
	sum    hash.Hash
	bytes  int64

	mu     sync.Mutex
	ending *ending // what the first process said at its end; nil where it could not
	fault  error   // why the connection has ended
}

// words is one thing that the keeper hands on. One of its members is there.
type words struct {
	Report *report `json:"report"`
	Begun  bool    `json:"begun"`
	End    *ending `json:"end"`
	Over   bool    `json:"over"`
}

// figures are what the kernel has counted; -1 is for what it does not count.
type figures struct {
	CPUNanos   int64 `json:"cpu_ns"`
	MemoryPeak int64 `json:"memory_peak"`
	PIDsPeak   int64 `json:"pids_peak"`
	OOMKills   int64 `json:"oom_kills"`
}

// ending is the last word of a sandbox's first process.
type ending struct {
	figures
	By         string `json:"by"`       // what ended it: a clock, the command's end, or "" for the keeper
	SetupNanos int64  `json:"setup_ns"` // used before the run
}

const (
	maxWords = 2 << 20  // bytes; most is the list of mounts
	maxChunk = 64 << 10 // as keeper.py sends
	headSize = 1 + 4    // letter and length
	maxEnd   = 4 << 10  // of the sum at the end
)

func newSession() *session {
	s := &session{
		report: make(chan report, 1), begun: make(chan struct{}), over: make(chan struct{}), gone: make(chan struct{}), sum: sha256.New(),
	}
	s.tar, s.into = io.Pipe()
	return s
}

// converse starts the keeper's program and waits until the sandbox's first process has told
// what it sees. The caller must close the session.
func (e *Engine) converse(ctx context.Context, pod string) (*session, report, error) {
	life, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	lines, to := io.Pipe()
	frames, from := io.Pipe()
	s := newSession()
	s.cancel, s.to = cancel, to
	var last container.LastWords
	go func() {
		err := panics.Catch("speaking to a keeper", func() error {
			code, err := e.exec(life, pod, keeperContainer, python(keeperProgram), remotecommand.StreamOptions{
				Stdin: lines, Stdout: from, Stderr: &last,
			})
			if err == nil {
				err = last.Explain(fmt.Errorf("the keeper has ended with exit code %d", code))
			}
			return err
		})
		_ = from.CloseWithError(err) // never fails
		_ = lines.CloseWithError(err)
	}()
	go func() {
		defer close(s.gone)
		err := panics.Catch("reading a keeper's frames", func() error { return s.read(frames) })
		_ = frames.CloseWithError(err)
		_ = s.into.CloseWithError(errors.Join(errCutOff, err))
		s.mu.Lock()
		defer s.mu.Unlock()
		s.fault = err
	}()
	found, err := s.await(ctx)
	if err != nil {
		s.close()
		return nil, report{}, err
	}
	return s, found, nil
}

var errCutOff = errors.New("the connection to the keeper ended before the output did")

// await waits for the report.
func (s *session) await(ctx context.Context) (report, error) {
	const patience = 2 * time.Minute
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("the sandbox's first process has said nothing for %s", patience))
	defer cancel()
	select {
	case found := <-s.report:
		return found, nil
	case <-s.over:
		if len(s.report) > 0 { // it has said all that it had to
			return <-s.report, nil
		}
		return report{}, errors.New("the sandbox's first process has ended, and has said nothing")
	case <-s.gone:
		return report{}, fmt.Errorf("speak to the pod's keeper: %w", s.lost())
	case <-ctx.Done():
		return report{}, context.Cause(ctx)
	}
}

// lost is why the connection has ended.
func (s *session) lost() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault
}

// read takes frames until there are no more.
func (s *session) read(from io.Reader) error {
	var head [headSize]byte
	for {
		if _, err := io.ReadFull(from, head[:]); err != nil {
			return err
		}
		letter, size := head[0], binary.BigEndian.Uint32(head[1:])
		most, known := map[byte]uint32{'W': maxWords, 'T': maxChunk, 'E': maxEnd}[letter]
		if !known || size > most {
			return fmt.Errorf("the keeper sent a frame %q of %d bytes", letter, size)
		}
		content := make([]byte, size)
		if _, err := io.ReadFull(from, content); err != nil {
			return err
		}
		if err := s.take(letter, content); err != nil {
			return err
		}
	}
}

func (s *session) take(letter byte, content []byte) error {
	switch letter {
	case 'T':
		s.sum.Write(content) // a hash never fails
		s.bytes += int64(len(content))
		_, err := s.into.Write(content)
		if errors.Is(err, io.ErrClosedPipe) { // whoever reads has seen enough
			return nil
		}
		return err
	case 'E':
		return s.finish(content)
	}
	return s.hear(content)
}

// finish compares what came with what was sent: exec cuts what its program wrote last, and
// says that all is well (kubernetes#124571).
func (s *session) finish(content []byte) error {
	var end struct {
		Bytes  int64  `json:"bytes"`
		SHA256 string `json:"sha256"`
	}
	if err := strictjson.Decode(content, maxEnd, &end); err != nil {
		return fmt.Errorf("read the output's sum: %w", err)
	}
	if end.Bytes != s.bytes || end.SHA256 != hex.EncodeToString(s.sum.Sum(nil)) {
		return fmt.Errorf("the output came as %d bytes that are not the %d that the keeper sent", s.bytes, end.Bytes)
	}
	return s.into.Close()
}

func (s *session) hear(content []byte) error {
	var said words
	if err := strictjson.Decode(content, maxWords, &said); err != nil {
		return fmt.Errorf("read what the sandbox's first process says: %w", err)
	}
	switch {
	case said.Report != nil:
		select {
		case s.report <- *said.Report:
		default:
			return errors.New("the sandbox's first process reports twice")
		}
	case said.End != nil:
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ending = said.End
	case said.Begun:
		s.once(s.begun)
	case said.Over:
		s.once(s.over)
	}
	return nil
}

// once closes a channel that may be closed.
func (s *session) once(channel chan struct{}) {
	select {
	case <-channel:
	default:
		close(channel)
	}
}

// begin has the clocks of a run started, and waits until they are.
func (s *session) begin(ctx context.Context, cpu, wall time.Duration) error {
	encoded, err := json.Marshal(struct {
		CPUNanos int64   `json:"cpu_ns"`
		WallS    float64 `json:"wall_s"`
	}{cpu.Nanoseconds(), wall.Seconds()})
	if err == nil {
		err = s.say("begin " + string(encoded))
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	select {
	case <-s.begun:
		return nil
	case <-s.over:
		return errors.New("the sandbox's first process has ended before the run began")
	case <-s.gone:
		return s.lost()
	case <-ctx.Done():
		return fmt.Errorf("start the sandbox's clocks: %w", context.Cause(ctx))
	}
}

// end ends the sandbox: its first process lets go, and the kernel kills all others.
func (s *session) end() error { return s.say("end") }

func (s *session) say(line string) error {
	if _, err := io.WriteString(s.to, line+"\n"); err != nil {
		return fmt.Errorf("speak to the pod's keeper: %w", errors.Join(s.lost(), err))
	}
	return nil
}

// ended waits until the sandbox's first process has let go of its pipe, and has it do so.
func (s *session) ended(ctx context.Context, asked bool) error {
	select {
	case <-s.over: // it has by itself
	default:
		if !asked {
			if err := s.end(); err != nil {
				return err
			}
		}
	}
	select {
	case <-s.over:
		return nil
	case <-s.gone:
		return fmt.Errorf("the connection to the pod's keeper has ended: %w", s.lost())
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// maxRest is what the keeper sends behind the last thing that is unpacked: a tar stream's end,
// or what stands for the rest of an output that is more than it may be.
const maxRest = 1 << 20

// finished reads the rest of the output's stream, and returns whether all of it came.
func (s *session) finished(ctx context.Context) error {
	rest, err := io.CopyN(io.Discard, s.tar, maxRest+1)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case rest > maxRest:
		return errors.New("the keeper has sent more than an output may hold")
	case !errors.Is(err, io.EOF):
		return fmt.Errorf("read the output's end: %w", err)
	}
	return s.say("done")
}

// last is what the first process said at its end, nil where it could not.
func (s *session) last() *ending {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ending
}

// close ends the connection, and with it the keeper's program. Idempotent.
func (s *session) close() {
	_ = s.to.Close()  // never fails
	_ = s.tar.Close() // whoever writes into it stops
	s.cancel(errors.New("the sandbox is done with"))
	<-s.gone
}
