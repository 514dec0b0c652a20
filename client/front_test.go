package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/client"
	"hotcell/internal/access"
	"hotcell/internal/digest"
	"hotcell/internal/httpapi"
	"hotcell/internal/job"
	"hotcell/internal/service"
)

// oneRun is a back end with one run, which has printed a hundred lines and released a file.
type oneRun struct {
	httpapi.Backend // what is not asked for

	id      job.ID
	created atomic.Int32
}

const released = "a,b\n1,2\n3,4\n5,6\n7,8\n"

func (*oneRun) Admit(access.Principal) error { return nil }

func (o *oneRun) run() api.Run {
	sum := digest.Of([]byte(released)).Hex()
	return api.Run{RunID: o.id, Status: api.State(job.Succeeded), Policy: "p", CreatedAt: time.Now().UTC(), Result: &api.RunResult{
		RunID: o.id, Status: job.Succeeded, Value: []byte("null"), Files: []job.File{{Path: "tables/a.csv", Bytes: int64(len(released)), SHA256: sum, MediaType: "text/csv", Role: "file"}},
	}}
}

func (o *oneRun) Create(context.Context, access.Principal, service.Creation) (api.Run, bool, error) {
	return o.run(), o.created.Add(1) > 1, nil
}

func (o *oneRun) Run(_ context.Context, _ access.Principal, id job.ID) (api.Run, error) {
	if id != o.id {
		return api.Run{}, service.ErrNotFound
	}
	return o.run(), nil
}

func (o *oneRun) Follow(_ context.Context, _ access.Principal, _ job.ID, after int64, take func(api.Event) error) error {
	const lines = 100
	for seq := after + 1; seq <= lines; seq++ {
		if err := take(api.Event{Seq: seq, Type: api.EventStdout, Data: []byte(`{"text":"line\n"}`)}); err != nil {
			return err
		}
	}
	if after > lines {
		return nil
	}
	encoded, err := json.Marshal(o.run())
	if err != nil {
		return err
	}
	return take(api.Event{Seq: lines + 1, Type: api.EventResult, Data: encoded})
}

func (o *oneRun) Files(context.Context, access.Principal, job.ID) (api.FileList, error) {
	file := o.run().Result.Files[0]
	return api.FileList{Files: []api.FileInfo{{Path: file.Path, Bytes: file.Bytes, SHA256: string(file.SHA256), MediaType: file.MediaType, Role: file.Role}}}, nil
}

func (o *oneRun) Read(_ context.Context, _ access.Principal, _ job.ID, part string) (io.ReadCloser, int64, error) {
	if part != "files/tables/a.csv" {
		return nil, 0, service.ErrNotFound
	}
	return io.NopCloser(strings.NewReader(released)), int64(len(released)), nil
}

type anybody struct{}

func (anybody) Authenticate(r *http.Request) (access.Principal, error) {
	return access.Of(r.Context()), nil
}

// breaking cuts every body after so many bytes, but those that are short.
type breaking struct {
	to    http.RoundTripper
	after int64
	cuts  atomic.Int32
}

func (b *breaking) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.to.RoundTrip(r)
	if err == nil && (strings.Contains(r.URL.Path, "/files/") || strings.HasSuffix(r.URL.Path, "/events")) {
		response.Body = &cut{response.Body, b.after, &b.cuts}
	}
	return response, err
}

type cut struct {
	io.ReadCloser

	left int64
	cuts *atomic.Int32
}

func (c *cut) Read(into []byte) (int, error) {
	if c.left == 0 {
		c.cuts.Add(1)
		return 0, errors.New("the connection is gone")
	}
	n, err := c.ReadCloser.Read(into[:min(int64(len(into)), c.left)])
	c.left -= int64(n)
	return n, err
}

// TestWithTheRealFront holds the client to what internal/httpapi answers, over connections that
// break all the time.
func TestWithTheRealFront(t *testing.T) {
	back := &oneRun{id: job.NewID(time.Now())}
	front, err := httpapi.New(httpapi.Options{Backend: back, Authenticator: anybody{}, Logger: slog.New(slog.DiscardHandler), Version: api.VersionInfo{Version: "1", API: "v1", Engine: "oci"}})
	require.NoError(t, err)
	ctx := access.With(t.Context(), access.Principal{Name: "user:test", Scopes: access.Scopes()})
	transport := &breaking{to: client.InProcess(front), after: 7}
	asked, err := client.New(client.Options{Transport: transport})
	require.NoError(t, err)

	run, err := asked.CreateRun(ctx, api.CreateRun{Policy: "p", Code: "1"}, client.CreateOptions{})
	require.NoError(t, err)
	require.Equal(t, back.id, run.RunID)

	file, err := asked.OpenFile(ctx, run.RunID, "tables/a.csv")
	require.NoError(t, err)
	defer file.Close()
	content, err := io.ReadAll(file)
	require.NoError(t, err)
	require.Equal(t, released, string(content))
	require.Equal(t, int32(2), transport.cuts.Load())

	transport.after = 2500
	var got bytes.Buffer
	last := int64(0)
	require.NoError(t, asked.Follow(ctx, run.RunID, 0, func(event api.Event) error {
		require.Equal(t, last+1, event.Seq)
		last = event.Seq
		if event.Type == api.EventStdout {
			got.WriteString("line\n")
		}
		return nil
	}))
	require.Equal(t, strings.Repeat("line\n", 100), got.String())
	require.Greater(t, transport.cuts.Load(), int32(3))
	require.NoError(t, asked.Follow(ctx, run.RunID, last, func(api.Event) error { panic("there is nothing more") }))

	_, err = asked.Run(ctx, job.NewID(time.Now()))
	problem, ok := errors.AsType[*api.Problem](err)
	require.True(t, ok)
	require.Equal(t, "urn:hotcell:problem:not-found", problem.Type)
	version, err := asked.Version(ctx)
	require.NoError(t, err)
	require.Equal(t, "oci", version.Engine)
}
