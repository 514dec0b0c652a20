// Package selftest shows on this host whether containment holds: it lays out bait,
// sends every attack through the runner as a user would, with the guard switched off
// and with the guard on, and looks at what became of attacks and bait.
//
// It decides what an attack's run means (judge) and what is wrong with the host
// afterwards (Canary). It knows no engine and no policy by name, and enforces
// nothing. cmd/runner is its caller; the probes are those of the folder attacks, and
// whatever a user adds in the same form (LoadProbes).
package selftest
