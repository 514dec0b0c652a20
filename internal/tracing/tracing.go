// Package tracing tells a collector of OpenTelemetry how long the parts of each run took.
//
// A run's spans are made when it has ended, of the times that the service and the engine
// have kept: nothing is exported out of a sandbox, nor while code runs. A span has the run's
// id, its policy, its status and which attempt it was, and never code, output or data.
// Nothing is sent unless the environment names a collector.
package tracing

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"hotcell/api"
	"hotcell/internal/job"
)

// Tracer sends spans. A nil one sends none. Its methods may be called concurrently.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// The variables by which OpenTelemetry names a collector, and which of them there is.
var endpoints = []string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"}

// FromEnvironment is nil where no collector is named. Everything else of the exporter is by
// OpenTelemetry's own variables, too.
func FromEnvironment(ctx context.Context, version string, logger *slog.Logger) (*Tracer, error) {
	named := false
	for _, one := range endpoints {
		named = named || os.Getenv(one) != ""
	}
	if !named {
		return nil, nil //nolint:nilnil // a nil Tracer sends nothing
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("trace to %s: %w", os.Getenv(endpoints[1]), err)
	}
	about, err := resource.Merge(resource.Environment(), resource.NewSchemaless(
		attribute.String("service.name", "hotcell"), attribute.String("service.version", version),
	))
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(told{exporter, logger}), sdk.WithResource(about))
	return &Tracer{provider, provider.Tracer("hotcell")}, nil
}

// told is an exporter whose failures are logged: what is traced must not be what fails.
type told struct {
	sdk.SpanExporter
	logger *slog.Logger
}

// ExportSpans implements sdk.SpanExporter.
func (t told) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	if err := t.SpanExporter.ExportSpans(ctx, spans); err != nil {
		t.logger.Warn("spans could not be sent", "spans", len(spans), "reason", err)
	}
	return nil
}

// Ended sends the spans of a run. parent is a traceparent header of whoever asked for it, or
// "": one that is none is taken for "".
func (t *Tracer) Ended(run api.Run, parts *job.Trace, parent string) {
	if t == nil {
		return
	}
	ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{"traceparent": parent})
	ctx, whole := t.tracer.Start(ctx, "run", trace.WithTimestamp(run.CreatedAt), trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
		attribute.String("hotcell.run_id", run.RunID.String()), attribute.String("hotcell.policy", run.Policy),
		attribute.String("hotcell.status", string(status(run))), attribute.Int("hotcell.attempt", run.Attempt),
	))
	if run.Status == api.StateError {
		whole.SetStatus(codes.Error, "")
	}
	at := run.CreatedAt.Add(time.Duration(run.QueuedMS) * time.Millisecond)
	t.part(ctx, "queue", run.CreatedAt, at)
	if parts != nil {
		for _, one := range parts.Phases {
			end := at.Add(time.Duration(one.MS * float64(time.Millisecond)))
			t.part(ctx, name(one.Phase), at, end)
			at = end
		}
	}
	whole.End(trace.WithTimestamp(run.EndedAt))
}

func (t *Tracer) part(ctx context.Context, name string, from, to time.Time) {
	_, span := t.tracer.Start(ctx, name, trace.WithTimestamp(from))
	span.End(trace.WithTimestamp(to))
}

// status is one that there is, whatever was answered.
func status(run api.Run) api.State {
	for _, one := range job.Statuses() {
		if run.Status == api.State(one) {
			return run.Status
		}
	}
	return api.StateError
}

// name is of a part of a run, as job.Trace has them, or "other".
func name(part string) string {
	if slices.Contains(job.TraceParts(), part) {
		return part
	}
	return "other"
}

// Close sends what is left, at most until ctx ends.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}
