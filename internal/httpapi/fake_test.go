package httpapi_test

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/digest"
	"hotcell/internal/httpapi"
	"hotcell/internal/job"
	"hotcell/internal/journal"
	"hotcell/internal/service"
	"hotcell/internal/strictjson"
)

// The one that ships is one.
var _ httpapi.Backend = (*service.Broker)(nil)

// fake is a back end in memory, whose runs end when a test says so.
type fake struct {
	mu        sync.Mutex
	runs      map[job.ID]*fakeRun
	keys      map[string]job.ID // principal, blank, key
	sessions  map[job.ID]*fakeSession
	fails     error // of every method, if set
	thrown    any   // by every method, if set
	full      error // of Admit
	load      api.Load
	reads     []string // parts that were read
	waiting   int
	waited    error // of waits, in place of what is there
	mediaType string
	follows   atomic.Int32                                    // followers just now
	content   func(part string) (io.ReadCloser, int64, error) // in place of what is there
	filters   []service.Filter
	asked     func() // by Create and Check, or nil
	large     int    // bytes that runs print that end now
}

type fakeRun struct {
	owner string
	run   api.Run
	body  string
	ended chan struct{}
	log   *journal.Log
	files map[string]string
}

type fakeSession struct {
	owner   string
	session api.Session
	steps   []api.Step
	log     *journal.Log
}

func newFake() *fake {
	return &fake{runs: map[job.ID]*fakeRun{}, keys: map[string]job.ID{}, sessions: map[job.ID]*fakeSession{}, load: api.Load{Answers: true}, mediaType: "text/csv"}
}

func (f *fake) broken() error {
	if f.thrown != nil {
		panic(f.thrown)
	}
	return f.fails
}

// waits is how many have waited for an end.
func (f *fake) waits() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.waiting
}

func (f *fake) Admit(access.Principal) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.full
}

func (f *fake) Create(_ context.Context, by access.Principal, creation service.Creation) (api.Run, bool, error) {
	if f.asked != nil {
		f.asked()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.broken(); err != nil {
		return api.Run{}, false, err
	}
	body, _ := strictjson.Encode(creation.Request)
	if id, ok := f.keys[by.Name+" "+creation.Key]; ok && creation.Key != "" {
		if f.runs[id].body != string(body) {
			return api.Run{}, false, service.ErrKeyReused
		}
		return f.runs[id].run, true, nil
	}
	id, position := job.NewID(time.Now()), len(f.runs)
	made := &fakeRun{
		owner: by.Name, body: string(body), ended: make(chan struct{}), log: journal.New(1 << 20),
		run: api.Run{RunID: id, Status: api.StateQueued, Principal: by.Name, Policy: creation.Request.Policy, Bundle: creation.Request.Bundle, Position: &position, CreatedAt: time.Now()},
	}
	f.runs[id] = made
	if creation.Key != "" {
		f.keys[by.Name+" "+creation.Key] = id
	}
	made.log.Append(api.EventState, []byte(`{"state":"queued","position":0}`))
	if creation.Request.Code == "end" {
		f.endLocked(id, nil, job.Succeeded)
	}
	return made.run, false, nil
}

// end ends a run with files.
func (f *fake) end(id job.ID, files map[string]string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.endLocked(id, files, job.Succeeded)
}

func (f *fake) endLocked(id job.ID, files map[string]string, status job.Status) {
	one := f.runs[id]
	if one.run.Ended() {
		return
	}
	result := job.Result{RunID: id, Status: status, Stdout: "<b>\x00\u2028" + strings.Repeat("x", f.large), Output: "x", Provenance: job.Provenance{Guard: job.GuardEnforced}}
	one.files, one.run.Status, one.run.Position, one.run.EndedAt, one.run.Result = files, api.State(status), nil, time.Now(), &result
	one.log.Append(api.EventResult, nil) // its data is Run's
	one.log.End()
	close(one.ended)
}

func (f *fake) find(by access.Principal, id job.ID) (*fakeRun, error) {
	if err := f.broken(); err != nil {
		return nil, err
	}
	if one, ok := f.runs[id]; ok && by.Sees(one.owner) {
		return one, nil
	}
	return nil, service.ErrNotFound
}

func (f *fake) Run(_ context.Context, by access.Principal, id job.ID) (api.Run, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one, err := f.find(by, id)
	if err != nil {
		return api.Run{}, err
	}
	return one.run, nil
}

func (f *fake) Runs(_ context.Context, by access.Principal, filter service.Filter) (api.Runs, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.broken(); err != nil {
		return api.Runs{}, err
	}
	f.filters = append(f.filters, filter)
	page := api.Runs{Runs: []api.Run{}}
	ids := slices.SortedFunc(maps.Keys(f.runs), func(a, b job.ID) int { return strings.Compare(b.String(), a.String()) })
	for _, id := range ids {
		if one := f.runs[id]; by.Sees(one.owner) && (filter.Cursor == "" || id.String() < filter.Cursor) {
			if len(page.Runs) == filter.Limit {
				page.NextCursor = page.Runs[filter.Limit-1].RunID.String()
				return page, nil
			}
			run := one.run
			run.Result = nil
			page.Runs = append(page.Runs, run)
		}
	}
	return page, nil
}

func (f *fake) Wait(ctx context.Context, by access.Principal, id job.ID) (api.Run, error) {
	f.mu.Lock()
	one, err := f.find(by, id)
	f.waiting++
	err = cmp.Or(err, f.waited)
	f.mu.Unlock()
	if err != nil {
		return api.Run{}, err
	}
	select {
	case <-one.ended:
	case <-ctx.Done():
	}
	return f.Run(ctx, by, id)
}

func (f *fake) Follow(ctx context.Context, by access.Principal, id job.ID, after int64, take func(api.Event) error) error {
	f.mu.Lock()
	one, err := f.find(by, id)
	f.mu.Unlock()
	if err != nil {
		return err
	}
	f.follows.Add(1)
	defer f.follows.Add(-1)
	return followLog(ctx, one.log, after, take)
}

func followLog(ctx context.Context, log *journal.Log, after int64, take func(api.Event) error) error {
	for {
		page, err := log.Next(ctx, after)
		if err != nil {
			if ctx.Err() == nil {
				return nil
			}
			return err
		}
		if page.Gap != nil {
			data, _ := strictjson.Encode(page.Gap)
			if err := take(api.Event{Type: api.EventGap, Data: data}); err != nil {
				return err
			}
		}
		for _, event := range page.Events {
			if err := take(event); err != nil {
				return err
			}
			after = event.Seq
		}
	}
}

func (f *fake) Cancel(_ context.Context, by access.Principal, id job.ID) (api.Run, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one, err := f.find(by, id)
	if err != nil {
		return api.Run{}, err
	}
	f.endLocked(id, nil, job.Cancelled)
	return one.run, nil
}

func (f *fake) Check(_ context.Context, _ access.Principal, request api.CreateRun) (api.Checked, error) {
	if f.asked != nil {
		f.asked()
	}
	if err := f.broken(); err != nil {
		return api.Checked{}, err
	}
	return api.Checked{Policy: request.Policy, Violations: []job.Violation{{Rule: "import.denied", Line: 1, Column: 1, Message: "no"}}}, nil
}

func (f *fake) Files(_ context.Context, by access.Principal, id job.ID) (api.FileList, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one, err := f.find(by, id)
	if err != nil {
		return api.FileList{}, err
	}
	if !one.run.Ended() {
		return api.FileList{}, service.ErrNotEnded
	}
	list := api.FileList{Files: []api.FileInfo{}}
	for _, name := range slices.Sorted(maps.Keys(one.files)) {
		content := one.files[name]
		list.Files = append(list.Files, api.FileInfo{
			Path: name, Bytes: int64(len(content)), SHA256: string(digest.Of([]byte(content)).Hex()), MediaType: f.mediaType, Role: "file",
		})
	}
	return list, nil
}

func (f *fake) Read(_ context.Context, by access.Principal, id job.ID, part string) (io.ReadCloser, int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one, err := f.find(by, id)
	if err != nil {
		return nil, 0, err
	}
	if !one.run.Ended() {
		return nil, 0, service.ErrNotEnded
	}
	f.reads = append(f.reads, part)
	if f.content != nil {
		return f.content(part)
	}
	content := `{"of":"` + part + `"}`
	if name, ok := strings.CutPrefix(part, "files/"); ok {
		if content, ok = one.files[name]; !ok {
			return nil, 0, service.ErrNotFound
		}
	}
	return io.NopCloser(bytes.NewReader([]byte(content))), int64(len(content)), nil
}

func (f *fake) Policies(context.Context) (api.PolicyList, error) {
	return api.PolicyList{Policies: []api.PolicyInfo{{Name: "p"}}}, f.broken()
}

func (f *fake) Policy(_ context.Context, name string) (api.PolicyInfo, error) {
	if err := f.broken(); err != nil {
		return api.PolicyInfo{}, err
	}
	if name != "p" {
		return api.PolicyInfo{}, service.ErrNotFound
	}
	return api.PolicyInfo{Name: "p", Text: "version: 1\n", RequiredTables: []string{"t"}}, nil
}

func (f *fake) Bundles(context.Context) (api.BundleList, error) {
	return api.BundleList{}, f.broken()
}

func (f *fake) Bundle(_ context.Context, reference string) (api.BundleInfo, error) {
	if err := f.broken(); err != nil {
		return api.BundleInfo{}, err
	}
	if reference != "demo@1" {
		return api.BundleInfo{}, service.ErrNotFound
	}
	return api.BundleInfo{Name: "demo", Version: "1", Tables: []api.TableInfo{{Name: "visits", Columns: []api.ColumnInfo{{Name: "age", Type: "integer"}}}}}, nil
}

func (f *fake) Tools(context.Context) (api.ToolList, error) {
	return api.ToolList{Tools: []api.ToolInfo{{Policy: "p", Name: "lookup", Schema: []byte(`{"type":"object"}`)}}}, f.broken()
}

func (f *fake) Me(_ context.Context, by access.Principal) (api.Me, error) {
	me := api.Me{Principal: by.Name, Scopes: []string{}, Quotas: []api.QuotaUse{{Quota: "running", Limit: 8, Used: 1}, {Quota: "queued"}}}
	for _, one := range by.Scopes {
		me.Scopes = append(me.Scopes, string(one))
	}
	return me, f.broken()
}

func (f *fake) Host(context.Context) (api.HostInfo, error) {
	return api.HostInfo{Service: f.load, Engine: &api.EngineInfo{Version: "1", Engine: "oci", Places: 2}}, f.broken()
}

func (f *fake) Load() api.Load {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.load
}
