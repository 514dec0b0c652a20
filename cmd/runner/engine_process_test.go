package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// listeningEngine is a `runner engine` that a test has started.
type listeningEngine struct {
	command *exec.Cmd
	said    *bytes.Buffer
	done    chan struct{} // it says no more
}

// engineKey names a script's engine among its values.
const engineKey = "engine"

// startEngine returns when the engine is ready. This binary is the command, by its name.
func startEngine(env []string, args ...string) (*listeningEngine, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.Command(self)
	command.Args, command.Env = append([]string{"runner", "engine"}, args...), env
	says, err := command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	started := &listeningEngine{command: command, said: new(bytes.Buffer), done: make(chan struct{})}
	lines := bufio.NewReader(says)
	for {
		line, err := lines.ReadString('\n')
		started.said.WriteString(line)
		if strings.Contains(line, "engine ready") {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %s", command.Wait(), started.said)
		}
	}
	go func() {
		defer close(started.done)
		_, _ = io.Copy(started.said, lines)
	}()
	return started, nil
}

// end sends a signal and waits. Only an engine that is killed may end with an error.
func (e *listeningEngine) end(signal syscall.Signal) error {
	if err := e.command.Process.Signal(signal); err != nil {
		return err
	}
	<-e.done
	if err := e.command.Wait(); err != nil && signal != syscall.SIGKILL {
		return fmt.Errorf("%w: %s", err, e.said)
	}
	return nil
}

// engineOf is a command of scripts: engine start [ARG ...], engine stop, engine kill.
func engineOf() func(*testscript.TestScript, bool, []string) {
	var mu sync.Mutex
	listening := map[*testscript.TestScript]*listeningEngine{}
	stop := func(ts *testscript.TestScript, signal syscall.Signal) {
		mu.Lock()
		defer mu.Unlock()
		if one := listening[ts]; one != nil {
			delete(listening, ts)
			ts.Check(one.end(signal))
		}
	}
	return func(ts *testscript.TestScript, neg bool, args []string) {
		switch {
		case !neg && len(args) > 0 && args[0] == "start":
			env := []string{"HOTCELL_STATE=" + ts.Getenv("HOTCELL_STATE"), "HOTCELL_TEST_POLICIES=" + ts.Getenv("HOTCELL_TEST_POLICIES"), "PATH=" + ts.Getenv("PATH")}
			started, err := startEngine(env, args[1:]...)
			ts.Check(err)
			mu.Lock()
			listening[ts] = started
			mu.Unlock()
			ts.Defer(func() { stop(ts, syscall.SIGTERM) })
		case !neg && len(args) == 1 && args[0] == "stop":
			stop(ts, syscall.SIGTERM)
		case !neg && len(args) == 1 && args[0] == "kill":
			stop(ts, syscall.SIGKILL)
		default:
			ts.Fatalf("usage: engine start [ARG ...] | stop | kill")
		}
	}
}
