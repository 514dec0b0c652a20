package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
)

// Name is what Engine.Name returns.
const Name = "kubernetes"

// Artifacts names what nodes get from a registry.
type Artifacts interface {
	// Image returns the architecture of an image that this host has, as Go names it.
	Image(ctx context.Context, image digest.Digest) (architecture string, err error)
	// Bundle returns the digest of the manifest by which nodes pull a bundle of this host's.
	Bundle(ctx context.Context, bundle digest.Digest) (digest.Digest, error)
}

// Options configures an Engine. StateDir and Artifacts are required.
type Options struct {
	Settings  Settings
	StateDir  string // outputs, while a sandbox exists; made when absent
	Artifacts Artifacts
	Logger    *slog.Logger // nil discards

	// config of the cluster, for tests; nil for that of Settings.
	config *rest.Config
}

// Engine makes sandboxes in pods. It implements container.Engine.
type Engine struct {
	opening   *container.Opening
	api       *clients
	settings  Settings
	stateDir  string
	artifacts Artifacts
	log       *slog.Logger

	leasing sync.Mutex
	holder  *holder // nil before the first sandbox

	standbyAge    time.Duration
	sweepPatience time.Duration // a test's is shorter

	mu      sync.Mutex
	seen    map[where]sighting
	nodes   []corev1.Node // that sandboxes may be on, at nodesAt
	nodesAt time.Time
}

var _ container.Engine = (*Engine)(nil)

// New makes an Engine. It does not speak to the cluster: Probe does. The caller must Close it.
func New(options Options) (*Engine, error) {
	if options.StateDir == "" || options.Artifacts == nil {
		return nil, errors.New("make kubernetes engine: StateDir and Artifacts are required")
	}
	settings, err := options.Settings.complete()
	if err != nil {
		return nil, fmt.Errorf("make kubernetes engine: %w", err)
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	api, err := reach(options)
	if err != nil {
		return nil, fmt.Errorf("make kubernetes engine: %w", err)
	}
	if err := os.MkdirAll(options.StateDir, 0o700); err != nil {
		return nil, fmt.Errorf("make state directory: %w", err)
	}
	made := &Engine{
		api: api, settings: settings, stateDir: options.StateDir, artifacts: options.Artifacts, log: options.Logger,
		seen: map[where]sighting{}, standbyAge: standbyAge, sweepPatience: sweepPatience,
	}
	made.opening = container.NewOpening(made.leave)
	return made, nil
}

func reach(options Options) (*clients, error) {
	if options.config != nil {
		return dial(options.config)
	}
	return connect(options.Settings.Context)
}

// Name implements container.Engine.
func (e *Engine) Name() string { return Name }

// Close implements container.Engine.
func (e *Engine) Close() error {
	e.opening.Close()
	return nil
}

// leave gives the lease back. What cannot be given back runs out.
func (e *Engine) leave() {
	if err := e.release(); err != nil {
		e.log.Warn("the runner's lease stays until it has run out", "error", err)
	}
	e.api.close()
}

// Create implements container.Engine. The pod runs afterwards, has been looked at, and waits.
func (e *Engine) Create(ctx context.Context, id container.ID, spec container.Spec) (container.Sandbox, error) {
	return e.opening.Create(ctx, id, spec, func(life *container.Lifecycle) (container.Sandbox, error) {
		return e.create(ctx, &sandbox{engine: e, life: life, id: life.ID(), spec: spec})
	})
}

// create makes all that a sandbox has. On error nothing of it is left.
func (e *Engine) create(ctx context.Context, made *sandbox) (_ *sandbox, err error) {
	spec := made.spec
	host, err := e.probe(ctx, spec.Runtime)
	if err == nil {
		err = host.Admit(spec.Optional)
	}
	if err != nil {
		return nil, err
	}
	at, err := e.place(ctx, made.id, spec)
	if err != nil {
		return nil, err
	}
	made.staging, err = durable.NewDraft(filepath.Join(e.stateDir, made.id.String()))
	if err != nil {
		return nil, fmt.Errorf("make sandbox directory: %w", err)
	}
	defer func() {
		if err != nil {
			release, cancel := container.ReleaseContext(ctx)
			defer cancel()
			err = errors.Join(err, made.Destroy(release))
		}
	}()
	at.waits = made.waits
	wanted := newJob(spec, at)
	job, err := e.submit(ctx, wanted)
	if err != nil {
		return nil, err
	}
	made.of = owned{id: made.id, job: job.UID}
	// Not what the cluster has made of it: that is somebody's word, too.
	if err := made.begin(ctx, wanted.Spec.Template.Spec); err != nil {
		return nil, err
	}
	return made, nil
}

// place finds out what a pod needs that its Spec does not say.
func (e *Engine) place(ctx context.Context, id container.ID, spec container.Spec) (placement, error) {
	at := placement{id: id, settings: e.settings, userSpace: !e.settings.HostUsers}
	var err error
	if at.arch, err = e.artifacts.Image(ctx, spec.Image); err != nil {
		return placement{}, fmt.Errorf("find image: %w", err)
	}
	at.image = fmt.Sprintf("%s/sandbox@%s", e.settings.Registry, spec.Image)
	if spec.Bundle != "" {
		manifest, err := e.artifacts.Bundle(ctx, spec.Bundle)
		if err != nil {
			return placement{}, fmt.Errorf("find bundle: %w", err)
		}
		at.bundle = fmt.Sprintf("%s/bundle@%s", e.settings.Registry, manifest)
	}
	if at.profile, _, err = NodeProfile(spec.Seccomp); err != nil {
		return placement{}, err
	}
	held, err := e.hold(ctx)
	if err != nil {
		return placement{}, err
	}
	at.runner, at.owner = held.runner, held.owner
	return at, nil
}

// submit makes the Job. A server that did not answer may have made it all the same: Destroy
// looks.
func (e *Engine) submit(ctx context.Context, wanted *batchv1.Job) (*batchv1.Job, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	made, err := e.api.batch.Jobs(e.settings.Namespace).Create(ctx, wanted, metav1.CreateOptions{})
	if apierrors.IsForbidden(err) {
		return nil, fmt.Errorf("the cluster refuses the Job: %w", err)
	}
	return made, called("make the Job", err)
}
