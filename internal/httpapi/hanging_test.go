package httpapi_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/httpapi"
	"hotcell/internal/job"
	"hotcell/internal/service"
)

// hanging is a back end whose engine says nothing: what is not ours alone waits without end.
type hanging struct{ *fake }

func (h hanging) hang(ctx context.Context) error {
	if service.IsFromMemory(ctx) {
		return service.ErrElsewhere
	}
	h.mu.Lock()
	h.waiting++
	h.mu.Unlock()
	<-ctx.Done()
	return context.Cause(ctx)
}

func (h hanging) Run(ctx context.Context, by access.Principal, id job.ID) (api.Run, error) {
	run, err := h.fake.Run(ctx, by, id)
	if err == nil && run.Policy == "elsewhere" {
		err = h.hang(ctx)
	}
	return run, err
}

func (h hanging) Files(ctx context.Context, by access.Principal, id job.ID) (api.FileList, error) {
	if _, err := h.Run(ctx, by, id); err != nil {
		return api.FileList{}, err
	}
	return h.fake.Files(ctx, by, id)
}

func (h hanging) StepNow(ctx context.Context, by access.Principal, id job.ID, number int) (api.Step, error) {
	step, err := h.fake.StepNow(ctx, by, id, number)
	if err == nil && number == 1 {
		err = h.hang(ctx)
	}
	return step, err
}

// TestAnEngineThatHangsHoldsUpNobodyElse: by each way that there is to what only a record has, and by
// two principals. What is in memory is answered, and what is not ends in its time.
func TestAnEngineThatHangsHoldsUpNobodyElse(t *testing.T) {
	var back hanging
	d := newDesk(t, httpapi.Room{EngineTime: 300 * time.Millisecond, Requests: 64}, func(o *httpapi.Options) {
		back.fake, _ = o.Backend.(*fake)
		o.Backend = back
	})
	ask := func(method, path, as, body string) answered {
		return d.do(asking{method: method, path: path, as: as, body: body})
	}
	kept := map[string]string{}
	for _, who := range []string{"anna", "ben"} {
		run := "/v1/runs/" + idOf(t, ask("POST", "/v1/runs", who, `{"policy":"elsewhere","code":"end"}`)).String()
		session := ask("POST", "/v1/sessions", who, `{"policy":"p"}`).header.Get("Location")
		for range 2 {
			require.Equal(t, http.StatusCreated, ask("POST", session+"/steps", who, `{"code":"end"}`).status)
		}
		kept[who] = session + "/steps/2"
		for _, path := range []string{run, run + "/files", run + "/files/a.csv", run + "/events", session + "/steps/1"} {
			for range 2 {
				go ask("GET", path, who, "")
			}
		}
	}
	require.Eventually(t, func() bool { return d.fake.waits() >= 3 }, 10*time.Second, time.Millisecond, "two and one of four")
	own := d.create("anna", "").String()
	other := d.create("root", "").String()
	require.Equal(t, http.StatusOK, ask("GET", "/v1/runs/"+own, "anna", "").status)
	require.Equal(t, http.StatusOK, ask("GET", kept["ben"], "ben", "").status)
	require.Equal(t, http.StatusAccepted, ask("POST", "/v1/runs/"+other+"/cancel", "root", "").status)
	run := idOf(t, ask("POST", "/v1/runs", "root", `{"policy":"elsewhere","code":"end"}`)).String()
	told := d.refused(asking{method: "GET", path: "/v1/runs/" + run, as: "root"}, http.StatusServiceUnavailable, "engine-unavailable")
	require.Equal(t, "the engine does not answer", told.Detail)
	require.Positive(t, told.RetryAfter)
}
