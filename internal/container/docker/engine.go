package docker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/moby/moby/client"

	"hotcell/internal/container"
	"hotcell/internal/digest"
)

// Name is what Engine.Name returns.
const Name = "docker"

const (
	// callTimeout bounds one call to the daemon that changes or reads one object.
	// The slowest, starting a container, takes 0.2 to 0.6 s on two busy cores, and eight at
	// once on an emulated one half a minute.
	callTimeout = 2 * time.Minute
	// transferPatience bounds how long an image or an output may be without progress. How
	// long it takes as a whole is a matter of the link and of the daemon's disk.
	transferPatience = 10 * time.Minute
	// deathTimeout bounds the time from a kill, or from the death that the kernel
	// tells of, until the daemon agrees and the streams have ended.
	deathTimeout = 30 * time.Second
)

// Images finds built images.
type Images interface {
	// OCIImage returns the image whose manifest has this digest.
	OCIImage(image digest.Digest) (v1.Image, error)
}

// Bundles finds data bundles.
type Bundles interface {
	// Path returns the directory of the bundle with this digest.
	Path(bundle digest.Digest) (string, error)
}

// Options configures an Engine. StateDir, Images and Bundles are required.
type Options struct {
	Host     string // for example "unix:///var/run/docker.sock"; "" is DefaultHost's
	StateDir string // locks, and output while a sandbox exists; made when absent
	Images   Images
	Bundles  Bundles
	Logger   *slog.Logger // nil discards

	// ProbeAge is for how long Probe believes what the daemon told of itself, which takes it a
	// tenth of a second; 0 asks each time. Each container is made by what is told then.
	ProbeAge time.Duration

	// remote treats the daemon as one that shares nothing with this host, even
	// when it seems to. For tests.
	remote bool
}

// Engine makes sandboxes through a Docker daemon. It implements
// container.Engine.
type Engine struct {
	opening *container.Opening
	api     *client.Client
	state   *stateDir
	images  Images
	bundles Bundles
	remote  bool
	log     *slog.Logger
	loading chan struct{} // holds whoever sends an image
	// patience is deathTimeout, but in tests of daemons that hang.
	patience time.Duration

	probeAge time.Duration
	mu       sync.Mutex
	probed   daemon
	probedAt time.Time // zero before the first
}

var _ container.Engine = (*Engine)(nil)

// New makes an Engine. It does not speak to the daemon: Probe does. The caller
// must Close it.
func New(options Options) (*Engine, error) {
	if options.StateDir == "" || options.Images == nil || options.Bundles == nil {
		return nil, errors.New("make docker engine: StateDir, Images and Bundles are required")
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	api, err := newClient(options.Host)
	if err != nil {
		return nil, fmt.Errorf("make docker client: %w", err)
	}
	state, err := openState(options.StateDir)
	if err != nil {
		return nil, errors.Join(err, api.Close())
	}
	return &Engine{
		opening: container.NewOpening(func() { _ = api.Close() }), // idle connections, of which none can fail
		api:     api, state: state, images: options.Images, bundles: options.Bundles,
		remote: options.remote, log: options.Logger, patience: deathTimeout, loading: make(chan struct{}, 1),
		probeAge: options.ProbeAge,
	}, nil
}

// newClient takes the API version and, but for a socket, TLS settings from Docker's own
// environment variables, as every Docker client does, and negotiates the version otherwise.
func newClient(host string) (*client.Client, error) {
	if host == "" {
		host, _ = DefaultHost()
	}
	scheme, address, _ := strings.Cut(host, "://")
	if address == "" || !slices.Contains([]string{"unix", "tcp", "http", "https", "npipe"}, scheme) {
		return nil, fmt.Errorf("%q is no address of a daemon (DOCKER_HOST): name unix:///PATH or tcp://HOST:PORT; a socket behind SSH is forwarded by ssh -L", host)
	}
	if scheme == "unix" {
		// Without TLS, with which the client would attach by a dialer of its own.
		dial := func(ctx context.Context, _, _ string) (net.Conn, error) { return dialDaemon(ctx, address) }
		return client.New(client.WithHost(host), client.WithAPIVersionFromEnv(), client.WithDialContext(dial))
	}
	return client.New(client.FromEnv, client.WithHost(host))
}

// foreignDaemonError is told of a daemon that is neither root's nor this user's.
type foreignDaemonError struct {
	path      string
	peer, own int // uids
}

// Error implements error.
func (e *foreignDaemonError) Error() string {
	return fmt.Sprintf("the daemon at %s is that of uid %d, which uid %d must not believe: run the runner as that user, or unset DOCKER_HOST (and XDG_RUNTIME_DIR, which su without - keeps)",
		e.path, e.peer, e.own)
}

// Name implements container.Engine.
func (e *Engine) Name() string { return Name }

// Close implements container.Engine: it frees the connections to the daemon.
func (e *Engine) Close() error {
	e.opening.Close()
	return nil
}

// Create implements container.Engine. The container exists afterwards and has
// not been started.
func (e *Engine) Create(ctx context.Context, id container.ID, spec container.Spec) (container.Sandbox, error) {
	return e.opening.Create(ctx, id, spec, func(life *container.Lifecycle) (container.Sandbox, error) {
		daemon, err := e.daemon(ctx)
		if err != nil {
			return nil, err
		}
		return e.createOn(ctx, daemon, life, spec)
	})
}

func (e *Engine) createOn(ctx context.Context, daemon daemon, life *container.Lifecycle, spec container.Spec) (*sandbox, error) {
	return e.build(ctx, daemon, &sandbox{engine: e, life: life, id: life.ID(), spec: spec})
}

// build makes all that a sandbox has. On error nothing of it is left.
func (e *Engine) build(ctx context.Context, daemon daemon, made *sandbox) (_ *sandbox, err error) {
	spec := made.spec
	if err := errors.Join(daemon.admit(spec), daemon.hasRuntime(spec.Runtime)); err != nil {
		return nil, err
	}
	image, err := e.ensureImage(ctx, spec, goArchitecture(daemon.info.Architecture))
	if err != nil {
		return nil, err
	}
	if err := daemon.confined.load(ctx, e.state.path); err != nil {
		return nil, err
	}
	if made.dir, err = e.state.create(made.id); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			release, cancel := container.ReleaseContext(ctx)
			defer cancel()
			err = errors.Join(err, made.Destroy(release))
		}
	}()
	if err := made.surround(ctx, daemon, image); err != nil {
		return nil, err
	}
	if err := made.createContainer(ctx, daemon, image); err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return made, nil
}

// admit refuses a daemon that lacks a control which spec does not call optional.
func (d daemon) admit(spec container.Spec) error {
	if err := (container.Host{Controls: d.controls()}).Admit(spec.Optional); err != nil {
		return fmt.Errorf("%w; or use --engine oci, which needs root", err)
	}
	return nil
}
