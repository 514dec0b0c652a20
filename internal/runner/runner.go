// Package runner takes one execution from its request to its result: it looks up
// what the request names, makes a sandbox, feeds the guard, ends everything,
// verifies the output and commits the record.
//
// It decides what became of the code (classify). It trusts nothing that comes out
// of the sandbox, and knows no engine by name. cmd/runner is its caller.
package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"

	"hotcell/internal/bundle"
	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/tool"
	"hotcell/internal/wire"
)

// guardCommand starts the guard in the image: no user site, no bytecode written,
// no directory of the script on the path.
var guardCommand = []string{"/usr/bin/python3", "-sBP", "-m", "hotcell_guard"}

// Options is what a Runner needs. Stdout, Stderr and Phase may be nil.
type Options struct {
	Engine   container.Engine
	Policies interface {
		Get(name string) (policy.Policy, error)
	}
	// Image returns the digest of the image that a policy names.
	Image func(name string) (digest string, err error)
	// Profile returns both stages of a seccomp profile by its name, checked.
	Profile func(name string) (Filters, error)
	Bundles interface {
		Lookup(ctx context.Context, reference string) (bundle.Bundle, error)
		Verify(ctx context.Context, digest string) error
	}
	Records *records.Store
	Now     func() time.Time
	// JudgeTime is how long the output of a run may take to be checked; 0 stands for a
	// minute. The most that a built-in policy lets out, 64 MiB, takes some seconds.
	JudgeTime time.Duration

	Stdout, Stderr io.Writer   // the code's streams as they come, capped; hostile
	Phase          func(Phase) // called as the run goes on, from one goroutine at a time
	ToolStderr     io.Writer   // what tools print to standard error, cut; nil for nobody
}

// PhaseCalling is the phase of a tool call. name is the script's own word for the
// tool, and hostile.
func PhaseCalling(name string) Phase {
	const most = 40
	if quoted := []rune(strconv.QuoteToGraphic(name)); len(quoted) <= most {
		return Phase("calling tool " + string(quoted))
	}
	return "calling a tool"
}

// Filters are the two stages of a seccomp profile.
type Filters struct {
	// Container is what the runtime loads before the guard's first instruction.
	Container *specs.LinuxSeccomp
	// UserCode is what the guard loads for all threads before the first byte of user
	// code is compiled: an array of struct sock_filter.
	UserCode []byte
}

// Phase is how far a run is.
type Phase string

// The phases, in order.
const (
	PhaseCreating  Phase = "creating the sandbox"
	PhaseStarting  Phase = "starting Python"
	PhaseLoading   Phase = "vetting the code, loading the tables"
	PhaseRunning   Phase = "running"
	PhaseVerifying Phase = "verifying the output"
)

// Runner runs requests, one after the other or at the same time.
type Runner struct{ options Options }

// New checks the options.
func New(options Options) (*Runner, error) {
	if options.Engine == nil || options.Policies == nil || options.Image == nil || options.Profile == nil ||
		options.Bundles == nil || options.Records == nil || options.Now == nil {
		return nil, errors.New("new runner: an option is missing")
	}
	if options.JudgeTime == 0 {
		options.JudgeTime = time.Minute
	}
	if options.Stdout == nil {
		options.Stdout = io.Discard
	}
	if options.Stderr == nil {
		options.Stderr = io.Discard
	}
	if options.Phase == nil {
		options.Phase = func(Phase) {}
	}
	return &Runner{options}, nil
}

// Answer is a run's result and where the host keeps it.
type Answer struct {
	Result    job.Result
	RecordDir string // the record, and under files/ the verified output
	// QuarantineDir holds unverified output, or is "" when there was none.
	QuarantineDir string
	// StreamError is why Options.Stdout or Stderr could not be written to the end.
	// The result has what they missed.
	StreamError error
}

// ErrInput is wrapped by every error that the request itself causes: an unknown
// policy, image or bundle, a bundle that has changed, an override above the
// policy.
var ErrInput = errors.New("request cannot be run")

// ErrExport is wrapped by the error beside an Answer when the verified files could
// not be copied to the output directory, and nothing else failed. The record has
// them.
var ErrExport = errors.New("copy files to the output directory")

// Run carries out one request, keeps its record and, after success, copies the
// verified files to outputDir, unless that is "". The error means that we or the
// host failed, or wraps ErrInput; nothing is then claimed about the code, and no
// record is kept. Only when the copy alone failed there is an Answer beside the
// error: the record has the files. Ending ctx cancels the run.
func (r *Runner) Run(ctx context.Context, request job.Request, outputDir string) (Answer, error) {
	execution, err := r.prepareFor(ctx, request, wire.ModeRun)
	if err == nil && outputDir != "" {
		err = input(output.CheckDestination(outputDir)) // heard before the run, not after it
	}
	if err != nil {
		return Answer{}, err
	}
	execution.outputDir = outputDir
	draft, err := r.options.Records.Begin(ctx, execution.id)
	if err != nil {
		return Answer{}, err
	}
	answer, err := execution.finish(ctx, draft)
	return answer, errors.Join(err, draft.Discard())
}

// input marks an error as the request's own fault.
func input(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrInput, err)
}

// faulty marks an error as the request's fault where it is one: not where, say, a
// disk could not be read.
func faulty(err error) error {
	_, inBundle := errors.AsType[*bundle.Fault](err)
	if inBundle || errors.Is(err, policy.ErrUnknown) || errors.Is(err, policy.ErrInvalid) || errors.Is(err, container.ErrUnknownRuntime) {
		return input(err)
	}
	return err
}

// execution is one run on its way.
type execution struct {
	options Options
	request job.Request
	id      job.ID
	started time.Time
	// outputDir gets a copy of the verified files, unless it is "".
	outputDir string
	terms     policy.Terms
	tools     *tool.Set
	session   job.ID         // of the session that this is a step of, or the zero ID
	bundle    *bundle.Bundle // nil for a run without data
	spec      container.Spec
	userCode  []byte // Filters.UserCode
	host      container.Host
	lock      *lock // what the sandbox's guard said of its own, also to a session's steps
}

// prepareFor looks up everything that the request names. It costs no container.
func (r *Runner) prepareFor(ctx context.Context, request job.Request, mode wire.Mode) (*execution, error) {
	now := r.options.Now()
	e := &execution{options: r.options, request: request, id: job.NewID(now), started: now.UTC()}
	chosen, err := r.options.Policies.Get(request.Policy)
	if err != nil {
		return nil, faulty(err)
	}
	if err := checkGuardMode(chosen, request, mode); err != nil {
		return nil, input(err)
	}
	if e.terms, err = policy.Resolve(chosen, request.Overrides); err != nil {
		return nil, input(err)
	}
	if err := errors.Join(e.checkInputs(), e.openTools()); err != nil {
		return nil, err
	}
	if mode != wire.ModeCheck {
		if err := e.findBundle(ctx); err != nil {
			return nil, err
		}
	}
	image, err := r.options.Image(chosen.Image)
	if err != nil {
		return nil, err
	}
	filters, err := r.options.Profile(chosen.Isolation.Seccomp)
	if err != nil {
		return nil, err
	}
	if len(filters.UserCode) == 0 { // the guard takes an empty one for none
		return nil, fmt.Errorf("seccomp profile %s has no stage for user code", chosen.Isolation.Seccomp)
	}
	e.userCode = filters.UserCode
	e.spec = container.Spec{
		Image: image, Command: guardCommand, Seccomp: filters.Container, Runtime: request.Runtime,
		Limits: e.terms.Limits, Optional: chosen.Isolation.MayLack(),
	}
	e.lock = &lock{required: !slices.Contains(e.spec.Optional, container.ControlLandlock)}
	if e.bundle != nil {
		e.spec.Bundle = e.bundle.Digest
	}
	return e, nil
}

// checkGuardMode keeps a policy whose guard is off from whoever has not asked for
// that by name. A session and a check have no use for it.
func checkGuardMode(chosen policy.Policy, request job.Request, mode wire.Mode) error {
	const means = "policy %s switches the guard off (guard.mode: off): the code is neither vetted nor confined inside its container, which alone holds it; "
	switch {
	case chosen.Guard.Mode != policy.GuardOff:
		return nil
	case mode == wire.ModeSession:
		return fmt.Errorf(means+"a session needs the guard: choose another policy", chosen.Name)
	case mode == wire.ModeCheck:
		return fmt.Errorf(means+"there would be nothing to check: choose another policy", chosen.Name)
	case !request.AllowUnguarded:
		return fmt.Errorf(means+"choose another policy, or give --allow-unguarded to probe the container with it", chosen.Name)
	default:
		return nil
	}
}

// findBundle looks up the bundle, verifies it and holds it to what the policy wants
// to find in it.
func (e *execution) findBundle(ctx context.Context) error {
	if e.request.Bundle != "" {
		found, err := e.options.Bundles.Lookup(ctx, e.request.Bundle)
		if err == nil {
			err = e.options.Bundles.Verify(ctx, found.Digest)
		}
		if err != nil {
			return faulty(err)
		}
		e.bundle = &found
	}
	var there []string
	if e.bundle != nil {
		there = tableNames(tables(e.bundle.Manifest.Files))
	}
	for _, name := range e.terms.Policy.Guard.RequiredTables {
		if !slices.Contains(there, name) {
			return input(fmt.Errorf("policy %s needs a bundle with a table named %s: name such a bundle with --bundle", e.terms.Policy.Name, name))
		}
	}
	return nil
}

func (e *execution) provenance() job.Provenance {
	provenance := job.Provenance{
		Policy: e.terms.Policy.Name, PolicySHA256: e.terms.Policy.SHA256,
		Image: e.spec.Image, Bundle: e.spec.Bundle, CodeSHA256: hexSum(e.request.Code),
		Engine: e.options.Engine.Name(), Runtime: e.host.Runtime, Kernel: e.host.Kernel,
		Controls: orEmpty(e.lock.amend(e.host.Controls)), StartedAt: e.started, Session: e.session.String(),
		Guard: job.GuardEnforced,
	}
	if e.terms.Policy.Guard.Mode == policy.GuardOff {
		provenance.Guard = job.GuardOff
	}
	if e.request.Inputs != nil {
		provenance.InputsSHA256 = hexSum(e.request.Inputs)
	}
	return provenance
}

func hexSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
