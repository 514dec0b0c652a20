// Package client asks a service (runner serve) for runs, over HTTP: on the network, on a unix
// socket of this host, or in this process.
//
// New makes a Client. CreateRun, Follow, Wait and OpenFile are what most callers need. What
// may be asked twice is: a run is created under a key, so that one whose answer was lost is
// found again and not made again, and a stream that breaks goes on behind its last event.
//
// What comes is held to sizes, to JSON without duplicate names, and to the run that was asked
// for. A server may be newer than its client: members and types of events that are not
// known here are passed over or handed on, and everything else that does not fit is an error.
//
// An error is a *api.Problem where the service has refused, a *TransportError where it was
// not reached or has not answered in time, a *StatusError where something else has answered,
// and an *AnswerError where what it said cannot be believed.
package client
