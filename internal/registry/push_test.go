package registry_test

import (
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	theirs "github.com/google/go-containerregistry/pkg/registry"
	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/registry"
)

// another is somebody else's registry, to which only the user of a docker configuration may write.
func another(t *testing.T) (repository string, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var all []string
	asked = func() []string { // requests may still be under way
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
	inner := theirs.New(theirs.Logger(log.New(&lines{}, "", 0)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		all = append(all, r.Method+" "+r.URL.Path)
		mu.Unlock()
		if user, password, _ := r.BasicAuth(); user != "anna" || password != "secret" {
			w.Header().Set("WWW-Authenticate", `Basic realm="theirs"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "http://")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "config.json"), []byte(`{"auths":{"`+host+`":{"auth":"YW5uYTpzZWNyZXQ="}}}`), 0o600))
	t.Setenv("DOCKER_CONFIG", dir)
	return host + "/hotcell/bundle", asked
}

func TestABundleIsPushedByItsDigest(t *testing.T) {
	s := serve(t)
	repository, _ := another(t)
	image, err := s.image.V1(t.Context())
	require.NoError(t, err)
	transport := client(t).Transport
	done := int64(0)
	for range 2 { // what is there is not sent again
		reference, err := registry.Push(t.Context(), registry.Pushed{Repository: repository, Image: image, Transport: transport, Told: func(now, _ int64) { done = now }})
		require.NoError(t, err)
		require.Equal(t, repository+"@"+s.image.Digest.String(), reference)
	}
	require.Positive(t, done)
	answer, err := client(t).Do(request(t, "http://"+strings.Replace(repository, "/", "/v2/", 1)+"/blobs/"+s.image.LayerDigest().String()))
	require.NoError(t, err)
	sum, size, err := digest.From(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, s.image.LayerDigest(), sum)
	require.Equal(t, s.image.LayerBytes(), size)
}

func request(t *testing.T, url string) *http.Request {
	t.Helper()
	made, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	made.SetBasicAuth("anna", "secret")
	return made
}

func TestADamagedBundleIsNotPushed(t *testing.T) {
	s := serve(t)
	repository, asked := another(t)
	image, err := s.image.V1(t.Context())
	require.NoError(t, err)
	s.damage(t, "large.txt", 0)
	_, err = registry.Push(t.Context(), registry.Pushed{Repository: repository, Image: image, Transport: client(t).Transport})
	require.ErrorIs(t, err, digest.ErrMismatch)
	for _, one := range asked() {
		require.False(t, strings.HasPrefix(one, "PUT ") && strings.Contains(one, "/manifests/"), "nobody can pull it: %s", one)
	}
}

// TestNothingGoesInTheClear to a private address, which the library would ask by http.
func TestNothingGoesInTheClear(t *testing.T) {
	s := serve(t)
	image, err := s.image.V1(t.Context())
	require.NoError(t, err)
	var asked []string
	refusing := roundTripper(func(r *http.Request) (*http.Response, error) {
		asked = append(asked, r.URL.Scheme)
		return nil, http.ErrSchemeMismatch
	})
	_, err = registry.Push(t.Context(), registry.Pushed{Repository: "10.0.0.1:5000/bundle", Image: image, Transport: refusing})
	require.ErrorContains(t, err, "in the clear")
	require.NotContains(t, asked, "http")
	require.Contains(t, asked, "https")
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestWhatIsNoRepository(t *testing.T) {
	for _, text := range []string{"", "bundle", "registry.example.org", "registry.example.org/bundle:tag", "registry.example.org/bundle@" + digest.Of(nil).String(), "https://registry.example.org/bundle", "registry.example.org/Bundle"} {
		_, err := registry.Repo(text)
		require.ErrorIs(t, err, registry.ErrReference, text)
	}
	_, err := registry.Repo("registry.example.org/hotcell/bundle")
	require.NoError(t, err)
}
