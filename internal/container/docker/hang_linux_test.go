//go:build linux

package docker

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/moby/moby/client"
	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
)

// helpless watches a container that never starts.
type helpless struct {
	asked
	killed []error // the end of the context of each Kill
}

func (h *helpless) Attach(context.Context, string, int) (bool, error) {
	return false, errors.New("it has not started")
}

func (h *helpless) Dead() <-chan struct{} { return nil }

func (h *helpless) Kill(ctx context.Context, _ string) error {
	h.killed = append(h.killed, ctx.Err())
	return nil
}

func (h *helpless) Freeze(context.Context, string) error { return nil }

func (h *helpless) Still(context.Context, string) error { return nil }

func (h *helpless) Thaw(context.Context, string) error { return nil }

func (h *helpless) Detach() {}

// A pool that is closed must not wait for a daemon that hangs.
func TestAPreparationDoesNotWaitForADaemonThatHangs(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	gone, over := errors.New("the pool is closed"), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Api-Version", client.MaxAPIVersion)
		switch {
		case strings.HasSuffix(r.URL.Path, "/attach"):
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			// One line on stdout, which nobody reads.
			_, err = conn.Write([]byte("HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n\x01\x00\x00\x00\x00\x00\x00\x03hi\n"))
			if err != nil {
				t.Error(err)
			}
			<-over
			conn.Close()
		case strings.HasSuffix(r.URL.Path, "/start"):
			cancel(gone)
			<-over
		}
	}))
	defer server.Close()
	defer close(over)
	monitor := &helpless{}
	id := container.NewID()
	box := &sandbox{
		engine: engineAt(t, "tcp://"+server.Listener.Addr().String()), life: container.NewLifecycle(id, nil), id: id, spec: unitSpec(),
		containerID: strings.Repeat("a", 64), fittings: fittings{monitor: monitor},
	}
	answered := make(chan error, 1)
	go func() {
		answered <- newStandby(box, &template{idle: map[*standby]bool{}}, container.Host{}).prepare(ctx, containertest.Preparation())
	}()
	select {
	case err := <-answered:
		require.ErrorIs(t, err, gone)
	case <-time.After(callTimeout / 4):
		t.Fatal("it waits for the daemon")
	}
	require.Equal(t, []error{nil}, monitor.killed, "it may have started: it is killed, with time for that")
}
