package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheFirstSignalCancelsAndALaterOneEnds(t *testing.T) {
	late := together + time.Millisecond
	for name, c := range map[string]struct {
		pauses []time.Duration // before each signal after the first one
		others bool
		ends   bool
	}{
		"one":                       {},
		"two of timeout(1)":         {pauses: []time.Duration{0}},
		"three of a hurried user":   {pauses: []time.Duration{together / 3, together / 3}},
		"a second one later":        {pauses: []time.Duration{late}, ends: true},
		"two, and a third later":    {pauses: []time.Duration{0, late}, ends: true},
		"many, where others decide": {pauses: []time.Duration{late, late}, others: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, over := &endingSignals{came: make(chan os.Signal, 4)}, make(chan struct{})
				if c.others {
					defer s.leaveTo()()
				}
				ctx, cancel := context.WithCancel(t.Context())
				last := make(chan os.Signal, 1)
				go func() { last <- s.last(over, cancel) }()
				s.came <- syscall.SIGTERM
				synctest.Wait()
				require.Error(t, ctx.Err(), "cancelled")
				for _, pause := range c.pauses {
					time.Sleep(pause)
					s.came <- syscall.SIGHUP
					synctest.Wait()
				}
				close(over)
				found := <-last
				require.Equal(t, c.ends, found != nil)
			})
		})
	}
}

// TestTheLastSignalIsSaidAndEndsTheProcess is about a clean-up that takes for ever.
func TestTheLastSignalIsSaidAndEndsTheProcess(t *testing.T) {
	for _, number := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(number.String(), func(t *testing.T) {
			child, _ := startChild(t, os.Args[0], "-test.run=^TestChildThatNeverCleansUp$")
			for ended := waited(child); ; { // one of them comes late enough
				require.NoError(t, child.Process.Signal(number))
				select {
				case <-ended:
					require.Equal(t, number, child.ProcessState.Sys().(syscall.WaitStatus).Signal())
					require.Contains(t, child.Stderr.(*bytes.Buffer).String(), "before it had cleaned up: the next run removes")
					return
				case <-time.After(together / 4):
				}
			}
		})
	}
}

// TestChildThatNeverCleansUp is the other process.
func TestChildThatNeverCleansUp(*testing.T) {
	if os.Getenv("HOTCELL_WAITS") != "" {
		_, _ = hearEndings().until(os.Stderr)
		_, _ = os.Stdout.WriteString(".")
		select {}
	}
}

// TestWhatItWasStartedToIgnoreDoesNotCancel is nohup(1), and a shell's job in the background.
func TestWhatItWasStartedToIgnoreDoesNotCancel(t *testing.T) {
	for name, number := range map[string]syscall.Signal{"HUP": syscall.SIGHUP, "INT": syscall.SIGINT} {
		t.Run(name, func(t *testing.T) {
			child, tell := startChild(t, "/bin/sh", "-c", `trap "" "$0"; exec "$@"`, name, os.Args[0], "-test.run=^TestChildThatIgnores$")
			require.NoError(t, child.Process.Signal(number))
			_, err := io.WriteString(tell, "x")
			require.NoError(t, err)
			require.NoError(t, child.Wait())
		})
	}
}

// TestChildThatIgnores is the other process.
func TestChildThatIgnores(*testing.T) {
	if os.Getenv("HOTCELL_WAITS") == "" {
		return
	}
	ctx, _ := hearEndings().until(os.Stderr)
	_, _ = os.Stdout.WriteString(".")
	_, err := os.Stdin.Read(make([]byte, 1))
	ignored := signal.Ignored(syscall.SIGHUP) || signal.Ignored(syscall.SIGINT) // not after somebody has asked for it
	if err != nil || !ignored || ctx.Err() != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// startChild starts a test of this file in another process, and waits for its first byte.
func startChild(t *testing.T, program string, args ...string) (_ *exec.Cmd, tell *os.File) {
	t.Helper()
	child := exec.CommandContext(t.Context(), program, args...)
	child.Env, child.Stderr = []string{"HOTCELL_WAITS=1"}, &bytes.Buffer{}
	stdin, tell, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, errors.Join(stdin.Close(), tell.Close())) })
	child.Stdin = stdin
	says, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	_, err = io.ReadFull(says, make([]byte, 1))
	require.NoError(t, err)
	return child, tell
}

func waited(child *exec.Cmd) <-chan struct{} {
	ended := make(chan struct{})
	go func() {
		_ = child.Wait() // told by the state
		close(ended)
	}()
	return ended
}
