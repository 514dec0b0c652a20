//go:build !linux

package containertest

import (
	"sync/atomic"
	"testing"
)

// listenAbstract returns a name on which nobody listens: only Linux has abstract
// sockets.
func listenAbstract(_ *testing.T, name string, _ *atomic.Int64) string { return name }
