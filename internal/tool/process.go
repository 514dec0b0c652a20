package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"hotcell/internal/panics"
	"hotcell/internal/strictjson"
)

const (
	// stderrBytes of one call are passed on.
	stderrBytes = 64 << 10
	// toldBytes may have what a tool prints to say why it failed.
	toldBytes = 1 << 10
	// heldOpen is how long a tool's output may stay open once its process group is
	// dead: only a process that left the group can hold it.
	heldOpen = 2 * time.Second
)

var errTimeout = errors.New("time limit of a call")

// start runs the tool once, in a fresh directory below dir, and returns what it
// printed. A *refusal says what was wrong with the tool; any other error is ours.
func (e *entry) start(ctx context.Context, dir string, params json.RawMessage, options Options) (answer json.RawMessage, err error) {
	if err := checkCommand(e.Command); err != nil { // it may have been replaced since New
		return nil, refuse("the tool is not there any more")
	}
	own, err := os.MkdirTemp(dir, "call-")
	if err != nil {
		return nil, fmt.Errorf("make directory of tool call: %w", err)
	}
	defer func() {
		if fault := os.RemoveAll(own); fault != nil {
			err = errors.Join(err, fmt.Errorf("remove directory of tool call: %w", fault))
		}
	}()
	stdout := newCapped(options.AnswerBytes)
	command := exec.CommandContext(context.WithoutCancel(ctx), e.Command[0], e.Command[1:]...)
	command.Dir, command.Env = own, environment(own)
	command.Stdin, command.Stdout = bytes.NewReader(params), stdout
	command.Stderr = &firstOf{to: options.Stderr, left: stderrBytes}
	command.WaitDelay = heldOpen
	command.SysProcAttr = ownGroup()
	ended := run(ctx, command, stdout.full)
	switch {
	case errors.Is(context.Cause(ctx), errTimeout):
		return nil, errTimeout
	case stdout.overflowed():
		return nil, refuse("the tool's answer has more than %d bytes", options.AnswerBytes)
	case ended != nil:
		return nil, failure(ended).saying(stdout.kept.Bytes())
	}
	return stdout.kept.Bytes(), nil
}

// run starts the command and waits until its process group is dead, by itself or
// killed when ctx ends or too much was printed.
func run(ctx context.Context, command *exec.Cmd, full <-chan struct{}) error {
	// The kernel ends the tool with the thread that started it, see ownGroup.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := command.Start(); err != nil {
		return err
	}
	exited := make(chan error, 1)
	go func() { exited <- awaitExit(command.Process) }()
	var err error
	waited := false
	select {
	case err = <-exited:
		waited = true
	case <-ctx.Done():
	case <-full:
	}
	// The leader has not been reaped, so that the group's number is still its own.
	// What a tool leaves running behind it ends here too.
	err = errors.Join(err, killGroup(command.Process.Pid))
	if !waited {
		err = errors.Join(err, <-exited)
	}
	return errors.Join(err, command.Wait())
}

func killGroup(leader int) error {
	err := syscall.Kill(-leader, syscall.SIGKILL)
	if err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("kill process group of tool: %w", err)
	}
	return nil
}

// failure words how a tool failed, without a path of the host's.
func failure(err error) *refusal {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			return refuse("the tool was ended by signal %d", status.Signal())
		}
		return refuse("the tool ended with code %d", exit.ExitCode())
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		return refuse("the tool left a process behind that holds its output")
	}
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return refuse("the tool could not be run: %s", errno)
	}
	return refuse("the tool could not be run")
}

// saying adds the words that a tool which failed has printed for the script. The record does not have
// them: they may repeat parameters.
func (r *refusal) saying(answer []byte) *refusal {
	var said struct {
		Error string `json:"error"`
	}
	if err := strictjson.Decode(answer, toldBytes, &said); err != nil || said.Error == "" {
		return r
	}
	return &refusal{told: r.told + ": " + said.Error, kept: r.kept}
}

// capped keeps an answer, and fails on the byte too many.
type capped struct {
	limit int64
	kept  bytes.Buffer
	full  chan struct{} // closed by the byte too many
	once  sync.Once
}

func newCapped(limit int64) *capped { return &capped{limit: limit, full: make(chan struct{})} }

// Write implements io.Writer.
func (c *capped) Write(chunk []byte) (int, error) {
	if int64(c.kept.Len()+len(chunk)) > c.limit {
		c.once.Do(func() { close(c.full) })
		return 0, io.ErrShortBuffer
	}
	return c.kept.Write(chunk)
}

func (c *capped) overflowed() bool {
	select {
	case <-c.full:
		return true
	default:
		return false
	}
}

// firstOf passes the first bytes on and swallows the rest. That nobody takes them
// is no fault of the call's.
type firstOf struct {
	to   io.Writer // nil for nobody
	left int
}

// Write implements io.Writer.
func (f *firstOf) Write(chunk []byte) (int, error) {
	pass := min(len(chunk), f.left)
	if pass <= 0 || f.to == nil {
		return len(chunk), nil
	}
	f.left -= pass
	return len(chunk), panics.Catch("showing what a tool printed", func() error { // in a goroutine of os/exec's
		_, _ = f.to.Write(chunk[:pass])
		return nil
	})
}
