package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"os/user"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/admission"
	"hotcell/internal/container"
	"hotcell/internal/container/kubernetes"
	"hotcell/internal/container/pool"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/records"
	"hotcell/internal/runner"
)

func (a *app) keepEngine(cmd *cobra.Command, flags engineFlags) (err error) {
	if err := engineFaults(cmd, flags); err != nil {
		return err
	}
	// Before anything else is made: the second signal must not end us at once.
	signals := make(chan os.Signal, 8)
	defer a.signals.leaveTo()()
	signal.Notify(signals, a.signals.heard...)
	if !signal.Ignored(syscall.SIGTSTP) {
		signal.Notify(signals, syscall.SIGTSTP) // Ctrl-Z is a first signal, too: see whileNotStopped
	}
	defer signal.Stop(signals)
	if err := a.makeState(); err != nil {
		return err
	}
	if flags.front.socket != "" {
		if err := outsideState(flags.front.socket, a.state); err != nil {
			return usageError{err}
		}
	}
	a.tellImage()
	collectSooner()
	made, err := a.engineProcess(cmd.Context(), flags)
	if err != nil {
		return err
	}
	// Last: from now on somebody may wait there.
	listener, err := engineapi.Listen(a.state)
	if err != nil {
		return errors.Join(a.ofEngine(err), made.end(cmd.Context()))
	}
	made.front, err = a.listenFront(cmd.Context(), flags.front, made)
	if err != nil {
		return errors.Join(err, listener.Close(), made.end(cmd.Context()))
	}
	return a.lead(cmd.Context(), made, listener, flags, signals)
}

// tellImage says before the first run that the image is not this program's, as it is after an
// upgrade: what its guard lets pass that this one refuses would pass unsaid.
func (a *app) tellImage() {
	store, err := a.images()
	if err != nil {
		return // the engine says why
	}
	found, err := store.Resolve(pythonanalysis.Name)
	if err == nil {
		err = oldImage(found)
	}
	if err != nil {
		fmt.Fprintln(a.stderr, "runner: "+inLine(err.Error()))
	}
}

func engineFaults(cmd *cobra.Command, flags engineFlags) error {
	faults := &flagFaults{command: cmd}
	if !slices.Contains(engineNames, flags.engine) {
		faults.add(unknownEngine(flags.engine))
	}
	faults.refuse("runtime", flags.runtime == "", "the name of a runtime; leave the flag out for the engine's choice")
	faults.refuse("max-runs", flags.maxRuns < 1 || flags.maxRuns > 4096, "a number of runs from 1 to 4096")
	faults.refuse("sweep-every", flags.sweepEvery <= 0, "a time above 0")
	for _, one := range flags.warm {
		policy, bundle, named := strings.Cut(one, ":")
		faults.refuse("warm", policy == "" || named && bundle == "", "POLICY or POLICY:BUNDLE")
	}
	faults.refuse("warm", len(flags.warm) > pool.DefaultTemplates, fmt.Sprintf("given at most %d times: no more kinds are kept ready", pool.DefaultTemplates))
	flags.front.faults(faults)
	faults.refuse("forks", flags.forks < 5 || flags.forks > 1000, "a number of sandboxes from 5 to 1000") // four are idle
	faults.add(needsRoot(flags.engine, os.Geteuid()))
	return faults.usage()
}

// needsRoot refuses an engine whose sandboxes are on this machine, and who is not its root.
func needsRoot(engine string, user int) error {
	if user == 0 || engine == kubernetes.Name {
		return nil
	}
	return errors.New("runner engine needs root: its runs are for a whole machine (with --engine kubernetes they are elsewhere, and any user will do)")
}

// engineProcess is what answers, and what it asks. The runner lives on: what it has read
// and compiled for one request is there for the next.
type engineProcess struct {
	server *engineapi.Server
	front  net.Listener // or nil
	runner keeper
	warm   *pool.Pool // nil where none is kept
	sweep  func(ctx context.Context) error
}

// keeper is a runner.Runner that lives on.
type keeper interface {
	Warm(ctx context.Context, policy, bundle string) error
	Close(ctx context.Context) error
}

// end ends what is under way and what is kept ready, in this order: a run may still use it.
// It does so whatever became of ctx.
func (e *engineProcess) end(ctx context.Context) error {
	ctx, cancel := container.ReleaseContext(ctx)
	defer cancel()
	err := e.runner.Close(ctx)
	if e.warm != nil {
		e.warm.Close()
	}
	return err
}

func (a *app) engineProcess(ctx context.Context, flags engineFlags) (*engineProcess, error) {
	a.makesMany()
	engine, err := a.engine(ctx, flags.engine, flags.runtime)
	if err != nil {
		return nil, err
	}
	options, err := a.runnerOptions(ctx, engine)
	if err != nil {
		return nil, err
	}
	kept, err := a.records()
	if err != nil {
		return nil, err
	}
	room, err := a.room(engine.Name(), flags.maxRuns)
	if err != nil {
		return nil, err
	}
	// What gives out sandboxes is chosen here, and nowhere else.
	warm, err := a.pool(ctx, engine, flags)
	if err != nil {
		return nil, err
	}
	if warm != nil {
		options.Sandboxes = warm
	}
	options.Removal = a.removal(room)
	made, err := runner.New(options)
	if err != nil {
		return nil, err
	}
	front, err := a.frontOptions(flags.front, made, kept)
	if err != nil {
		return nil, err
	}
	gate, sessions, err := gates(room)
	if err != nil {
		return nil, err
	}
	server, err := engineapi.NewServer(engineapi.Options{
		Service: probing{engineapi.Local{Runner: made}, engine}, Gate: gate, Sessions: sessions, Requests: room.Places + room.Queues,
		Caller: new(callers).of, Signer: a.signerSeen, Logger: a.logger(),
		About:     engineapi.Description{Version: thisBuild().Version, Engine: engine.Name(), Daemon: daemonOf(engine.Name()), Places: room.Places},
		Templates: func() ([]engineapi.Kind, int64) { return templatesOf(warm) }, RemovalsFailed: made.RemovalsFailed, Front: front,
	})
	if err != nil {
		return nil, err
	}
	sweep := func(ctx context.Context) error { return errors.Join(a.sweepAll(ctx, engine, kept)) }
	return &engineProcess{server: server, runner: made, warm: warm, sweep: sweep}, nil
}

// removal is of sandboxes whose runs have been answered: as many at a time as there are runs.
func (a *app) removal(room admission.Options) runner.Removal {
	return runner.Removal{Pending: room.Places, Failed: func(sandbox container.ID, err error) {
		a.logger().Warn("a sandbox could not be removed", "sandbox", sandbox, "reason", err)
	}}
}

// signerSeen is signerName for those who ask an engine process. They run cold where it cannot sign, and learn why.
func (a *app) signerSeen() string {
	name, err := a.signerName()
	if err != nil {
		return "a key that cannot be used"
	}
	return name
}

// gates are what all requests go through, and what sessions go through before.
func gates(room admission.Options) (all, sessions *admission.Gate, err error) {
	if all, err = admission.New(room); err != nil {
		return nil, nil, err
	}
	sessions, err = admission.New(room.ButOne())
	return all, sessions, err
}

// templatesOf tells what a pool has ready, and how many bytes that may hold.
func templatesOf(warm *pool.Pool) ([]engineapi.Kind, int64) {
	told := []engineapi.Kind{}
	if warm == nil {
		return told, 0
	}
	for _, one := range warm.Stock() {
		told = append(told, engineapi.Kind{
			For: one.For, Runtime: one.Runtime, Image: one.Image, Bundle: one.Bundle, Ready: one.Idle, Made: one.Made,
			AgeMS: one.Age.Milliseconds(), MemoryBytes: one.MemoryBytes, Failure: one.Failure,
		})
	}
	return told, warm.MaxMemory()
}

// pool keeps sandboxes ready where the engine can have some, and is nil elsewhere.
func (a *app) pool(ctx context.Context, engine container.Engine, flags engineFlags) (*pool.Pool, error) {
	warmer, able := engine.(container.Warmer)
	if !able {
		return nil, nil
	}
	memory, err := roomForTemplates(engine.Name())
	if err != nil {
		return nil, err
	}
	files, err := a.sourceFiles(engine)
	if err != nil {
		return nil, err
	}
	// By its name also where it is the engine's choice: a request may name it, too.
	ociRuntime := flags.runtime
	if engine.Name() == "oci" && ociRuntime == "" {
		host, err := engine.Probe(ctx, "")
		if err != nil {
			return nil, err
		}
		ociRuntime, _, _ = strings.Cut(host.Runtime, " ")
	}
	return pool.New(pool.Options{Engine: warmer, Files: files, Runtime: ociRuntime, Forks: flags.forks, MemoryBytes: memory, Logger: a.logger()})
}

// callers are the users of this host, by what the kernel says of them.
type callers struct{ names sync.Map }

// of gives rights to root alone: who is root here can start containers without us.
func (c *callers) of(uid uint32) runner.Caller {
	name, known := c.names.Load(uid)
	if !known {
		name = userName(uid)
		c.names.Store(uid, name)
	}
	caller := runner.Caller{Name: fmt.Sprint("shell user ", name), Actor: job.ActorOf(uid, records.Brief(fmt.Sprint(name)))}
	if uid == 0 {
		caller.Rights = runner.AllRights()
	}
	return caller
}

func userName(uid uint32) string {
	number := strconv.FormatUint(uint64(uid), 10)
	found, err := user.LookupId(number)
	if err != nil {
		return "uid " + number
	}
	return cmp.Or(found.Username, "uid "+number)
}

// probing asks for each runtime that a caller chooses, before anything else, whether the
// host has it, as a command that runs cold does.
type probing struct {
	engineapi.Service
	engine interface {
		Probe(ctx context.Context, runtime string) (container.Host, error)
	}
}

func (p probing) probe(ctx context.Context, ask runner.Ask) error {
	name := ask.Request.Runtime
	if name == "" || !ask.Caller.Rights.ChooseRuntime {
		return nil
	}
	_, err := p.engine.Probe(ctx, name)
	return err
}

// Run implements engineapi.Service.
func (p probing) Run(ctx context.Context, ask runner.Ask) (runner.Response, error) {
	if err := p.probe(ctx, ask); err != nil {
		return runner.Response{}, err
	}
	return p.Service.Run(ctx, ask)
}

// Check implements engineapi.Service.
func (p probing) Check(ctx context.Context, ask runner.Ask) (runner.Checked, error) {
	if err := p.probe(ctx, ask); err != nil {
		return runner.Checked{}, err
	}
	return p.Service.Check(ctx, ask)
}

// OpenSession implements engineapi.Service.
func (p probing) OpenSession(ctx context.Context, ask runner.Ask) (engineapi.Session, error) {
	if err := p.probe(ctx, ask); err != nil {
		return nil, err
	}
	return p.Service.OpenSession(ctx, ask)
}
