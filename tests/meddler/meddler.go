// Package meddler plays another user who may write where something of ours is made, for
// the tests which show that this user gains nothing by it.
//
// It does not decide when: the moments are the scheduler's. Where the moment can
// be chosen, a test does so itself.
package meddler

import (
	"sync/atomic"
	"testing"
)

// Start calls meddle with 0, 1, 2 … for as long as the test goes on, or until stop is
// called. It has been called once when Start returns, and is not called any more when
// stop does.
func Start(t testing.TB, meddle func(n int)) (stop func()) {
	t.Helper()
	var stopped atomic.Bool
	begun, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		meddle(0)
		close(begun)
		for n := 1; !stopped.Load(); n++ {
			meddle(n)
		}
	}()
	<-begun
	stop = func() {
		stopped.Store(true)
		<-ended
	}
	t.Cleanup(stop)
	return stop
}
