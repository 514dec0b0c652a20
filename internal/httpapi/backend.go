package httpapi

import (
	"context"
	"io"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/job"
	"hotcell/internal/service"
)

// Backend carries out requests of principals that are known. All methods may be called
// concurrently. What a principal does not see is service.ErrNotFound; errors that wrap none
// of internal/service's are our own faults, and their text is not shown. What a context of
// service.FromMemory asks for does not wait for an engine, or is service.ErrElsewhere, and may be
// asked for again without.
type Backend interface {
	Runs
	Records
	Catalogue
	Sessions
	// Me is a principal, with what is used of its quotas.
	Me(ctx context.Context, by access.Principal) (api.Me, error)
	// Admit counts a request, whatever it asks for and becomes of it. Those that create, check, open or
	// give something are counted by their own methods besides.
	Admit(by access.Principal) error
	// Load is what the service does just now. It asks nobody, and is quick.
	Load() api.Load
}

// Runs are a Backend's runs.
type Runs interface {
	// Create makes a run durable. A key that this principal has used for an equal request
	// gives that request's run, and replayed: perhaps without its result, which Run has.
	Create(ctx context.Context, by access.Principal, creation service.Creation) (run api.Run, replayed bool, err error)
	// Run is how far one is, with its result once it has ended.
	Run(ctx context.Context, by access.Principal, id job.ID) (api.Run, error)
	// Runs is a page of those that a principal sees.
	Runs(ctx context.Context, by access.Principal, filter service.Filter) (api.Runs, error)
	// Wait is Run once the run has ended, or ctx has: then too without an error.
	Wait(ctx context.Context, by access.Principal, id job.ID) (api.Run, error)
	// Follow hands on each event after a number until the run has ended, or ctx, or take fails.
	// It is nil behind the last one, which is of type result, and whose data is Run's. take is never
	// called concurrently.
	Follow(ctx context.Context, by access.Principal, id job.ID, after int64, take func(api.Event) error) error
	// Cancel asks for the end of one, and does not wait for it. One that has ended stays as it is.
	Cancel(ctx context.Context, by access.Principal, id job.ID) (api.Run, error)
	// Check has code vetted.
	Check(ctx context.Context, by access.Principal, request api.CreateRun) (api.Checked, error)
}

// Records are what is kept of runs that have ended.
type Records interface {
	// Files are a run's released files.
	Files(ctx context.Context, by access.Principal, id job.ID) (api.FileList, error)
	// Read opens a part: record, statement, or files/PATH. It is of the size that is returned.
	Read(ctx context.Context, by access.Principal, id job.ID, part string) (io.ReadCloser, int64, error)
}

// Catalogue is what requests may name, and what carries them out.
type Catalogue interface {
	// Policies are all, without their text.
	Policies(ctx context.Context) (api.PolicyList, error)
	// Policy is one, with its text.
	Policy(ctx context.Context, name string) (api.PolicyInfo, error)
	// Bundles are all, without their tables.
	Bundles(ctx context.Context) (api.BundleList, error)
	// Bundle is one by its digest, name or name@version.
	Bundle(ctx context.Context, reference string) (api.BundleInfo, error)
	// Tools are those that the administrator has registered.
	Tools(ctx context.Context) (api.ToolList, error)
	// Host asks the engine what it does.
	Host(ctx context.Context) (api.HostInfo, error)
}

// Sessions are a Backend's sessions, by the run id of their own record.
type Sessions interface {
	// OpenSession begins one, and does not wait until it takes steps.
	OpenSession(ctx context.Context, by access.Principal, ask api.OpenSession) (api.Session, error)
	// ListSessions is a page of those that a principal sees.
	ListSessions(ctx context.Context, by access.Principal, filter service.SessionFilter) (api.Sessions, error)
	// Session is how one is.
	Session(ctx context.Context, by access.Principal, id job.ID) (api.Session, error)
	// Step begins one, and does not wait for its end: service.ErrBusy while another goes on,
	// service.ErrClosed where none may follow.
	Step(ctx context.Context, by access.Principal, id job.ID, step api.CreateStep) (api.Step, error)
	// StepNow is how a step is.
	StepNow(ctx context.Context, by access.Principal, id job.ID, number int) (api.Step, error)
	// WaitStep is StepNow once the step has ended, or ctx has.
	WaitStep(ctx context.Context, by access.Principal, id job.ID, number int) (api.Step, error)
	// FollowSession is Follow for a session's events, the last of which has Session's data.
	FollowSession(ctx context.Context, by access.Principal, id job.ID, after int64, take func(api.Event) error) error
	// CancelStep ends the step that goes on, if one does.
	CancelStep(ctx context.Context, by access.Principal, id job.ID) (api.Session, error)
	// CloseSession asks for its end, and does not wait for it. A closed one stays as it is.
	CloseSession(ctx context.Context, by access.Principal, id job.ID) (api.Session, error)
}
