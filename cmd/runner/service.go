package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"hotcell/internal/admission"
	"hotcell/internal/container"
	"hotcell/internal/container/docker"
	"hotcell/internal/engineapi"
	"hotcell/internal/policy"
	"hotcell/internal/runner"
)

// addCold declares --cold, which is of all commands that run or vet code.
func addCold(command *cobra.Command, cold *bool) {
	command.Flags().BoolVar(cold, "cold", false, "make the container in this process, even if an engine process listens (see runner engine --help)")
}

// service is what carries the requests of one command out: the engine that listens, or
// this process. Only an engine that would do the same is asked. One that does not answer
// is an error, and so is one that ends: a second way must not be taken in silence.
func (a *app) service(ctx context.Context, chosen target) (engineapi.Service, error) {
	if chosen.isRemote() {
		return a.remote(chosen.serverFlags)
	}
	if why := a.mustBeCold(chosen); why != "" {
		a.logger().Debug("runs in this process", "because", why)
		return a.coldService(ctx, chosen)
	}
	if _, err := os.Lstat(a.socket()); errors.Is(err, fs.ErrNotExist) {
		return a.coldService(ctx, chosen)
	}
	if err := a.makeState(); err != nil {
		return nil, err
	}
	client, err := engineapi.Connect(ctx, a.state)
	if errors.Is(err, engineapi.ErrNone) { // it has just ended
		return a.coldService(ctx, chosen)
	}
	if err != nil {
		return nil, fmt.Errorf("%w; --cold runs without it", a.ofEngine(err))
	}
	about := client.About()
	signer, err := a.signerName()
	if err != nil {
		return nil, errors.Join(err, client.Close())
	}
	if why := unfit(about, chosen, signer); why != "" {
		a.logger().Debug("runs in this process", "because", why, "engine", a.socket())
		if err := client.Close(); err != nil {
			return nil, err
		}
		return a.coldService(ctx, chosen)
	}
	if about.Draining {
		return nil, errors.Join(a.ofEngine(admission.ErrDraining), client.Close())
	}
	a.logger().Debug("engine listens", "socket", a.socket(), "engine", about.Engine, "version", about.Version)
	return named{client, a}, nil
}

func (a *app) coldService(ctx context.Context, chosen target) (engineapi.Service, error) {
	made, err := a.newRunner(ctx, chosen)
	if err != nil {
		return nil, err
	}
	return shell{engineapi.Local{Runner: made}}, nil
}

// shell is a service of this process: who asks is who started it. An engine process looks
// for itself.
type shell struct{ engineapi.Local }

// Run implements engineapi.Service.
func (s shell) Run(ctx context.Context, ask runner.Ask) (runner.Response, error) {
	ask.Caller = shellUser()
	return s.Local.Run(ctx, ask)
}

// Check implements engineapi.Service.
func (s shell) Check(ctx context.Context, ask runner.Ask) (runner.Checked, error) {
	ask.Caller = shellUser()
	return s.Local.Check(ctx, ask)
}

// OpenSession implements engineapi.Service.
func (s shell) OpenSession(ctx context.Context, ask runner.Ask) (engineapi.Session, error) {
	ask.Caller = shellUser()
	return s.Local.OpenSession(ctx, ask)
}

// mustBeCold says why an engine is not even looked for, or "".
func (a *app) mustBeCold(chosen target) string {
	switch {
	case chosen.cold:
		return "of --cold"
	case policy.Limited(os.Environ()):
		return policy.LimitPrefix + "… stands in this environment, which an engine process does not have"
	case chosen.tools:
		return "a tool has what this process has: its limits, its control group, its view of the files"
	default:
		return ""
	}
}

// unfit says why what listens would not do what this process does, or "".
func unfit(about engineapi.Description, chosen target, signer string) string {
	wanted := chosen.engine
	if wanted == "auto" {
		wanted = autoEngine(runtime.GOOS, os.Geteuid(), exec.LookPath)
	}
	switch {
	case about.Protocol != engineapi.Protocol || about.Version != thisBuild().Version:
		return fmt.Sprintf("what listens is runner %s, and this is %s", about.Version, thisBuild().Version)
	case about.Engine != wanted:
		return fmt.Sprintf("what listens has the engine %s, and %s is wanted", about.Engine, wanted)
	case about.Daemon != daemonOf(wanted):
		return fmt.Sprintf("what listens asks %s for containers, and %s is wanted", about.Daemon, daemonOf(wanted))
	case about.Signer != signer:
		return fmt.Sprintf("what listens signs with %s, and %s is wanted", keyNamed(about.Signer), keyNamed(signer))
	default:
		return ""
	}
}

func keyNamed(sum string) string { return cmp.Or(sum, "no key") }

// daemonOf is where an engine asks for containers.
func daemonOf(engine string) string {
	if engine != "docker" {
		return ""
	}
	host, _ := docker.DefaultHost()
	return host
}

func (a *app) socket() string { return filepath.Join(a.state, engineapi.SocketName) }

// ofEngine names the engine that failed.
func (a *app) ofEngine(err error) error { return fmt.Errorf("engine at %s: %w", a.socket(), err) }

// named is an engine's service, whose own failures name the engine.
type named struct {
	*engineapi.Client
	app *app
}

// Run implements engineapi.Service.
func (n named) Run(ctx context.Context, ask runner.Ask) (runner.Response, error) {
	response, err := n.Client.Run(ctx, ask)
	return response, n.app.explained(err)
}

// Check implements engineapi.Service.
func (n named) Check(ctx context.Context, ask runner.Ask) (runner.Checked, error) {
	found, err := n.Client.Check(ctx, ask)
	return found, n.app.explained(err)
}

// OpenSession implements engineapi.Service.
func (n named) OpenSession(ctx context.Context, ask runner.Ask) (engineapi.Session, error) {
	session, err := n.Client.OpenSession(ctx, ask)
	if err != nil {
		return nil, n.app.explained(err)
	}
	return namedSession{session, n.app}, nil
}

type namedSession struct {
	engineapi.Session
	app *app
}

// Step implements engineapi.Session.
func (s namedSession) Step(ctx context.Context, script runner.Script) (runner.Response, error) {
	response, err := s.Session.Step(ctx, script)
	return response, s.app.explained(err)
}

// Close implements engineapi.Session.
func (s namedSession) Close(ctx context.Context) (runner.Response, error) {
	response, err := s.Session.Close(ctx)
	return response, s.app.explained(err)
}

// explained makes an engine's error what it is to a command that runs cold.
func (a *app) explained(err error) error {
	switch {
	case errors.Is(err, container.ErrUnknownRuntime) && !errors.Is(err, runner.ErrInput):
		return usageError{err}
	case errors.Is(err, engineapi.ErrLost), errors.Is(err, engineapi.ErrMalformed), errors.Is(err, admission.ErrFull), errors.Is(err, admission.ErrDraining):
		return a.ofEngine(err)
	default:
		return err
	}
}
