package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/panics"
	"hotcell/internal/wire"
)

// hostile plays a guard that was taken over: each byte is something that it does. It counts
// in said each report of code that has begun and completed.
func hostile(t *testing.T, acts []byte, said *int) play {
	return func(ctx context.Context, g guard) container.Exit {
		calls, manifest, ready := 0, "", false
		begun := func() { ready = true }
		completed := func(fields string) {
			if ready {
				*said++
			}
			ready = false
			g.report("completed", fields)
		}
		frames := []func(){
			func() { g.hello() },
			func() { g.send(wire.TypePrepared, "") },
			func() { begun(); g.send(wire.TypeReady, "") },
			func() { begun(); g.send(wire.TypeReady, `{"landlock":1}`) },
			func() { begun(); g.begin() },
			func() { g.setUp() },
			func() { g.receive() },
			func() { g.send(wire.TypeStdout, "✓ succeeded\x1b[2J\r\xff") },
			func() { g.send(wire.TypeStderr, "\u202e") },
			func() { g.send(wire.TypeStdout, "") },
			func() { _, _ = io.WriteString(g.stdio.Stderr, strings.Repeat("raw\n", 1000)) },
			func() { calls++; g.send(wire.TypeCall, fmt.Sprintf(`{"id":%d,"name":"lookup","params":{}}`, calls)) },
			func() { calls = 1; g.send(wire.TypeCall, `{"id":1,"name":"a\nb\u001b[2J","params":{"a":1}}`) },
			func() { g.send(wire.TypeCall, `{"id":2,"name":"lookup","params":{}}`) },
			func() { g.send(wire.TypeForm, "open") },
			func() { g.send(wire.TypeForm, "other") },
			func() { completed("") },
			func() { completed(`,"result":1,"charts":[{"kind":"plotly","spec":{"data":[]}}]`) },
			func() { completed(`,"files":[` + manifest + `]`) },
			func() { g.report("completed", `,"outcome":"raised"`) },
			func() { g.report("raised", `,"error":{"type":"E","message":"m","line":-1}`) },
			func() { g.report("rejected", `,"violations":[{"rule":"r","line":-1,"column":-1,"message":"\n✓"}]`) },
			func() { g.report("limit", `,"limit":"operations"`) },
			func() { g.report("guard_failed", `,"error":{"type":"E","message":"m"}`) },
			func() { g.report("vetted", "") },
			func() { g.report("completed", `,"result":"\ud800"`) },
			func() { g.report("completed", `,"result":1e999`) },
			func() { g.report("completed", `,"result":`+strings.Repeat("[", 200)+strings.Repeat("]", 200)) },
			func() { _, _ = g.stdio.Stdout.Write([]byte{wire.TypeReport, 0, 0, 1}) },
			func() { _, _ = g.stdio.Stdout.Write([]byte{wire.TypeReport, 0xff, 0xff, 0xff, 0xff}) },
			func() { _, _ = g.stdio.Stdout.Write([]byte{wire.TypeStdout, 0, 0, 0, 9, 'x'}) },
			func() { g.send('Z', "x") },
			func() { g.send(wire.TypeInterrupt, "12345678") },
			func() { manifest = g.write(t, "a.csv", fmt.Sprintf("x\n%d\n", calls)) },
			func() { _ = g.output.Symlink("/etc/passwd", "b.csv") },
			func() { _ = g.output.Remove("b.csv") },
			func() { completed(`,"charts":[{"kind":"matplotlib","path":"a.csv"}],"files":[` + manifest + `]`) },
			func() { wait(ctx, 300*time.Millisecond) },
			func() { wait(ctx, 5*time.Second) },
			func() { wait(ctx, time.Hour) },
		}
		for _, act := range acts {
			if ctx.Err() != nil {
				break
			}
			if int(act) < len(frames) {
				frames[act]()
			}
		}
		if len(acts)%2 == 0 {
			<-ctx.Done()
		}
		return container.Exit{Code: len(acts) % 3}
	}
}

func wait(ctx context.Context, long time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(long):
	}
}

// longest is above what a step, and the host's patience with its end, may take.
const longest = time.Second + interruptGrace + closeGrace + time.Minute

func requireSound(t *testing.T, result job.Result, err error, said int) {
	t.Helper()
	_, broken := errors.AsType[*panics.Error](err)
	require.False(t, broken, "%v", err)
	if err != nil {
		return
	}
	if result.Status == job.Succeeded {
		require.Positive(t, said, "nobody said that it completed")
		require.Nil(t, result.Error)
		require.Empty(t, result.Violations)
	}
	for _, one := range result.Violations {
		require.NotEqual(t, "runner.panic", one.Rule, one.Message)
	}
	for _, call := range result.ToolCalls {
		require.NotContains(t, call.Name, "\n")
		require.NotContains(t, call.Name, "\x1b")
	}
	require.LessOrEqual(t, len(result.Stderr), 1<<20)
}

// FuzzHostileGuard has whoever speaks for the guard do anything in any order, in a run and in a
// session that is asked, interrupted and closed meanwhile: the host ends in time, believes
// nothing that nobody has said, leaves nothing, and does not panic.
func FuzzHostileGuard(f *testing.F) {
	for _, acts := range [][]byte{
		{4, 16}, {4, 7, 33, 18, 34}, {5, 6, 2, 11, 6, 16}, {5, 6, 2, 12, 12, 12}, {5, 6, 2, 17, 17}, {5, 14, 14, 6, 2, 16, 14},
		{5, 6, 2, 33, 18, 6, 2, 34, 18, 35}, {5, 6, 2, 33, 36, 33, 6, 2, 36}, {5, 6, 2, 37, 37, 37, 37, 16}, {5, 6, 2, 38, 16, 39}, {5, 23}, {0, 1, 1}, {0, 23, 16}, {29}, {37, 6}, {5, 6, 2, 28}, {5, 6, 2, 16, 30, 10, 6, 10, 2, 16},
	} {
		f.Add(acts, uint8(len(acts)))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		acts := []byte{5, 6, 2}
		for range 1 + random.IntN(12) {
			acts = append(acts, byte(random.IntN(40)))
		}
		f.Add(acts, uint8(random.IntN(256)))
	}
	f.Fuzz(func(t *testing.T, acts []byte, how uint8) {
		if len(acts) > 60 {
			return
		}
		synctest.Test(t, func(t *testing.T) { runWithHostile(t, acts) })
		synctest.Test(t, func(t *testing.T) { sessionWithHostile(t, acts, how) })
	})
}

func runWithHostile(t *testing.T, acts []byte) {
	said := 0
	b := newBench(t, hostile(t, acts, &said), withPolicy(withTools))
	asked := request()
	asked.Overrides.WallClock = time.Second
	begun := time.Now()
	response, err := b.run(t.Context(), asked, "")
	require.Less(t, time.Since(begun), longest)
	requireSound(t, response.Result, err, said)
	require.Empty(t, b.engine.Live())
	if err == nil {
		_, err = b.records.Get(t.Context(), response.Result.RunID)
		require.NoError(t, err)
	}
}

func sessionWithHostile(t *testing.T, acts []byte, how uint8) {
	said := 0
	b := newBench(t, hostile(t, acts, &said), withPolicy(withSession))
	s, err := b.open(t.Context(), request(), "")
	require.NoError(t, err)
	asking, done := context.WithCancel(t.Context())
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		for how&1 == 1 && asking.Err() == nil {
			_ = s.Form(asking, []byte("x = ("))
			wait(asking, 70*time.Millisecond)
		}
	}()
	for number := range 3 {
		interrupt := make(chan struct{})
		if how>>number&2 != 0 {
			time.AfterFunc(100*time.Millisecond, func() { close(interrupt) })
		}
		begun := time.Now()
		response, err := s.Step(t.Context(), Script{Code: fmt.Appendf(nil, "step_%d = 1", number), Name: "step.py", WallClock: time.Second, Interrupt: interrupt})
		require.Less(t, time.Since(begun), longest)
		requireSound(t, response.Result, err, said)
		if err != nil {
			break
		}
	}
	begun := time.Now()
	response, err := s.Close(t.Context())
	require.Less(t, time.Since(begun), longest)
	done()
	<-asked
	if err == nil && response.Result.Status == job.Succeeded {
		require.Empty(t, response.Result.Violations)
	}
	_, broken := errors.AsType[*panics.Error](err)
	require.False(t, broken, "%v", err)
	require.Empty(t, b.engine.Live())
}
