package tracing_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/tracing"
)

// receiver is a collector, which keeps what it gets.
type receiver struct {
	mu   sync.Mutex
	raw  strings.Builder
	got  []*spans.Span
	fail bool
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fail {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	body, _ := io.ReadAll(request.Body)
	r.raw.Write(body)
	var sent collector.ExportTraceServiceRequest
	if err := proto.Unmarshal(body, &sent); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	for _, resource := range sent.GetResourceSpans() {
		for _, scope := range resource.GetScopeSpans() {
			r.got = append(r.got, scope.GetSpans()...)
		}
	}
}

func listen(t *testing.T, r *receiver) *tracing.Tracer {
	t.Helper()
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
	tracer, err := tracing.FromEnvironment(t.Context(), "v1", slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.NotNil(t, tracer)
	return tracer
}

var began = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func run(id string) api.Run {
	parsed, err := job.ParseID(id)
	if err != nil {
		panic(err)
	}
	return api.Run{
		RunID: parsed, Status: api.State(job.Succeeded), Policy: "study-analysis", CreatedAt: began, QueuedMS: 1000, EndedAt: began.Add(3 * time.Second), Attempt: 1,
		Result: &job.Result{},
	}
}

const someID = "1795219431042-9f86d081884c7d65"

func TestARunIsOneSpanWithItsParts(t *testing.T) {
	r := &receiver{}
	tracer := listen(t, r)
	tracer.Ended(run(someID), &job.Trace{Phases: []job.PhaseTime{{Phase: job.PartRunning, MS: 1500}, {Phase: job.PartCommitting, MS: 500}}},
		"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	require.NoError(t, tracer.Close(t.Context()))
	named := map[string]*spans.Span{}
	for _, one := range r.got {
		named[one.GetName()] = one
		require.Equal(t, "0af7651916cd43dd8448eb211c80319c", hexOf(one.GetTraceId()))
	}
	require.Len(t, named, 4)
	require.Equal(t, "b7ad6b7169203331", hexOf(named["run"].GetParentSpanId()))
	require.EqualValues(t, 3*time.Second, named["run"].GetEndTimeUnixNano()-named["run"].GetStartTimeUnixNano())
	require.EqualValues(t, began.Add(time.Second).UnixNano(), named["running"].GetStartTimeUnixNano())
	require.EqualValues(t, 500*time.Millisecond, named["committing"].GetEndTimeUnixNano()-named["committing"].GetStartTimeUnixNano())
	require.Equal(t, named["run"].GetSpanId(), named["queue"].GetParentSpanId())
	require.Contains(t, r.raw.String(), someID)
}

func hexOf(text []byte) string {
	const digits = "0123456789abcdef"
	var to strings.Builder
	for _, one := range text {
		to.WriteByte(digits[one>>4])
		to.WriteByte(digits[one&15])
	}
	return to.String()
}

// TestNothingOfARunIsInItsSpans: whatever code, its guard or its caller writes.
func TestNothingOfARunIsInItsSpans(t *testing.T) {
	const canary = "canary-4711"
	r := &receiver{}
	tracer := listen(t, r)
	for range 1000 {
		one := run(someID)
		one.Status, one.Bundle = canary, canary
		one.Error = &api.Problem{Type: canary, Title: canary, Detail: canary}
		one.Result = &job.Result{Stdout: canary, Output: canary, Files: []job.File{{Path: canary}}, Error: &job.Error{Message: canary}}
		tracer.Ended(one, &job.Trace{Phases: []job.PhaseTime{{Phase: canary, MS: 1}}}, canary)
	}
	require.NoError(t, tracer.Close(t.Context()))
	require.NotEmpty(t, r.got)
	require.NotContains(t, r.raw.String(), canary)
}

func TestNothingIsSentUnlessACollectorIsNamed(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "")
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "")
	tracer, err := tracing.FromEnvironment(t.Context(), "v1", slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.Nil(t, tracer)
	tracer.Ended(run(someID), nil, "")
	require.NoError(t, tracer.Close(t.Context()))
}

func TestACollectorThatRefusesIsNoFailure(t *testing.T) {
	r := &receiver{fail: true}
	tracer := listen(t, r)
	tracer.Ended(run(someID), nil, "")
	require.NoError(t, tracer.Close(t.Context()))
}
