// Package httpapi is a service on the network: HTTP with strict JSON, events as a stream
// (text/event-stream), and problems by RFC 9457. api/openapi.yaml says what it answers, and
// docs/service.md says it to people.
//
// It decides about no run and owns nothing: who asks is an access.Authenticator's word, and
// what becomes of a request a Backend's, which is internal/service. Every byte that it reads
// is hostile, and bounded in size and in time. cmd/runner makes it, and listens.
package httpapi
