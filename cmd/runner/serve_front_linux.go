package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/answer"
	"hotcell/internal/container"
	"hotcell/internal/engineapi"
	"hotcell/internal/httpapi"
	"hotcell/internal/job"
	"hotcell/internal/metrics"
	"hotcell/internal/output"
	"hotcell/internal/sarif"
	"hotcell/internal/serveconfig"
	"hotcell/internal/service"
	"hotcell/internal/tracing"
)

// frontProcess is what `runner serve` is made of. It has no rights: its engine does everything.
type frontProcess struct {
	config    serveconfig.Config
	logger    *slog.Logger
	engine    *engineapi.Front
	tracer    *tracing.Tracer
	counts    *metrics.Metrics
	service   *service.Broker
	front     *httpapi.Door
	listeners []serveconfig.Listener
	shown     *serveconfig.Listener // of the metrics, or nil
}

// newFrontProcess opens everything, or nothing.
func newFrontProcess(ctx context.Context, config serveconfig.Config, logger *slog.Logger) (_ *frontProcess, err error) {
	p := &frontProcess{config: config, logger: logger, engine: engineapi.NewFront(config.Engine)}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.close(ctx))
		}
	}()
	who, err := config.Authenticator(logger)
	if err != nil {
		return nil, err
	}
	version := thisBuild().Version
	if p.tracer, err = tracing.FromEnvironment(ctx, version, logger); err != nil {
		return nil, err
	}
	if p.counts, err = p.newMetrics(ctx, version); err != nil {
		return nil, err
	}
	// Runs that an engine still has may end from now on.
	if p.service, err = service.New(p.serviceOptions()); err != nil { //nolint:contextcheck // it outlives the signal that ends the command: it drains
		return nil, err
	}
	p.front, err = httpapi.New(httpapi.Options{
		Backend: p.service, Authenticator: who, Logger: logger, Observe: p.counts.Request,
		Version: api.VersionInfo{Version: version, API: "v1", Engine: p.engineName(ctx), StartedAt: time.Now().UTC()},
		Hosts:   config.Hosts, Origins: config.Origins,
		Limits: httpapi.Room{BodyBytes: config.Limits.BodyBytes, Connections: config.Limits.Connections},
	})
	if err != nil {
		return nil, err
	}
	if err := p.mountMCP(version); err != nil { //nolint:contextcheck // it serves as long as the process lives
		return nil, err
	}
	if p.listeners, err = config.Open(ctx, logger); err != nil || config.Metrics == nil {
		return p, err
	}
	shown, err := config.OpenMetrics(ctx, logger)
	if err != nil {
		return nil, err
	}
	p.shown = &shown
	return p, nil
}

func (p *frontProcess) serviceOptions() service.Options {
	return service.Options{
		Engine: p.engine, Dir: p.config.Data, MaxQueued: p.config.Limits.Queue, MaxQueuedBytes: p.config.Limits.QueueBytes,
		Logger:   p.logger,
		Quotas:   func(principal string) service.Quotas { return service.Quotas(p.config.Quotas.For(principal)) },
		Sessions: service.SessionLimits{Most: p.config.Sessions.Most, Idle: p.config.Sessions.Idle, Total: p.config.Sessions.Total},
		Ended:    p.ended,
	}
}

// engineName is what makes containers, where that is known at the start.
func (p *frontProcess) engineName(ctx context.Context) string {
	about, err := p.engine.About(ctx)
	if err != nil {
		return "unknown"
	}
	return about.Engine
}

// ended hears of each run that has ended.
func (p *frontProcess) ended(run api.Run, parts *job.Trace, parent string) {
	p.counts.Ended(metrics.Ended{Run: run, Trace: parts})
	p.tracer.Ended(run, parts, parent)
}

// newMetrics names all that a series can be named by, before the first run. Tools are those that
// the administrator has registered by now.
func (p *frontProcess) newMetrics(ctx context.Context, version string) (*metrics.Metrics, error) {
	rules, err := sarif.RuleIDs()
	if err != nil {
		return nil, err
	}
	var tools []string
	found, err := p.engine.Tools(ctx)
	for _, one := range found {
		tools = append(tools, one.Name)
	}
	if err != nil {
		p.logger.Warn("the engine does not say which tools there are: their calls are counted as other", "reason", err)
	}
	return metrics.New(metrics.Options{
		Version: version, Rules: slices.Concat(rules, output.AllRules(), []string{answer.RuleAnswer}), Controls: container.Controls(),
		Phases: job.TraceParts(), Tools: tools, Engine: p.engine.Status,
		Backlog: func() metrics.Backlog {
			now := p.service.Backlog()
			return metrics.Backlog{Queued: now.Queued, Oldest: now.Oldest, Running: now.Running, Sessions: now.Sessions}
		},
	})
}

// lead answers until ctx ends, or a listener does, and then ends in order: no new run, sessions
// told, and what runs is waited for as long as the configuration says.
func (p *frontProcess) lead(ctx context.Context) error {
	answering, stop := context.WithCancel(ctx)
	defer stop()
	var servers []*http.Server
	var serving []*task
	serve := func(server *http.Server, listener serveconfig.Listener) {
		servers = append(servers, server)
		serving = append(serving, begin("serving requests", func() error {
			defer stop()
			if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
				return fmt.Errorf("serve requests at %s: %w", listener.Addr(), err)
			}
			return nil
		}))
	}
	for _, one := range p.listeners {
		server := p.front.Server()
		serve(server, one)
		p.logger.Info("listening", "at", one.Addr().String(), "kind", one.Kind)
	}
	if p.shown != nil {
		serve(p.metricsServer(), *p.shown)
		p.logger.Info("metrics are shown", "at", p.shown.Addr().String())
	}
	p.listeners, p.shown = nil, nil // the servers close them
	notify(p.logger, daemon.SdNotifyReady)
	var broken error
	select {
	case <-answering.Done():
	case <-p.service.Failed():
		broken = errors.New("the service has failed, and ends: its log says why; what it has accepted is on the disk")
	}
	notify(p.logger, daemon.SdNotifyStopping)
	return errors.Join(broken, p.drain(ctx), p.endServers(ctx, servers), waitAll(serving))
}

// metricsServer answers every request by the rules of the front's own paths.
func (p *frontProcess) metricsServer() *http.Server {
	return &http.Server{
		Handler: access.LetIn(p.front.ForPrograms(p.counts.Handler())), ConnContext: access.ConnContext, DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, WriteTimeout: 30 * time.Second,
	}
}

// drain waits for what runs. What is left when the time is over goes on in the engine, and is found
// at the next start.
func (p *frontProcess) drain(ctx context.Context) error {
	p.logger.Info("the service ends", "waits_at_most", p.config.Drain.String())
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), p.config.Drain)
	defer cancel()
	if err := p.service.Drain(ctx); errors.Is(err, context.DeadlineExceeded) {
		p.logger.Info("what still runs goes on in the engine, and is found at the next start", "reason", err)
	} else if err != nil {
		return err
	}
	return nil
}

func (p *frontProcess) endServers(ctx context.Context, servers []*http.Server) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
	defer cancel()
	var faults []error
	for _, one := range servers {
		if err := one.Shutdown(ctx); err != nil {
			faults = append(faults, one.Close())
		}
	}
	return errors.Join(faults...)
}

func waitAll(tasks []*task) error {
	var faults []error
	for _, one := range tasks {
		faults = append(faults, one.wait())
	}
	return errors.Join(faults...)
}

// close ends whatever has been opened.
func (p *frontProcess) close(ctx context.Context) error {
	var faults []error
	for _, one := range p.listeners {
		faults = append(faults, one.Close())
	}
	if p.shown != nil {
		faults = append(faults, p.shown.Close())
	}
	if p.service != nil {
		faults = append(faults, p.service.Close()) //nolint:contextcheck // it ends whatever became of the command
	}
	p.engine.Close()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
	defer cancel()
	return errors.Join(append(faults, p.tracer.Close(ctx))...)
}
