package mcpserver_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/mcpserver"
)

func TestALineThatIsNoMessageIsAnsweredAndTheNextOneRead(t *testing.T) {
	r := rawly(t, newFake())
	for _, line := range script("2025-06-18")[:2] {
		r.say(t, line)
	}
	r.hear(t)
	deep := strings.Repeat("[", 10_000)
	for _, line := range []string{
		`{`, `nonsense`, `{"jsonrpc":"2.0","id":5,"method":"tools/list","method":"ping"}`, "\xff", `{"a":1}{"b":2}`, deep, `{"id":1e400}`,
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"run_python","arguments":{"code":"1","code":"2"}}}`,
	} {
		r.say(t, line)
		answer := r.hear(t)
		require.NotNil(t, answer.Error, "%.80s", line)
		require.Equal(t, -32700, answer.Error.Code)
		require.Equal(t, "null", string(answer.ID))
	}
	for _, one := range malformed() {
		r.say(t, one.line)
		answer := r.hear(t)
		require.NotNil(t, answer.Error, "%.80s", one.line)
		require.Equal(t, one.code, answer.Error.Code, "%.80s", one.line)
		require.Equal(t, one.id, string(answer.ID), "%.80s", one.line)
		require.NotEmpty(t, answer.Error.Message)
	}
	r.say(t, `{"jsonrpc":"2.0","id":3,"result":{}}`) // which nobody has asked for
	r.say(t, `{"jsonrpc":"2.0","method":"notifications/nonsense"}`)
	r.say(t, "")
	r.say(t, "   ")
	go r.say(t, `{"jsonrpc":"2.0","id":6,"method":"tools/list","params":{"x":"`+strings.Repeat("x", 20<<20)+`"}}`) //nolint:testifylint // a failed write shows in what is heard
	require.Contains(t, r.hear(t).Error.Message, "too large")
	r.say(t, `{"jsonrpc":"2.0","id":7,"method":"ping"}`+"\r")
	answer := r.hear(t)
	require.Nil(t, answer.Error)
	require.Equal(t, "7", string(answer.ID))
	r.end(t)
}

func TestALargeScriptIsTaken(t *testing.T) {
	backend := newFake()
	r := rawly(t, backend)
	for _, line := range script("2025-06-18")[:2] {
		r.say(t, line)
	}
	r.hear(t)
	large := strings.Repeat("x", 3<<20)
	r.say(t, `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"run_python","arguments":{"policy":"study","code":"`+large+`"}}}`)
	require.Contains(t, string(r.hear(t).Result), "succeeded")
	require.Equal(t, large, backend.created[0].Code)
	r.end(t)
}

func TestTheLastLineNeedsNoEnd(t *testing.T) {
	var out bytes.Buffer
	server := newServer(t, mcpserver.Options{})
	require.NoError(t, server.Serve(t.Context(), newFake(), strings.NewReader(strings.Join(script("2025-06-18")[:1], "\n")), &out))
	require.NoError(t, server.Serve(t.Context(), newFake(), strings.NewReader(""), &out))
	for line := range strings.Lines(out.String()) {
		require.Contains(t, line, `"jsonrpc":"2.0"`)
	}
}

func TestASignalEndsWhatRunsAlsoWhereNobodyReads(t *testing.T) {
	for _, reads := range []bool{true, false} {
		t.Run(strconv.FormatBool(reads), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				backend := newFake()
				backend.Slow = true
				fromClient, in := io.Pipe()
				out, toClient := io.Pipe()
				ctx, cancel := context.WithCancel(t.Context())
				served := make(chan error, 1)
				server := newServer(t, mcpserver.Options{})
				go func() { served <- server.Serve(ctx, backend, fromClient, toClient) }()
				lines := script("2025-06-18")
				lines = append(lines[:2], lines[3])
				go func() { _, _ = io.WriteString(in, strings.Join(lines, "\n")+"\n") }()
				first := make([]byte, 1<<10)
				_, err := out.Read(first)
				require.NoError(t, err)
				if reads {
					go func() { _, _ = io.Copy(io.Discard, out) }()
				}
				synctest.Wait()
				require.Len(t, backend.created, 1)
				begun := time.Now()
				cancel()
				require.NoError(t, <-served)
				require.LessOrEqual(t, time.Since(begun), 10*time.Second)
				require.Len(t, backend.cancelled, 1)
				_ = in.Close()
				_ = out.Close()
				_ = toClient.Close()
			})
		})
	}
}

// TestAClientThatNeverReadsIsNotReadFor: its answers would be kept, and its end would wait for them.
func TestAClientThatNeverReadsIsNotReadFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, client := io.Pipe()
		deaf, out := io.Pipe()
		served := make(chan error, 1)
		server := newServer(t, mcpserver.Options{})
		go func() { served <- server.Serve(t.Context(), newFake(), in, out) }()
		lines := script("2025-06-18")
		for _, line := range lines[:2] {
			_, err := client.Write([]byte(line + "\n"))
			require.NoError(t, err)
		}
		var sent atomic.Int64
		go func() {
			for id := range 10_000 {
				if _, err := fmt.Fprintf(client, `{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`+"\n", id+10); err != nil {
					return
				}
				sent.Add(1)
			}
		}()
		synctest.Wait()
		require.Less(t, sent.Load(), int64(200))
		require.NoError(t, client.Close())
		begun := time.Now()
		require.NoError(t, <-served)
		require.LessOrEqual(t, time.Since(begun), 70*time.Second)
		require.NoError(t, deaf.Close())
	})
}
