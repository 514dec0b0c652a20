package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	puller "github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
)

// authority signs certificates of a registry and its clients.
type authority struct {
	dir  string
	leaf *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{dir: t.TempDir()}
	a.issue(t, "ca", x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	return a
}

// issue signs a certificate, or the authority's own, and writes it with its key.
func (a *authority) issue(t *testing.T, named string, template x509.Certificate) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template.SerialNumber, template.Subject = big.NewInt(time.Now().UnixNano()), pkix.Name{CommonName: named}
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent, by := a.leaf, a.key
	if parent == nil {
		parent, by = &template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, parent, &key.PublicKey, by)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	chain := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	secret := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})
	require.NoError(t, os.WriteFile(filepath.Join(a.dir, named+".crt"), chain, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(a.dir, named+".key"), secret, 0o600))
	if a.leaf == nil {
		a.leaf, err = x509.ParseCertificate(der)
		require.NoError(t, err)
		a.key = key
	}
	pair, err := tls.X509KeyPair(chain, secret)
	require.NoError(t, err)
	return pair
}

func (a *authority) path(named string) string { return filepath.Join(a.dir, named) }

var listeningAt = regexp.MustCompile(`msg=listening at=(\S+)`)

// registryOf serves a state's bundles until the test ends, and returns the address.
func registryOf(t *testing.T, state string, flags registryFlags) string {
	t.Helper()
	said := &spoken{}
	a := &app{stdout: said, stderr: said, state: state}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- a.serveRegistry(ctx, flags) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
	for {
		if found := listeningAt.FindStringSubmatch(said.String()); found != nil {
			return found[1]
		}
		select {
		case err := <-ended:
			ended <- err
			require.NoError(t, err)
			return ""
		case <-time.After(time.Millisecond):
		}
	}
}

func TestNodesPullBundlesFromARegistry(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "visits.csv"), []byte("id,age\n1,40\n"), 0o600))
	runs := func(args ...string) string {
		t.Helper()
		var out bytes.Buffer
		a := &app{stdout: &out, stderr: &bytes.Buffer{}}
		root := a.rootCommand()
		root.SetArgs(append(args, "--state", state))
		require.NoError(t, root.ExecuteContext(t.Context()), out.String())
		return strings.TrimSpace(out.String())
	}
	runs("bundle", "create", dir, "--name", "visits", "--version", "1.0", "--study", "S", "--method", "synthetic", "--attested-by", "A", "--statement", "B")
	runs("bundle", "add", dir)
	sum := digest.Digest(runs("bundle", "image", "visits"))
	tokens := filepath.Join(t.TempDir(), "tokens.json")
	node := runs("token", "create", "node", "--scope", "pull", "--file", tokens)
	analyst := runs("token", "create", "analyst", "--file", tokens)
	trusted, other := newAuthority(t), newAuthority(t)
	trusted.issue(t, "tls", x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}})
	certified, stranger := trusted.issue(t, "system:node:a", x509.Certificate{}), other.issue(t, "system:node:a", x509.Certificate{})

	withTLS := registryFlags{listen: "127.0.0.1:0", certificate: trusted.path("tls.crt"), key: trusted.path("tls.key")}
	byToken, byCertificate, byBoth := withTLS, withTLS, withTLS
	byToken.tokens, byCertificate.clientCA = tokens, trusted.path("ca.crt")
	byBoth.tokens, byBoth.clientCA = tokens, trusted.path("ca.crt")
	for _, one := range []struct {
		flags  registryFlags
		token  string
		shown  []tls.Certificate
		pulled bool
	}{
		{registryFlags{listen: "127.0.0.1:0", tokens: tokens}, node, nil, true},
		{byToken, node, nil, true}, {byToken, "", nil, false}, {byToken, analyst, nil, false},
		{byCertificate, "", []tls.Certificate{certified}, true}, {byCertificate, "", nil, false}, {byCertificate, "", []tls.Certificate{stranger}, false},
		{byBoth, node, []tls.Certificate{certified}, true}, {byBoth, node, nil, false}, {byBoth, "", []tls.Certificate{certified}, false},
	} {
		at := registryOf(t, state, one.flags)
		roots := x509.NewCertPool()
		roots.AddCert(trusted.leaf)
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: one.shown, MinVersion: tls.VersionTLS13}}
		reference, err := name.NewDigest(at + "/bundle@" + sum.String())
		require.NoError(t, err)
		as := authn.Anonymous
		if one.token != "" {
			as = &authn.Basic{Username: "node", Password: one.token}
		}
		image, err := puller.Image(reference, puller.WithContext(t.Context()), puller.WithAuth(as), puller.WithTransport(transport))
		require.Equal(t, one.pulled, err == nil, "%+v: %v", one.flags, err)
		if err == nil {
			layers, err := image.Layers()
			require.NoError(t, err)
			content, err := layers[0].Compressed()
			require.NoError(t, err)
			_, _, err = digest.From(content) // the library holds it to its digest
			require.NoError(t, err)
			require.NoError(t, content.Close())
		}
		transport.CloseIdleConnections()
	}
	sent := runs("records", "ls", "--kind", "bundle_sent")
	for _, who := range []string{"pulled by token:node from 127.0.0.1", "pulled by cert:system:node:a from 127.0.0.1"} {
		require.Contains(t, sent, who)
	}
	require.NotContains(t, sent, "analyst")
}
