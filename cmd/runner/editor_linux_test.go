package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/runner"
	"hotcell/internal/wire"
)

// typist sits at a terminal with an editor.
type typist struct {
	t      *testing.T
	editor *editor
	there  *os.File // the terminal
	keys   *os.File
	before unix.Termios

	mu   sync.Mutex
	seen bytes.Buffer
	come sync.Cond
}

// played is about what Python says of the texts of these tests.
func played(_ context.Context, text []byte) runner.Form {
	code := string(text)
	statements := strings.FieldsFunc(code, func(r rune) bool { return r == '\n' })
	last := statements[len(statements)-1]
	switch {
	case strings.Count(code, "(") > strings.Count(code, ")"):
		return wire.FormOpen
	case strings.HasSuffix(last, ":"):
		return wire.FormHead
	case strings.HasPrefix(last, " "):
		return wire.FormBlock
	default:
		return wire.FormWhole
	}
}

func newTypist(t *testing.T) *typist {
	terminal, keys := openTerminal(t)
	p := &typist{t: t, there: terminal, keys: keys, editor: newEditor(terminal, terminal, played)}
	p.come.L = &p.mu
	require.NoError(t, unix.IoctlSetWinsize(int(keys.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
	p.before = p.settings()
	go func() {
		part := make([]byte, 4096)
		for {
			count, err := keys.Read(part)
			if err != nil {
				return
			}
			p.mu.Lock()
			p.seen.Write(part[:count])
			p.come.Broadcast()
			p.mu.Unlock()
		}
	}()
	return p
}

func (p *typist) settings() unix.Termios {
	found, err := unix.IoctlGetTermios(int(p.there.Fd()), unix.TCGETS)
	require.NoError(p.t, err)
	return *found
}

// awaits waits until this has been shown, behind what it was called for before.
func (p *typist) awaits(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !strings.Contains(p.seen.String(), text) {
		p.come.Wait()
	}
	p.seen.Next(strings.Index(p.seen.String(), text) + len(text))
}

// types reads one step of what is typed.
func (p *typist) types(text string) received {
	p.editor.ask()
	read := make(chan received)
	go func() { read <- p.editor.read(context.Background()) }()
	p.awaits(firstPrompt)
	_, err := io.WriteString(p.keys, text)
	require.NoError(p.t, err)
	next := <-read
	require.Equal(p.t, p.before, p.settings(), "the terminal is what it was")
	p.awaits(pasteOff)
	return next
}

func (p *typist) wants(code, typed string) {
	p.t.Helper()
	next := p.types(typed)
	require.NoError(p.t, next.err)
	require.Equal(p.t, code, next.code, "%q", typed)
}

const up, down, left, right, home, end = "\x1b[A", "\x1b[B", "\x1b[D", "\x1b[C", "\x1b[H", "\x1b[F"

func TestALineIsEdited(t *testing.T) {
	p := newTypist(t)
	p.wants("x = 12\n", "x = 1"+left+right+"2\r")
	p.wants("yx = 1z\n", "x = 1"+home+"y"+end+"z\r")
	p.wants("yx = 1z\n", "x = 1\x1b[1~y\x1b[4~z\r")
	p.wants("yx = 1z\n", "x = 1\x1bOHy\x1bOFz\r")
	p.wants("yx = 1z\n", "x = 1\x01y\x05z\r")
	p.wants("x = 1\n", "x = 1 + 2"+strings.Repeat(left, 4)+"\x0b\r")
	p.wants("x = 1\n", "nothing\x15x = 1\r")
	p.wants("x = 1 \n", "x = 1 + two\x17\x17\r")
	p.wants("x = 1\n", "x = 12\x7f\r")
	p.wants("x = 'ä€'\n", "x = 'ä€'\r")
	p.wants("if x:\n    y\n\n\n", "if x:\r\ty\r\r\r")
	p.wants("x = 1\n", "x = \x1b1\r") // Escape alone changes nothing
	p.wants("x = 1\n", "x = \x1b[15~\x1bOP1\r")
}

func TestTheHistoryHasTheLinesBefore(t *testing.T) {
	p := newTypist(t)
	p.wants("a = 1\n", "a = 1\r")
	p.wants("if a:\n  b\n\n\n", "if a:\r  b\r\r\r")
	p.wants("a = 1\n", up+up+up+"\r")
	p.wants("if a:\n  b\n\n\n", up+up+up+"\r"+up+up+up+"\r\r\r")
	p.wants("c\n", "c"+up+up+down+down+"\r")
}

func TestPastedTextIsOneStep(t *testing.T) {
	p := newTypist(t)
	paste := func(text string) string { return pasteBegin + text + pasteEnd }
	text := "def f():\n\tx = '[200~'\n\n\n\treturn x\n\n\n\nf()"
	p.wants(text+"\n", paste(strings.ReplaceAll(text, "\n", "\r"))+"\r")
	p.wants(text+"\n", paste(strings.ReplaceAll(text, "\n", "\r\n"))+"\r")
	p.wants(text+"\n\n", paste(text+"\n")+"\r")
	p.wants("y = 12\n", "y"+paste(" = 1")+"2\r")
	p.wants("x = '31mred'\n", "x = '"+paste("\x1b\x07\x03\x04\x0831mred\x7f")+"'\r")
	long := strings.Repeat("x = 1 # "+strings.Repeat("y", 1000)+"\n", 30)
	p.wants(long+"\n", paste(long)+"\r")
	p.wants("exit()\nx = 1\n", paste("exit()\nx = 1")+"\r")
}

func TestWhatIsPastedDrivesNoTerminal(t *testing.T) {
	var shown strings.Builder
	_, err := screen{out: &shown}.Write([]byte("a\u009b31m\tb\u202ec\x1b[K"))
	require.NoError(t, err)
	require.Equal(t, "a?31m b?c\x1b[K", shown.String())
}

func TestCtrlCClearsWhatIsTyped(t *testing.T) {
	p := newTypist(t)
	p.wants("y\n", "x = 1\x03y\r")
	p.wants("y\n", "def f():\r  x = (\r\r\x03y\r")
	p.wants("a\n", "a\r\x03b") // what comes behind the step is the next one's
	p.wants("b\n", "\r")
}

func TestCtrlDAndExitEndTheSession(t *testing.T) {
	p := newTypist(t)
	for _, typed := range []string{"\x04", "exit\r", "quit()\r", "\r\rexit()\r"} {
		require.ErrorIs(t, p.types(typed).err, io.EOF, typed)
	}
	p.wants("if x:\n  y\n", "if x:\r  y\r\x04z\r")
	p.wants("z\n", "")
	p.wants("ab\n", "axb"+left+left+"\x04\r")
}

func TestPythonIsAskedOncePerLine(t *testing.T) {
	p := newTypist(t)
	asked := make(chan string, 10)
	p.editor.form = func(_ context.Context, text []byte) runner.Form {
		asked <- string(text)
		return runner.FormUnknown
	}
	p.wants("x = 1\n\n\n", "x = 1\r\r\r")
	require.Len(t, asked, 3)
	require.Equal(t, "x = 1\n", <-asked)
	require.Equal(t, "x = 1\n\n", <-asked)
	require.Equal(t, "x = 1\n\n\n", <-asked)
	p.wants("f(\ny\n", "f(\ry\r\x04")
	require.Len(t, asked, 2, "and not for what is run by Ctrl-D")
}

func TestALineThatIsTooLongIsRefusedAndNotCut(t *testing.T) {
	p := newTypist(t)
	next := p.types(strings.Repeat("x", 2*maxTypedLine) + "\r")
	require.ErrorContains(t, next.err, "a typed line may have 4095 characters")
	require.NotErrorIs(t, next.err, io.EOF)
	p.wants("x\n", "x\r")
}

// As when the session ends while somebody types.
func TestTheTerminalIsRestoredWhileALineIsEdited(t *testing.T) {
	p := newTypist(t)
	p.editor.ask()
	read := make(chan struct{})
	go func() {
		defer close(read)
		p.editor.read(context.Background())
	}()
	p.awaits(firstPrompt)
	require.NotEqual(t, p.before, p.settings())
	p.editor.leave()
	require.Equal(t, p.before, p.settings())
	p.awaits(pasteOff + "\r\n")
	p.editor.leave()
	p.editor.ask()
	_, err := term.MakeRaw(int(p.there.Fd())) // Ctrl-D is a key then, and ends the line
	require.NoError(t, err)
	_, err = io.WriteString(p.keys, "\x04")
	require.NoError(t, err)
	<-read // it has done with the terminal, which is closed next
}

func TestNothingIsEditedAfterTheEnd(t *testing.T) {
	p := newTypist(t)
	p.editor.leave()
	p.editor.ask()
	require.ErrorIs(t, p.editor.read(context.Background()).err, io.EOF)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, p.editor.read(ctx).err, io.EOF)
	require.Equal(t, p.before, p.settings())
}

func TestTheTerminalIsRestoredByAPanic(t *testing.T) {
	p := newTypist(t)
	p.editor.ask()
	p.editor.keys.before = func() { panic("in the editor") }
	err := p.editor.read(context.Background()).err
	require.ErrorIs(t, err, io.EOF)
	require.ErrorContains(t, err, "reading keys")
	require.Equal(t, p.before, p.settings())
}

// steppedSession notes its steps, and what the terminal is meanwhile.
type steppedSession struct {
	engineapi.Session
	ready chan struct{}
	codes []string
	step  func()
}

func (s *steppedSession) Prepared() <-chan struct{} { return s.ready }
func (s *steppedSession) Done() <-chan struct{}     { return nil }
func (s *steppedSession) Over() string              { return "" }
func (s *steppedSession) About() runner.About       { return runner.About{} }

func (s *steppedSession) Form(ctx context.Context, text []byte) runner.Form {
	return played(ctx, text)
}

func (s *steppedSession) Step(_ context.Context, script runner.Script) (runner.Response, error) {
	s.codes = append(s.codes, string(script.Code))
	s.step()
	return runner.Response{Result: job.Result{RunID: job.NewID(time.Now()), Status: job.Succeeded}}, nil
}

func TestCtrlCIsASignalWhileAStepRuns(t *testing.T) {
	p := newTypist(t)
	session := &steppedSession{ready: make(chan struct{})}
	session.step = func() { require.Equal(t, p.before, p.settings()) }
	close(session.ready)
	a := &app{stdin: p.there, stdout: io.Discard, stderr: p.there}
	ended := make(chan error)
	go func() {
		_, err := a.steps(context.Background(), context.Background(), shownSession{session, newProgress(io.Discard), nil})
		ended <- err
	}()
	for _, typed := range []string{"x = 1\r", "if x:\r  y\r\r\r", "\x04"} {
		p.awaits(pasteOn + firstPrompt)
		_, err := io.WriteString(p.keys, typed)
		require.NoError(t, err)
	}
	require.NoError(t, <-ended)
	require.Equal(t, []string{"x = 1\n", "if x:\n  y\n\n\n"}, session.codes)
	require.Equal(t, p.before, p.settings())
}
