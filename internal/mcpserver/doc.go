// Package mcpserver offers a service's runs to language models, as tools of the Model Context
// Protocol: on standard input and output (Server.Serve, for runner mcp), and over HTTP
// (Server.Handler, for /mcp on runner serve).
//
// It decides how an answer looks: how much of what a run said is shown, that it is framed as
// untrusted and holds nothing that shows otherwise than it reads, and how long a call lasts. It
// decides nothing about runs: who may do what, quotas and repeated requests are the service's,
// which it asks through a Backend with the rights of whoever called. It does not filter what a
// run says: that may still try to instruct a model.
package mcpserver

import (
	"context"
	"encoding/json"
	"io"

	"hotcell/api"
	"hotcell/internal/job"
)

// Backend is a service with the rights of one caller. Its methods may be called concurrently.
// An error that is or wraps an *api.Problem is the service's own word, and is shown.
type Backend interface {
	Runs
	Sessions
	Catalogue
	Released
}

// Runs are what a service has carried out.
type Runs interface {
	// CreateRun returns as soon as the run is durable. A key that was used before gives its run.
	CreateRun(ctx context.Context, request api.CreateRun, key string) (api.Run, error)
	// Run tells how far it is.
	Run(ctx context.Context, id job.ID) (api.Run, error)
	// Wait returns when the run has ended, which Run then tells of, or with ctx's error.
	Wait(ctx context.Context, id job.ID) error
	// Cancel ends a run. One that has ended is left as it is.
	Cancel(ctx context.Context, id job.ID) error
	// Check has code vetted, and not run.
	Check(ctx context.Context, request api.CreateRun) (api.Checked, error)
}

// Sessions are scripts that share a sandbox.
type Sessions interface {
	// OpenSession returns when the session takes steps, or while it opens, with ctx.
	OpenSession(ctx context.Context, request api.OpenSession) (api.Session, error)
	// Step returns when the step has ended. It is cancelled with ctx, and the session stays.
	Step(ctx context.Context, id job.ID, step api.CreateStep) (api.Step, error)
	// CloseSession ends a session in order.
	CloseSession(ctx context.Context, id job.ID) (api.Session, error)
}

// Catalogue is what requests may name.
type Catalogue interface {
	Policies(ctx context.Context) ([]api.PolicyInfo, error)
	Policy(ctx context.Context, name string) (api.PolicyInfo, error)
	Bundles(ctx context.Context) ([]api.BundleInfo, error)
	Bundle(ctx context.Context, reference string) (api.BundleInfo, error)
}

// Released is what runs have left that was verified.
type Released interface {
	Files(ctx context.Context, id job.ID) ([]api.FileInfo, error)
	// OpenListed opens a file that Files, or the run's result, has listed.
	OpenListed(ctx context.Context, id job.ID, file api.FileInfo) (io.ReadCloser, error)
	// Record is what is kept of the run.
	Record(ctx context.Context, id job.ID) (json.RawMessage, error)
}
