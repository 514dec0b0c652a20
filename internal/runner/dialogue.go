package runner

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"

	"hotcell/internal/container"
	"hotcell/internal/panics"
	"hotcell/internal/wire"
)

// dialogue is the talk with one guard, from its sandbox's start to its death. It
// has three goroutines, which run owns: one listens, one answers calls, and one
// sends what the guard reads first. None of them waits for the guard longer than
// the sandbox lives.
type dialogue struct {
	conversation *wire.Conversation
	opening      []byte // what is sent without waiting
	stdin        *io.PipeReader
	say          *io.PipeWriter // each frame in one Write, which returns when it has been read
	turn         chan struct{}  // has room for the one who writes: a lock of the pipe's own stops the clock of a test
	calls        chan wire.Call // one that runs, and one that came with the answer to it
	opened       chan struct{}  // closed when the opening has been read, or never will be
	prepared     chan struct{}  // closed when a guard that prepares ahead has
	hang         chan struct{}  // closed to end the guard's stream
	hangOnce     sync.Once
	phase        func(Phase)
	told         func(name string) // of a call
	boot         boot
	between      boot // of two steps
	lock         *guardLock

	mu         sync.Mutex
	transcript *transcript
	end        context.CancelCauseFunc // nil before run
	fault      error                   // ours
	asked      question                // the last one

	ahead      bool         // the guard prepares before there is a script
	unprepared *wire.Report // why it could not; to be read once the sandbox is dead
}

// newDialogue prepares the talk about first, of the script that the guard's first
// words belong to.
func (e *execution) newDialogue(mode wire.Mode, first *transcript) (*dialogue, error) {
	conversation, opening, err := e.open(mode)
	if err != nil {
		return nil, err
	}
	prepared := make(chan struct{})
	if e.warm {
		close(prepared)
	}
	reader, writer := io.Pipe()
	return &dialogue{
		conversation: conversation, opening: opening, stdin: reader, say: writer,
		calls: make(chan wire.Call, 1), opened: make(chan struct{}), turn: make(chan struct{}, 1), prepared: prepared, hang: make(chan struct{}), phase: e.events.Phase, told: e.events.ToolCall, transcript: first,
		lock: e.lock, ahead: mode == wire.ModeSession && !e.warm,
	}, nil
}

// open begins the conversation. A session's guard prepares before there is a script, as a
// warm sandbox's has done before there was a run.
func (e *execution) open(mode wire.Mode) (*wire.Conversation, []byte, error) {
	start := e.startMessage(mode)
	switch {
	case e.warm:
		return wire.OpenPrepared(start, e.request.Inputs)
	case mode == wire.ModeSession:
		return wire.OpenAhead(wire.Prepare{Start: start}, e.request.Inputs)
	default:
		return wire.Open(start, e.request.Inputs)
	}
}

// isUnprepared tells whether a guard that prepares ahead has not said that it has.
func (d *dialogue) isUnprepared() bool {
	select {
	case <-d.prepared:
		return false
	default:
		return d.ahead
	}
}

// openWith adds the one script of a run to what is sent first.
func (d *dialogue) openWith(code []byte) error {
	frame, err := d.conversation.Code(code)
	d.opening = append(d.opening, frame...)
	return err
}

// run starts the sandbox and returns when it is dead and nobody of the dialogue
// is at work any more. received is how listening ended, as wire.Receive says.
func (d *dialogue) run(ctx context.Context, end context.CancelCauseFunc, sandbox container.Sandbox) (exit container.Exit, received, err error) {
	d.mu.Lock()
	d.end = end
	d.mu.Unlock()
	alive, dead := context.WithCancel(ctx)
	defer dead()
	lives, died := context.WithCancel(context.WithoutCancel(ctx))
	defer died()
	reader, writer := io.Pipe()
	var work sync.WaitGroup
	work.Go(func() {
		received = d.caught("reading what the guard says", func() error { return d.conversation.Receive(reader, d) })
		if received != nil {
			reader.CloseWithError(received)
		}
		if _, broken := errors.AsType[*wire.ProtocolError](received); broken {
			end(received) // whoever speaks for the guard may never write again
		}
		if other, ok := errors.AsType[*wire.VersionError](received); ok {
			d.fail(&GuardError{other.Error()}) // nothing of it was heard, and it may do what it knows
		}
	})
	work.Go(func() { _ = d.caught("answering tool calls", func() error { d.serve(alive); return nil }) })
	work.Go(func() { d.speak(lives) })
	err = panics.Catch("running the sandbox", func() (err error) {
		exit, err = sandbox.Run(ctx, container.Streams{Stdin: d.stdin, Stdout: writer, Stderr: rawStderr{d}})
		return err
	})
	dead()
	died()
	writer.Close()
	d.stdin.Close()
	work.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	return exit, received, errors.Join(err, d.fault)
}

// caught does a goroutine's work. A panic in it, which hostile bytes may have
// caused, is a fault of ours that ends the sandbox.
func (d *dialogue) caught(doing string, work func() error) error {
	err := panics.Catch(doing, work)
	if broken, ok := errors.AsType[*panics.Error](err); ok {
		d.fail(broken)
	}
	return err
}

// speak sends what comes first, and ends the stream when the host hangs up, or with
// the sandbox's life. Writes fail once the sandbox is dead, and only then. A cancelled
// run is no end of the stream: a guard that reads one ends by itself, perhaps before
// the kill, and a run that was cancelled would be told as one that ended.
func (d *dialogue) speak(life context.Context) {
	_, _ = d.say.Write(d.opening)
	close(d.opened)
	select {
	case <-d.hang:
	case <-life.Done():
	}
	d.say.Close()
}

// tell sends one frame after the opening, and returns when it has been read or the
// sandbox is dead.
func (d *dialogue) tell(frame []byte) {
	<-d.opened
	d.turn <- struct{}{}
	defer func() { <-d.turn }()
	_, _ = d.say.Write(frame)
}

// hangUp ends the guard's stream after what has been said. Idempotent.
func (d *dialogue) hangUp() { d.hangOnce.Do(func() { close(d.hang) }) }

// question is one of a text's form.
type question struct {
	number uint64
	answer chan wire.Form // one at most
	read   chan struct{}  // closed when the guard has read it, or is dead
}

// ask sends a question without waiting for the guard to read it. An error says that now is not the
// time, or that the text is too long.
func (d *dialogue) ask(text []byte) (<-chan wire.Form, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	frame, number, err := d.conversation.Question(text)
	if err != nil {
		return nil, err
	}
	asked := question{number, make(chan wire.Form, 1), make(chan struct{})}
	d.asked = asked
	go func() {
		defer close(asked.read)
		d.tell(frame)
	}()
	return asked.answer, nil
}

// Form implements wire.Receiver. An answer that comes when the next question has been asked is of
// no use to anybody.
func (d *dialogue) Form(number uint64, form wire.Form) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if number == d.asked.number {
		d.asked.answer <- form // the conversation lets one through for each question
	}
	return nil
}

// tellCode sends code behind the question before it: the guard reads them in that order.
func (d *dialogue) tellCode(frame []byte) {
	d.mu.Lock()
	read := d.asked.read
	d.mu.Unlock()
	if read != nil {
		<-read
	}
	d.tell(frame)
}

// current is the script that the guard's words belong to.
func (d *dialogue) current() *transcript {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.transcript
}

func (d *dialogue) begin(next *transcript) {
	d.mu.Lock()
	defer d.mu.Unlock()
	next.follows = d.transcript.began()
	d.transcript = next
	if next.follows { // a stream that this fills shows with the next chunk
		_ = next.stderr.write([]byte(d.between.take()))
	}
}

// fail ends the sandbox because of a fault of ours.
func (d *dialogue) fail(err error) {
	d.mu.Lock()
	d.fault = errors.Join(d.fault, err)
	d.mu.Unlock()
	d.end(err)
}

// Hello implements wire.Receiver.
func (d *dialogue) Hello(wire.Hello) error {
	d.phase(PhaseLoading)
	return nil
}

// Prepared implements wire.Receiver.
func (d *dialogue) Prepared() error {
	close(d.prepared) // the conversation lets one through
	return nil
}

// Ready implements wire.Receiver.
func (d *dialogue) Ready(said *wire.Ready) error {
	d.current().ready.Store(true)
	if err := d.lock.hear(said); err != nil {
		d.fail(err)
		return err
	}
	d.phase(PhaseRunning)
	return nil
}

// Stdout implements wire.Receiver.
func (d *dialogue) Stdout(chunk []byte) error { return d.current().stdout.write(chunk) }

// Stderr implements wire.Receiver.
func (d *dialogue) Stderr(chunk []byte) error { return d.current().stderr.write(chunk) }

// Report implements wire.Receiver.
func (d *dialogue) Report(report wire.Report) error {
	if d.isUnprepared() {
		d.unprepared = &report
		return nil
	}
	transcript := d.current()
	transcript.report = &report
	close(transcript.reported) // the conversation lets one report through for each script
	return nil
}

// rawStderr is the container's own descriptor 2: what the interpreter and native
// code print past the guard. Before user code begins it is the guard's own trouble
// and goes to boot; afterwards it is part of the script's stderr. What comes between two
// steps waits for the next one, in its last bytes: a terminal shows something else until then.
type rawStderr struct{ to *dialogue }

// Write implements io.Writer.
func (r rawStderr) Write(chunk []byte) (int, error) {
	err := r.to.caught("reading stderr", func() error { // in a goroutine of the engine's
		transcript := r.to.current()
		switch {
		case transcript.stderr.isSealed():
			r.to.between.add(chunk)
		case transcript.began():
			return transcript.stderr.write(chunk)
		default:
			r.to.boot.add(chunk)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return len(chunk), nil
}

// boot keeps the end of what was printed before user code began.
type boot struct {
	mu   sync.Mutex
	last []byte
}

// bootBytes is enough for the last lines of a traceback.
const bootBytes = 4096

func (b *boot) add(chunk []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last = append(b.last, chunk...)
	b.last = b.last[max(0, len(b.last)-bootBytes):]
}

// take returns what was kept as valid UTF-8, and forgets it.
func (b *boot) take() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	text := strings.ToValidUTF8(string(b.last), "\uFFFD")
	b.last = nil
	return text
}
