package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/digest"
	"hotcell/internal/httpapi"
	"hotcell/internal/job"
	"hotcell/internal/journal"
	"hotcell/internal/service"
	"hotcell/internal/strictjson"
)

// fakeService is a service behind the real front (internal/httpapi), whose scripts are lines that
// say what is to come of them: see perform.
type fakeService struct {
	httpapi.Backend // what no test asks for

	mu       sync.Mutex
	order    []job.ID
	runs     map[job.ID]*fakeRun
	sessions map[job.ID]*fakeSession
	keys     map[string]job.ID
}

type fakeRun struct {
	run    api.Run
	log    *journal.Log
	cancel context.CancelFunc
	files  map[string][]byte
	over   chan struct{}
}

// fakeToken is what the service believes.
const fakeToken = "hc_test_secret"

type believes struct{}

func (*fakeService) Admit(access.Principal) error { return nil }

// Authenticate implements access.Authenticator.
func (believes) Authenticate(r *http.Request) (access.Principal, error) {
	if r.Header.Get("Authorization") != "Bearer "+fakeToken {
		return access.Principal{}, fmt.Errorf("%w: the token is not valid", access.ErrUnknown)
	}
	return access.Principal{Name: "token:test", Scopes: access.Scopes()}, nil
}

// startService listens on loopback.
func startService(t testing.TB) string {
	server := newService(t)
	server.Start()
	return server.URL
}

// newService does not listen yet.
func newService(t testing.TB) *httptest.Server {
	fake := &fakeService{runs: map[job.ID]*fakeRun{}, sessions: map[job.ID]*fakeSession{}, keys: map[string]job.ID{}}
	front, err := httpapi.New(httpapi.Options{
		Backend: fake, Authenticator: believes{}, Logger: slog.New(slog.DiscardHandler),
		Version: api.VersionInfo{Version: "test", API: "v1", Engine: "oci", StartedAt: time.Now()},
	})
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(nil)
	server.Config = front.Server()
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server
}

func (f *fakeService) Create(_ context.Context, _ access.Principal, creation service.Creation) (api.Run, bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if id, known := f.keys[creation.Key]; known {
		return f.runs[id].run, true, nil
	}
	if creation.Request.Policy != "study-analysis" {
		return api.Run{}, false, fmt.Errorf("%w: there is no policy of this name", service.ErrRefused)
	}
	id := job.NewID(time.Now())
	run := api.Run{RunID: id, Status: api.StateQueued, Policy: creation.Request.Policy, Bundle: creation.Request.Bundle, CreatedAt: time.Now().UTC()}
	ctx, cancel := context.WithCancel(context.Background())
	one := &fakeRun{run: run, log: journal.New(1 << 20), cancel: cancel, files: map[string][]byte{}, over: make(chan struct{})}
	f.order, f.runs[id], f.keys[creation.Key] = append(f.order, id), one, id
	go f.carryOut(ctx, one, creation.Request)
	return run, false, nil
}

func (f *fakeService) carryOut(ctx context.Context, one *fakeRun, request api.CreateRun) {
	id := one.run.RunID
	one.append(api.EventState, api.StateEvent{State: api.StateRunning})
	var result job.Result
	if !strings.HasPrefix(request.Code, "queued") {
		result = perform(ctx, request.Code, id, one)
	} else {
		<-ctx.Done()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	defer close(one.over)
	result.Provenance.Policy, result.Provenance.Script = request.Policy, request.ScriptName
	one.run.EndedAt, one.run.Status = time.Now().UTC(), api.State(result.Status)
	switch result.Status {
	case "": // it was cancelled in the queue
		one.run.Status = api.State(job.Cancelled)
	case "error":
		one.run.Status = api.StateError
		one.run.Error = &api.Problem{Type: "urn:hotcell:problem:internal", Title: "the engine has failed", Status: 500, Detail: "its disk is full"}
	default:
		one.run.Result = &result
	}
	one.append(api.EventResult, one.run)
	one.log.End()
}

func (r *fakeRun) append(kind api.EventType, data any) {
	text, err := strictjson.Encode(data)
	if err != nil {
		panic(err)
	}
	r.log.Append(kind, text)
}

// perform carries out lines: print TEXT, err TEXT, hidden TEXT (which no event has), file NAME
// TEXT, swap NAME, sleep, stubborn, fail, error.
func perform(ctx context.Context, code string, id job.ID, one *fakeRun) job.Result {
	result := job.Result{RunID: id, Status: job.Succeeded, Value: []byte("null"), Charts: []job.Chart{}, Files: []job.File{}, Violations: []job.Violation{}, Warnings: []job.Violation{}, ToolCalls: []job.ToolCall{}}
	result.Provenance.Controls = []job.Control{}
	for line := range strings.Lines(code) {
		word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch word {
		case "print":
			result.Stdout += rest + "\n"
			one.append(api.EventStdout, api.TextEvent{Text: rest + "\n"})
		case "err":
			result.Stderr += rest + "\n"
			one.append(api.EventStderr, api.TextEvent{Text: rest + "\n"})
		case "hidden":
			result.Stdout += rest + "\n"
			one.append(api.EventGap, api.GapEvent{From: one.log.Last() + 1, To: one.log.Last() + 1})
		case "file":
			name, text, _ := strings.Cut(rest, " ")
			text += "\n"
			one.files[name] = []byte(text)
			result.Files = append(result.Files, job.File{Path: name, Bytes: int64(len(text)), SHA256: digest.Of([]byte(text)).Hex(), MediaType: "text/plain", Role: "file"})
		case "swap": // a file is another than its list says
			one.files[rest] = bytes.ToUpper(one.files[rest])
		case "sleep":
			<-ctx.Done()
			result.Status = job.Cancelled
			return result
		case "stubborn":
			time.Sleep(time.Hour)
		case "fail":
			result.Status, result.Error = job.Failed, &job.Error{Type: "ValueError", Message: rest, Traceback: "ValueError: " + rest}
			return result
		case "error":
			result.Status = "error"
			return result
		}
	}
	return result
}

func (f *fakeService) find(id job.ID) (*fakeRun, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if one := f.runs[id]; one != nil {
		return one, nil
	}
	return nil, service.ErrNoRun
}

func (f *fakeService) Run(_ context.Context, _ access.Principal, id job.ID) (api.Run, error) {
	one, err := f.find(id)
	if err != nil {
		return api.Run{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return one.run, nil
}

func (f *fakeService) Runs(_ context.Context, _ access.Principal, filter service.Filter) (page api.Runs, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	page.Runs = []api.Run{}
	for _, id := range f.order {
		run := f.runs[id].run
		run.Result = nil
		if (filter.Status == "" || filter.Status == run.Status) && !run.CreatedAt.Before(filter.Since) {
			page.Runs = append([]api.Run{run}, page.Runs...)
		}
	}
	return page, nil
}

func (f *fakeService) Follow(ctx context.Context, _ access.Principal, id job.ID, after int64, take func(api.Event) error) error {
	one, err := f.find(id)
	if err != nil {
		return err
	}
	return followOnce(ctx, one.log, after, take)
}

// followOnce breaks off after three events: who follows has to come back.
func followOnce(ctx context.Context, log *journal.Log, after int64, take func(api.Event) error) error {
	for count := 0; ; {
		page, err := log.Next(ctx, after)
		if errors.Is(err, journal.ErrEnded) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, event := range page.Events {
			if count++; count > 3 {
				return errors.New("it breaks off")
			}
			if err := take(event); err != nil {
				return err
			}
			after = event.Seq
		}
	}
}

func (f *fakeService) Cancel(_ context.Context, _ access.Principal, id job.ID) (api.Run, error) {
	one, err := f.find(id)
	if err != nil {
		return api.Run{}, err
	}
	one.cancel()
	select {
	case <-one.over:
	case <-time.After(time.Second):
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return one.run, nil
}

func (f *fakeService) Check(_ context.Context, _ access.Principal, request api.CreateRun) (api.Checked, error) {
	checked := api.Checked{Policy: request.Policy, PolicySHA256: strings.Repeat("ab", 32), Violations: []job.Violation{}}
	for number, line := range strings.Split(request.Code, "\n") {
		if strings.HasPrefix(line, "import os") {
			checked.Violations = append(checked.Violations, job.Violation{Rule: "import.denied", Line: number + 1, Column: 1, Message: "os may not be imported"})
		}
	}
	return checked, nil
}

func (f *fakeService) Files(_ context.Context, _ access.Principal, id job.ID) (api.FileList, error) {
	one, err := f.find(id)
	if err != nil {
		return api.FileList{}, err
	}
	<-one.over
	list := api.FileList{Files: []api.FileInfo{}}
	for _, file := range one.run.Result.Files {
		list.Files = append(list.Files, api.FileInfo{Path: file.Path, Bytes: file.Bytes, SHA256: string(file.SHA256), MediaType: file.MediaType, Role: file.Role})
	}
	return list, nil
}

func (f *fakeService) Read(_ context.Context, _ access.Principal, id job.ID, part string) (io.ReadCloser, int64, error) {
	one, err := f.find(id)
	if err != nil {
		return nil, 0, err
	}
	content := one.files[strings.TrimPrefix(part, "files/")]
	return io.NopCloser(bytes.NewReader(content)), int64(len(content)), nil
}

func (f *fakeService) Policies(context.Context) (api.PolicyList, error) {
	return api.PolicyList{Policies: []api.PolicyInfo{{Name: "study-analysis", Description: "of the service", SHA256: strings.Repeat("ab", 32)}}}, nil
}

func (f *fakeService) Bundles(context.Context) (api.BundleList, error) {
	return api.BundleList{Bundles: []api.BundleInfo{{Name: "trial", Version: "1.0.0", Digest: "sha256:" + strings.Repeat("cd", 32), Study: "a study"}}}, nil
}

func (f *fakeService) Policy(_ context.Context, name string) (api.PolicyInfo, error) {
	if name != "study-analysis" {
		return api.PolicyInfo{}, service.ErrNotFound
	}
	return api.PolicyInfo{Name: name, SHA256: strings.Repeat("ab", 32), Imports: []string{"pandas"}, Text: "name: study-analysis\n"}, nil
}

func (f *fakeService) Bundle(_ context.Context, name string) (api.BundleInfo, error) {
	columns := []api.ColumnInfo{{Name: "age", Type: "integer"}}
	return api.BundleInfo{
		Name: name, Version: "1.0.0", Digest: "sha256:" + strings.Repeat("cd", 32), Study: "a study",
		Tables: []api.TableInfo{{Name: "visits", Rows: 3, Columns: columns}},
	}, nil
}

func (f *fakeService) Me(_ context.Context, by access.Principal) (api.Me, error) {
	me := api.Me{Principal: by.Name, Scopes: []string{}, Quotas: []api.QuotaUse{{Quota: "running", Limit: 8, Used: 2}, {Quota: "cpu_seconds_per_day", Used: 310}, {Quota: "recorded_bytes_per_day", Limit: 1 << 32, Used: 57 << 20}}}
	for _, one := range by.Scopes {
		me.Scopes = append(me.Scopes, string(one))
	}
	return me, nil
}

func (f *fakeService) Load() api.Load { return api.Load{Answers: true} }
