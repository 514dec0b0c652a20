//go:build linux

package docker

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	imageapi "github.com/moby/moby/api/types/image"
	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/digest"
)

// loader is a daemon that has no image at first, and whose first load never ends.
type loader struct {
	wanted wantedImage
	loads  atomic.Int32
	loaded atomic.Bool
	begun  chan struct{} // closed when the first load has begun
}

func (l *loader) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Api-Version", "1.41")
	w.Header().Set("Content-Type", "application/json")
	switch {
	case strings.HasSuffix(r.URL.Path, "/images/load"):
		if l.loads.Add(1) == 1 {
			close(l.begun)
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		l.loaded.Store(true)
		_, _ = io.WriteString(w, `{"stream":"Loaded image: x"}`)
	case strings.HasSuffix(r.URL.Path, "/json") && l.loaded.Load():
		found := imageapi.InspectResponse{ID: "sha256:x", Os: "linux", Architecture: l.wanted.architecture}
		found.RootFS.Layers = l.wanted.layers
		_ = json.NewEncoder(w).Encode(found)
	default:
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"message":"no such image"}`)
	}
}

func newLoader(t *testing.T) (*loader, *Engine, digest.Digest) {
	t.Helper()
	images, err := imageOf(layerOf(t, "x"), v1.Config{})
	require.NoError(t, err)
	wanted, err := describeImage(images.image, container.Spec{Image: images.digest})
	require.NoError(t, err)
	daemon := &loader{wanted: wanted, begun: make(chan struct{})}
	server := httptest.NewServer(daemon)
	t.Cleanup(server.Close)
	engine := engineAt(t, "tcp://"+server.Listener.Addr().String())
	engine.images = images
	return daemon, engine, images.digest
}

// Two runs need an image that the daemon has not; the one that sends it is cancelled.
func TestTheEndOfOneLoadIsNotThatOfAnother(t *testing.T) {
	daemon, engine, digest := newLoader(t)
	first, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := engine.ensureImage(first, container.Spec{Image: digest}, "amd64")
		ended <- err
	}()
	<-daemon.begun

	impatient, leave := context.WithCancel(t.Context())
	leave()
	_, err := engine.ensureImage(impatient, container.Spec{Image: digest}, "amd64")
	require.ErrorIs(t, err, context.Canceled, "whoever waits can leave")

	second := make(chan error, 1)
	go func() {
		_, err := engine.ensureImage(t.Context(), container.Spec{Image: digest}, "amd64")
		second <- err
	}()
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	require.NoError(t, <-second)
	require.Equal(t, int32(2), daemon.loads.Load())
}

// steps is a reader that takes each of its times for one byte.
type steps []time.Duration

func (s *steps) Read(content []byte) (int, error) {
	if len(*s) == 0 {
		return 0, io.EOF
	}
	time.Sleep((*s)[0])
	*s = (*s)[1:]
	return copy(content, "x"), nil
}

// A slow daemon has all the time that it needs, and one that hangs has not.
func TestOnlyALackOfProgressEndsATransfer(t *testing.T) {
	for name, test := range map[string]struct {
		taken steps
		lost  bool
	}{
		"slow":  {steps{transferPatience - 1, transferPatience - 1, transferPatience - 1}, false},
		"hangs": {steps{1, transferPatience + 1}, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, progress, end := watchProgress(t.Context())
				defer end()
				_, err := io.Copy(io.Discard, progress.of(&test.taken))
				require.NoError(t, err)
				require.Equal(t, test.lost, ctx.Err() != nil)
				if test.lost {
					require.ErrorContains(t, context.Cause(ctx), "nothing has moved for 10m0s")
				}
			})
		})
	}
}
