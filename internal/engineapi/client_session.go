package engineapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"hotcell/internal/runner"
)

// OpenSession implements Service.
func (c *Client) OpenSession(ctx context.Context, ask runner.Ask) (Session, error) {
	if err := runner.CheckOutput(ctx, ask.OutputDir); err != nil {
		return nil, err
	}
	conn, err := c.connection(ctx)
	if err != nil {
		return nil, err
	}
	return openSession(ctx, conn, opening{"/v1/session", requestOf(ask)}, ask)
}

// opening is how a session is asked for: where, and by which first line.
type opening struct {
	path  string
	first any
}

// openSession asks for one on a connection of its own, which it ends where there is none.
func openSession(ctx context.Context, conn *connection, by opening, ask runner.Ask) (Session, error) {
	s := &clientSession{
		conn: conn, told: newListeners(ask.Events), outputDir: ask.OutputDir,
		prepared: make(chan struct{}), stepped: make(chan *answer, 1), done: make(chan struct{}), written: make(chan struct{}),
	}
	s.stop = context.AfterFunc(ctx, conn.hangUp)
	if err := s.open(ctx, by); err != nil {
		s.stop()
		return nil, errors.Join(err, s.end())
	}
	go s.listen()
	return s, nil
}

// clientSession is a session in another process.
type clientSession struct {
	conn      *connection
	body      *io.PipeWriter // of the request: its lines are the steps
	written   chan struct{}  // closed when nothing of the request is written any more
	box       *inbox
	told      *listeners
	outputDir string
	about     runner.About
	stop      func() bool // ends ctx's hold on the connection

	prepared chan struct{} // closed by listen
	stepped  chan *answer
	done     chan struct{} // closed by listen, after which the following two may be read
	final    *answer
	lost     error

	mu      sync.Mutex
	over    string
	closing bool
	asked   chan runner.Form // takes the answer to the question that has none yet, or nil
	asking  sync.WaitGroup   // of what writes a question
}

// open sends the request, and waits until the session takes steps.
func (s *clientSession) open(ctx context.Context, by opening) error {
	from, body := io.Pipe()
	s.body = body
	go func() {
		defer close(s.written)
		_ = from.CloseWithError(s.conn.send(ctx, by.path, from))
	}()
	first, err := encode(by.first)
	if err != nil {
		return err
	}
	_, failed := s.body.Write(first)
	if s.box, err = s.conn.answerAfter(ctx, failed); err != nil {
		return err
	}
	for {
		next, err := s.box.next()
		switch {
		case err != nil:
			return err
		case next.Final != nil && next.Final.Error != nil:
			return next.Final.Error.err()
		case next.Final != nil:
			return ErrMalformed
		case next.Opened != nil:
			s.about = *next.Opened
			return nil
		}
		s.told.tell(next)
	}
}

// listen takes what comes until the session's own answer.
func (s *clientSession) listen() {
	defer close(s.done)
	ready := sync.OnceFunc(func() { close(s.prepared) })
	for {
		next, err := s.box.next()
		switch {
		case err != nil:
			s.lost = err
			s.endsBecause("its engine has gone")
			return
		case next.Final != nil:
			s.final = next.Final
			s.endsBecause(next.Final.Over)
			return
		case next.Ready:
			ready()
		case next.Step != nil:
			s.endsBecause(next.Step.Over)
			select {
			case s.stepped <- next.Step:
			default: // the one before has not been taken: this one was not asked for
				s.lost = fmt.Errorf("%w: it answers a step that there was not", ErrMalformed)
				s.endsBecause("its engine has gone")
				return
			}
		case next.Form != nil:
			if !s.heard(*next.Form) {
				s.lost = fmt.Errorf("%w: it answers a question that there was not", ErrMalformed)
				s.endsBecause("its engine has gone")
				return
			}
		default:
			s.told.tell(next)
		}
	}
}

func (s *clientSession) endsBecause(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over == "" {
		s.over = reason
	}
}

// About implements Session.
func (s *clientSession) About() runner.About { return s.about }

// Prepared implements Session.
func (s *clientSession) Prepared() <-chan struct{} { return s.prepared }

// Done implements Session.
func (s *clientSession) Done() <-chan struct{} { return s.done }

// Over implements Session.
func (s *clientSession) Over() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over
}

// Step implements Session.
func (s *clientSession) Step(ctx context.Context, script runner.Script) (runner.Response, error) {
	if over := s.Over(); over != "" {
		return runner.Response{}, fmt.Errorf("%w: %s", runner.ErrSessionOver, over)
	}
	next := step{Code: script.Code, Name: script.Name, WallClockNS: int64(script.WallClock)}
	select {
	case <-script.Interrupt:
		next.Interrupted, script.Interrupt = true, nil
	default:
	}
	text, err := encode(next)
	if err != nil {
		return runner.Response{}, err
	}
	defer context.AfterFunc(ctx, s.conn.hangUp)()
	_, _ = s.body.Write(text) // where it could not be sent, the session's end says why
	select {
	case said := <-s.stepped:
		return s.answered(said)
	case <-script.Interrupt:
		if text, err = encode(step{Interrupt: true}); err != nil {
			return runner.Response{}, err
		}
		_, _ = s.body.Write(text)
	case <-s.done:
	}
	select {
	case said := <-s.stepped:
		return s.answered(said)
	case <-s.done:
	}
	select {
	case said := <-s.stepped: // it came before the end
		return s.answered(said)
	default:
	}
	if s.lost != nil {
		return runner.Response{}, s.lost
	}
	if s.Over() == "" && s.final.Error != nil { // it could not prepare: its first step tells why
		s.endsBecause(runner.StepFailed)
		return runner.Response{}, s.final.Error.err()
	}
	return runner.Response{}, fmt.Errorf("%w: %s", runner.ErrSessionOver, s.Over())
}

func (s *clientSession) answered(said *answer) (runner.Response, error) {
	response, err := said.response()
	response.StreamError = s.told.lost()
	return response, err
}

// Close implements Session. Its files are copied here, with our own rights.
func (s *clientSession) Close(ctx context.Context) (runner.Response, error) {
	defer s.stop()
	if ctx.Err() != nil {
		s.conn.hangUp()
	}
	defer context.AfterFunc(ctx, s.conn.hangUp)()
	s.endAsking()
	err := s.body.Close() // the end of the request is the session's
	<-s.done
	if err = errors.Join(err, s.end()); s.lost != nil {
		return runner.Response{}, errors.Join(s.lost, err)
	}
	response, failed := s.answered(s.final)
	return response, errors.Join(failed, response.Export(ctx, s.outputDir), err)
}

// end ends the connection, and all that reads and writes there.
func (s *clientSession) end() error {
	err := errors.Join(s.body.Close(), s.conn.Close())
	<-s.written // why it could not be written does not matter any more: the answer has come, or says so
	if s.box != nil {
		s.box.wait()
	}
	return err
}
