// Package attacks holds the programs that try to get out of a sandbox and the scripts
// that try to get past the guard as files, for people to read and for the binary to
// carry: `runner selftest` runs them on a user's host.
//
// It decides nothing: internal/selftest loads what lies here, and tests/security
// shows of each that it works where nothing holds it.
package attacks

import "embed"

// Files has probes/NAME.py for every program that tries the container, and
// attempts/CLASS/NAME.py for every script that tries the guard. What lies in sequels is
// for tests, and stays here.
//
//go:embed probes/*.py attempts/*/*.py
var Files embed.FS
