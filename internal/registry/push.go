package registry

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// ErrReference is wrapped by the error for a repository that cannot be one.
var ErrReference = errors.New("it is no repository: want for example registry.example.org/hotcell/bundle, without a tag or a digest")

// errClear refuses what could be overheard.
var errClear = errors.New("the registry answers in the clear (http) alone, and data and passwords would cross the network: have it use TLS")

// Pushed is an image that goes to somebody else's registry.
type Pushed struct {
	Repository string
	Image      v1.Image
	// Transport is nil for the usual one.
	Transport http.RoundTripper
	Told      func(done, total int64) // of bytes, or nil
}

// Push writes an image to a repository by its digest, without a tag, with the credentials that the user's
// docker configuration has for it, and returns the reference by which it is pulled. What is there already is
// not sent again. In the clear it goes to this host alone.
func Push(ctx context.Context, what Pushed) (reference string, err error) {
	repository, err := Repo(what.Repository)
	if err != nil {
		return "", err
	}
	sum, err := what.Image.Digest()
	if err != nil {
		return "", fmt.Errorf("push: %w", err)
	}
	to := repository.Digest(sum.String())
	inner := what.Transport
	if inner == nil {
		inner = remote.DefaultTransport
	}
	updates := make(chan v1.Update, 16)
	told := make(chan struct{})
	go func() { // ends with the push, which closes what it tells by
		defer close(told)
		for one := range updates {
			if what.Told != nil && one.Error == nil {
				what.Told(one.Complete, one.Total)
			}
		}
	}()
	err = remote.Write(to, what.Image, remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain),
		remote.WithTransport(guarded{inner}), remote.WithProgress(updates))
	<-told
	if err != nil {
		return "", fmt.Errorf("push to %s: %w", to, err)
	}
	return to.String(), nil
}

// Repo reads what a user names.
func Repo(text string) (name.Repository, error) {
	repository, err := name.NewRepository(text, name.StrictValidation)
	if err != nil || strings.Contains(text, "://") { // which the library takes for a registry called https
		return name.Repository{}, fmt.Errorf("%q: %w", text, ErrReference)
	}
	return repository, nil
}

// guarded lets nothing out in the clear but to this host. The library asks private addresses by http where
// https does not answer: whoever stands between could have it do so.
type guarded struct{ inner http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (g guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" && !isLoopback(r.URL.Host) {
		return nil, errClear
	}
	return g.inner.RoundTrip(r)
}

func isLoopback(authority string) bool {
	host, _, err := net.SplitHostPort(authority)
	if err != nil {
		host = authority
	}
	if host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}
