// Package access decides who a caller of a service is, and what they may ask for: by the
// user at the other end of a unix socket, a token, a client's certificate, or a JWT of an
// OpenID provider.
//
// It decides about no run: what a policy allows is the same for every principal.
package access

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"
)

// Scope is something that a principal may do.
type Scope string

// The scopes.
const (
	ScopeRun     Scope = "run"          // create, follow and cancel runs and sessions of their own
	ScopeCheck   Scope = "check"        // have code vetted
	ScopeBundles Scope = "bundle:read"  // look at bundles' shapes
	ScopeRecords Scope = "records:read" // read records and files of runs of their own
	ScopePull    Scope = "pull"         // take images and bundles, with their data, from a registry
	ScopeAdmin   Scope = "admin"        // runs of everybody, and the host
)

// Scopes are all of them.
func Scopes() []Scope {
	return []Scope{ScopeRun, ScopeCheck, ScopeBundles, ScopeRecords, ScopePull, ScopeAdmin}
}

// Principal is a caller that is known. Name is unique over all ways to be known: user:anna,
// token:ci, cert:…, oidc:ISSUER#SUBJECT. The zero Principal is nobody, and may do nothing.
type Principal struct {
	Name   string
	Scopes []Scope
}

// May reports whether a principal has a scope. Who has admin has every one.
func (p Principal) May(scope Scope) bool {
	return p.Name != "" && (slices.Contains(p.Scopes, scope) || slices.Contains(p.Scopes, ScopeAdmin))
}

// Sees reports whether a principal may know of what belongs to an owner.
func (p Principal) Sees(owner string) bool {
	return p.Name != "" && (p.Name == owner || p.May(ScopeAdmin))
}

// ErrUnknown is wrapped by the error for a request that says nothing of who sends it, or what
// is not believed. Its text may be shown to the caller.
var ErrUnknown = errors.New("who asks is not known")

// TooEarlyError is for who cannot be asked about yet, and when to try again. It is no ErrUnknown:
// nothing is known against the caller.
type TooEarlyError struct {
	After time.Duration
	Why   string // for the caller
}

// Error implements error.
func (e *TooEarlyError) Error() string { return e.Why }

// Authenticator tells who sends a request. An error that does not wrap ErrUnknown is our own.
type Authenticator interface {
	Authenticate(r *http.Request) (Principal, error)
}

type principalKey struct{}

// With is a context of a principal's request.
func With(ctx context.Context, principal Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, principal)
}

// Of is whose request a context belongs to, or nobody.
func Of(ctx context.Context) Principal {
	principal, _ := ctx.Value(principalKey{}).(Principal)
	return principal
}
