// Package runner takes one execution from its request to its result: it looks up
// what the request names, makes a sandbox, feeds the guard, ends everything,
// verifies the output and commits the record.
//
// It decides what became of the code (classify). It trusts nothing that comes out
// of the sandbox, and knows no engine by name. cmd/runner is its caller.
package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hotcell/internal/bundle"
	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/policy"
	"hotcell/internal/records"
)

// Options is what a Runner needs. Nothing of it belongs to a single run.
type Options struct {
	Sandboxes Sandboxes
	Policies  interface {
		Get(name string) (policy.Policy, error)
		Names() ([]string, error)
	}
	// Image returns the digest of the image that a policy names.
	Image func(name string) (digest.Digest, error)
	// Profile reads a seccomp profile by its name.
	Profile func(name string) (Profile, error)
	Bundles interface {
		Lookup(ctx context.Context, reference string) (bundle.Bundle, error)
		// Check is as bundle.Store's.
		Check(ctx context.Context, bundle digest.Digest) error
		// SignedBy are the public keys that have signed what is attested, each checked.
		SignedBy(ctx context.Context, of bundle.Bundle) ([]digest.Digest, error)
		// Hold keeps a bundle from being removed until release is called.
		Hold(ctx context.Context, bundle digest.Digest) (release func() error, err error)
	}
	Records interface {
		Begin(ctx context.Context, id job.ID, asked records.Asked) (*records.Draft, error)
		Append(ctx context.Context, event records.Event) error
		NotePolicy(ctx context.Context, actor job.Actor, name string, sum digest.Hex) error
		QuarantinePath(id job.ID) string
	}
	Removal Removal
	Now     func() time.Time
	Version string // of the program that runs; each record names it

	// judgeTime is how long the output of a run may take to be checked: a minute, but in
	// tests. The most that a built-in policy lets out, 64 MiB, takes some seconds.
	judgeTime time.Duration
}

// Sandboxes gives out sandboxes with nothing of a user's in them. Its methods may be
// called concurrently.
type Sandboxes interface {
	// EngineName is that of the engine which makes them, also when none was made.
	EngineName() string
	// Acquire is as container.Cold's.
	Acquire(ctx context.Context, spec container.Spec, preparation container.Preparation) (container.Acquired, error)
}

// Runner runs requests, one after the other or at the same time.
type Runner struct {
	options  Options
	plans    plans
	removals *removals
	refusals refusals
}

// New checks the options.
func New(options Options) (*Runner, error) {
	if options.Sandboxes == nil || options.Policies == nil || options.Image == nil || options.Profile == nil ||
		options.Bundles == nil || options.Records == nil || options.Now == nil || options.Version == "" {
		return nil, errors.New("new runner: an option is missing")
	}
	if err := options.Removal.check(); err != nil {
		return nil, err
	}
	if options.judgeTime == 0 {
		options.judgeTime = time.Minute
	}
	return &Runner{options: options, removals: newRemovals(options.Removal)}, nil
}

// Response is a run's result and where the host keeps it.
type Response struct {
	Result    job.Result
	RecordDir string // the record, and under files/ the verified output
	// QuarantineDir holds unverified output, or is "" when there was none.
	QuarantineDir string
	// CodeFile is the saved script, or "" where the policy did not keep it.
	CodeFile string
	// RecordBytes is how much of the disk the record takes, with all that lies beside it: see
	// records.View.Bytes.
	RecordBytes int64
	// Trace is how long the parts of a run took, the committing included, which its record
	// lacks. It is nil for a session and its steps.
	Trace *job.Trace
	// StreamError is why Events.Stdout or Stderr could not be written to the end.
	// The result has what they missed.
	StreamError error
	// Elsewhere is where a run is kept that another machine has made: the paths above are "". It
	// is nil for one of this machine's.
	Elsewhere *Elsewhere
}

// Elsewhere is another machine that has made a run, and keeps its record.
type Elsewhere struct {
	Name string        // for people
	Open output.Opener // of the run's verified files
}

// ErrInput is wrapped by every error that the request itself causes: an unknown
// policy, image or bundle, a bundle that has changed, an override above the
// policy.
var ErrInput = errors.New("request cannot be run")

// ErrKnownID is wrapped by the error for an Ask.ID that another run has, or has had.
var ErrKnownID = records.ErrKnownID

// ErrExport is wrapped by the error beside a Response when the verified files could
// not be copied to the output directory, and nothing else failed. The record has
// them.
var ErrExport = errors.New("copy files to the output directory")

// Run carries out one request, keeps its record and, after success, copies the
// verified files to ask.OutputDir. The error means that we or the host failed, or
// wraps ErrInput; nothing is then claimed about the code, and no record is kept: where code may
// have begun, the audit chain has the run as interrupted.
// Only when the copy alone failed there is a Response beside the error: the record has
// the files. Ending ctx cancels the run.
func (r *Runner) Run(ctx context.Context, ask Ask) (Response, error) {
	execution, err := r.prepareRun(ctx, ask)
	if err != nil {
		return Response{}, r.refused(ctx, ask, err)
	}
	return execution.carryOut(ctx)
}

// carryOut carries out a run that is prepared.
func (e *execution) carryOut(ctx context.Context) (Response, error) {
	release, err := e.holdBundle(ctx)
	if err != nil {
		return Response{}, err
	}
	draft, err := e.begin(ctx)
	if err != nil {
		return Response{}, errors.Join(err, release())
	}
	response, err := e.perform(ctx, draft)
	return response, errors.Join(err, draft.Discard(ctx), release())
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
	_, inBundle := errors.AsType[*bundle.FaultError](err)
	if inBundle || errors.Is(err, policy.ErrUnknown) || errors.Is(err, policy.ErrInvalid) {
		return input(err)
	}
	return err
}
