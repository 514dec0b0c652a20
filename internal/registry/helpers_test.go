package registry_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/stretchr/testify/require"

	"hotcell/internal/access"
	"hotcell/internal/bundle"
	"hotcell/internal/bundleimage"
	"hotcell/internal/digest"
	"hotcell/internal/image"
	"hotcell/internal/registry"
)

const secret = "open-sesame"

// known is whoever sends the secret as a bearer's token.
type known struct{ scopes []access.Scope }

func (k known) Authenticate(r *http.Request) (access.Principal, error) {
	switch access.Bearer(r) {
	case secret:
		return access.Principal{Name: "token:node", Scopes: k.scopes}, nil
	case "broken":
		return access.Principal{}, errors.New("the file is away")
	case "again":
		return access.Principal{}, &access.TooManyError{}
	}
	return access.Principal{}, access.ErrUnknown
}

// served is a registry with one bundle, and no image.
type served struct {
	url     string
	added   bundle.Bundle
	image   *bundleimage.Volume
	options registry.Options
	log     *lines

	mu   sync.Mutex
	told []registry.Sending
	fail error // of what is to be written down
}

// lines is a log.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (s *served) sending(_ context.Context, about registry.Sending) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told = append(s.told, about)
	return s.fail
}

// large is a file that no buffer between two processes takes.
const large = 24 << 20

func serve(t *testing.T) *served {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "large.txt"), bytes.Repeat([]byte("0123456789abcdef"), large/16), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "visits.csv"), []byte("id,age\n1,40\n"), 0o600))
	_, err := bundle.Create(t.Context(), bundle.CreateOptions{
		Dir: dir, Name: "visits", Version: "1.0", Study: "IRB 2026-17",
		Deidentification: bundle.Deidentification{
			Method: bundle.SafeHarbor, AttestedBy: "Ada Example", AttestedOn: "2026-01-31", Statement: "All 18 classes were removed.",
		},
	})
	require.NoError(t, err)
	state := t.TempDir()
	bundles, err := bundle.OpenStore(filepath.Join(state, "bundles"))
	require.NoError(t, err)
	s := &served{log: &lines{}}
	s.added, err = bundles.Add(t.Context(), dir)
	require.NoError(t, err)
	images, err := bundleimage.Open(bundles, filepath.Join(state, "registry"))
	require.NoError(t, err)
	s.image, err = images.Image(t.Context(), s.added.Digest)
	require.NoError(t, err)
	sandboxes, err := image.OpenStore(filepath.Join(state, "images"))
	require.NoError(t, err)
	s.options = registry.Options{
		Sandbox: registry.Images{Store: sandboxes}, Bundle: registry.Bundles{Store: images}, Sending: s.sending,
		Authenticator: known{[]access.Scope{access.ScopePull}}, Logger: slog.New(slog.NewTextHandler(s.log, nil)), Transfers: 4,
	}
	return s
}

// start has it listen on loopback until the test ends.
func (s *served) start(t *testing.T) *served {
	t.Helper()
	made, err := registry.New(s.options)
	require.NoError(t, err)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := made.Server()
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	t.Cleanup(func() {
		require.NoError(t, server.Close())
		require.ErrorIs(t, <-ended, http.ErrServerClosed)
	})
	s.url = "http://" + listener.Addr().String()
	return s
}

// answered is an answer that was read to its end.
type answered struct {
	StatusCode    int
	Header        http.Header
	ContentLength int64
	text          string
}

// ask makes a request of somebody who is known.
func (s *served) ask(t *testing.T, method, path string, header map[string]string) answered {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+path, http.NoBody)
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+secret)
	for key, value := range header {
		request.Header.Set(key, value)
	}
	answer, err := client(t).Do(request)
	require.NoError(t, err)
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, errors.Join(err, answer.Body.Close()))
	return answered{answer.StatusCode, answer.Header, answer.ContentLength, string(text)}
}

func client(t *testing.T) *http.Client {
	t.Helper()
	transport := &http.Transport{DisableCompression: true, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS13}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func (s *served) layer() string { return "/v2/bundle/blobs/" + s.image.LayerDigest().String() }

// pull is what a runtime does.
func (s *served) pull(t *testing.T, repository string, sum digest.Digest, as authn.Authenticator) (v1.Image, error) {
	t.Helper()
	reference, err := name.NewDigest(strings.TrimPrefix(s.url, "http://") + "/" + repository + "@" + sum.String())
	require.NoError(t, err)
	return remote.Image(reference, remote.WithContext(t.Context()), remote.WithAuth(as), remote.WithTransport(client(t).Transport))
}

func (s *served) damage(t *testing.T, file string, at int64) {
	t.Helper()
	path := filepath.Join(s.added.Path, file)
	require.NoError(t, os.Chmod(path, 0o600))
	opened, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	_, err = opened.WriteAt([]byte("X"), at)
	require.NoError(t, err)
	require.NoError(t, opened.Close())
}
