package engineapi

import (
	"context"
	"errors"
	"io"
	"time"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// ErrKnown is wrapped by the error for a run whose id the engine, or a record, has already.
var ErrKnown = runner.ErrKnownID

// ErrUnknownRun is wrapped by the error for a run that neither the engine nor a record knows.
var ErrUnknownRun = errors.New("there is no run of this id")

// ErrOthers is wrapped by the error of a front that may not connect: the socket is another user's.
var ErrOthers = errors.New("the engine was started for another user")

// ErrTooOften is wrapped by the error for a record, or a part of one, whose reader has had as many
// opened as one principal may within a minute.
var ErrTooOften = errors.New("the principal has opened as many parts of records as it may within a minute")

// ErrNoRecord is wrapped by the error for a run of which the audit chain knows, and no record.
var ErrNoRecord = errors.New("there is no record of it: it was deleted, by a rule or by a person, or the run was interrupted")

// ErrNotKept is wrapped by the error for what could leave no record that is worth anything, because
// the engine's disk is full, or another user could change what is there: nothing of it was begun.
var ErrNotKept = errors.New("the engine could keep no record")

// Principal is who asks a front, in its own words. The engine gives it no right for them.
type Principal string

// Fate says what became of a run that a front has given.
type Fate string

// The fates.
const (
	FateUnknown     Fate = "unknown"     // it never came, or ended before its code was begun: it may be given again
	FateHeld        Fate = "held"        // the engine has it: it waits for a place, or runs
	FateEnded       Fate = "ended"       // Outcome has its answer
	FateInterrupted Fate = "interrupted" // its engine died when it may have begun: recorded as that, and never given again
)

// Outcome is what an engine says of a run by its id.
type Outcome struct {
	Fate     Fate
	Response runner.Response // of one that ended with a result
	Err      error           // of one that ended without, by the classes that errors.Is finds
}

// Recorded is a run by the line that the audit chain has of it.
type Recorded struct {
	ID          job.ID     `json:"id"`
	Principal   string     `json:"principal"`
	Policy      string     `json:"policy"`
	Status      job.Status `json:"status"` // or ""
	Interrupted bool       `json:"interrupted"`
	At          time.Time  `json:"at"` // when that was recorded
	// Bytes is what lies there of it, by runner.Response's RecordBytes, where that was within the
	// last day. Of an earlier one it is 0.
	Bytes int64 `json:"bytes"`
}

// Detached is an engine as a front sees it, whose runs do not end with a connection. Every
// method may be called concurrently, and fails with ErrLost where the engine goes meanwhile,
// and with ErrNone, ErrDead or ErrOthers where none can be reached.
type Detached interface {
	// About asks what listens.
	About(ctx context.Context) (Description, error)
	// Status asks what it does just now.
	Status(ctx context.Context) (Overview, error)
	// Resolve looks up all that a request names, and says what is wrong with it: no run is made.
	Resolve(ctx context.Context, by Principal, request job.Request) error
	// Check is as runner.Runner's.
	Check(ctx context.Context, by Principal, request job.Request) (runner.Checked, error)
	// Start gives a run away. It returns when the engine has it, not when it ends. One for which there
	// is no place after all, or no more because the engine ends, is of FateUnknown again.
	Start(ctx context.Context, id job.ID, by Principal, request job.Request) error
	// Offer is Resolve for a run that Begin begins within a few seconds, without its request having been
	// sent or looked up once more. It has the place of a run until then. One that nobody begins is of
	// FateUnknown again.
	Offer(ctx context.Context, id job.ID, by Principal, request job.Request) error
	// Begin is Start for a run that was offered. Its error is ErrUnknownRun where the engine does not have
	// it any more: Start gives it then.
	Begin(ctx context.Context, id job.ID, by Principal) error
	// Outcome says to a principal what became of it. A result that is read from its record, or by
	// another principal than the run's, is an event of the audit chain before.
	Outcome(ctx context.Context, id job.ID, by Principal) (Outcome, error)
	// Follow hands on each event after a number until the run has ended, or ctx. Events that are not
	// kept any more are one of type gap, with the number of the last of them. One of which only a
	// record knows has none. Where the answer is at hand then, and small, it is as Outcome's;
	// else the fate is "", and Outcome tells.
	Follow(ctx context.Context, id job.ID, after int64, take func(api.Event) error) (Outcome, error)
	// Cancel ends it. One that has ended is left as it is.
	Cancel(ctx context.Context, id job.ID) error
	// OpenSession begins a session of that id, which ends with ctx, or its connection.
	OpenSession(ctx context.Context, id job.ID, by Principal, ask runner.Ask) (Session, error)
	// List hands on the recorded runs of principals after a cursor, the oldest first; "" begins. Next is
	// "" with the last page: what is recorded later comes with that page's own cursor.
	List(ctx context.Context, cursor string, most int) (found []Recorded, next string, err error)
	// Read opens a part of a recorded run: record, statement, or files/PATH. That it was read is an
	// event of the audit chain before the first byte comes.
	Read(ctx context.Context, id job.ID, by Principal, part string) (io.ReadCloser, int64, error)
	// Policies, Policy, Bundles, Bundle and Tools are what requests may name.
	Policies(ctx context.Context) ([]api.PolicyInfo, error)
	Policy(ctx context.Context, name string) (api.PolicyInfo, error)
	Bundles(ctx context.Context) ([]api.BundleInfo, error)
	Bundle(ctx context.Context, reference string) (api.BundleInfo, error)
	Tools(ctx context.Context) ([]api.ToolInfo, error)
}
