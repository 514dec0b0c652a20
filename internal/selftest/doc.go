// Package selftest shows on this host whether containment holds: it lays out bait,
// sends every probe through the runner as a user would, with the guard switched off
// and with the guard on, and looks at what became of probes and bait.
//
// It decides what a probe's run means (judge) and what is wrong with the host
// afterwards (Canary). It knows no engine and no policy by name, and enforces
// nothing. cmd/runner is its caller; the probes are tests/security, and whatever a
// user adds in the same form (LoadProbes).
package selftest
