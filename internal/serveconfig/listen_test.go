package serveconfig

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/access"
	"hotcell/internal/access/token"
)

// authority signs certificates.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	serial      int64
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	parsed, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	return &authority{parsed, key, 1}
}

func (a *authority) pem() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.certificate.Raw})
}

// issue makes a certificate for a name, for servers or for clients, that ends after so long.
func (a *authority) issue(t *testing.T, name string, usage x509.ExtKeyUsage, life time.Duration) (certificate, key []byte) {
	t.Helper()
	made, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	a.serial++
	template := &x509.Certificate{
		SerialNumber: big.NewInt(a.serial), DNSNames: []string{name}, ExtKeyUsage: []x509.ExtKeyUsage{usage},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(life),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, made.Public(), a.key)
	require.NoError(t, err)
	encoded, err := x509.MarshalPKCS8PrivateKey(made)
	require.NoError(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded})
}

// service is one that says who asks, on TLS, with its files.
type service struct {
	dir     string
	address string
	roots   *x509.CertPool
	log     *lockedBuffer
}

type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// put writes a file as who renews certificates does: another one in its place.
func (s *service) put(t *testing.T, name string, text []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, name+".new"), text, 0o600))
	require.NoError(t, os.Rename(filepath.Join(s.dir, name+".new"), filepath.Join(s.dir, name)))
}

func (s *service) config(certificates bool) Config {
	at := func(name string) string { return filepath.Join(s.dir, name) }
	made := Config{Version: 1, Listen: []Listen{{TCP: "127.0.0.1:0", TLS: &TLS{at("cert.pem"), at("key.pem"), at("clients.pem")}}}}
	if certificates {
		made.Authentication.Certificates = &Certificates{access.FieldDNS, map[string][]access.Scope{"ci.example.org": {access.ScopeRun}}}
	}
	made.Authentication.Tokens = &Tokens{at("tokens.json")}
	return made.completed()
}

func newService(t *testing.T, by, clients *authority) (s *service, secret string) {
	t.Helper()
	s = &service{dir: t.TempDir(), roots: x509.NewCertPool(), log: &lockedBuffer{}}
	require.NoError(t, os.Chmod(s.dir, 0o755))
	s.roots.AddCert(by.certificate)
	certificate, key := by.issue(t, "localhost", x509.ExtKeyUsageServerAuth, time.Hour)
	s.put(t, "cert.pem", certificate)
	s.put(t, "key.pem", key)
	s.put(t, "clients.pem", clients.pem())
	secret, entry, err := token.New(token.Asked{Name: "ci", Scopes: everyday(), Life: time.Hour}, time.Now())
	require.NoError(t, err)
	require.NoError(t, token.Edit(t.Context(), filepath.Join(s.dir, "tokens.json"), token.Readers{Group: -1}, func(all []token.Entry) ([]token.Entry, error) { return token.Add(all, entry) }))
	return s, secret
}

// serve answers each request with who asks.
func (s *service) serve(t *testing.T, config Config) {
	t.Helper()
	log := slog.New(slog.NewJSONHandler(s.log, nil))
	by, err := config.Authenticator(log)
	require.NoError(t, err)
	opened, err := config.Open(t.Context(), log)
	require.NoError(t, err)
	require.Equal(t, KindTLS, opened[0].Kind)
	s.address = "https://" + opened[0].Addr().String()
	server := &http.Server{ConnContext: access.ConnContext, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who, err := by.Authenticate(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, who.Name)
	})}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(opened[0]) }()
	t.Cleanup(func() { _ = server.Close(); <-done })
}

// ask connects anew, with a certificate and a token, or without.
func (s *service) ask(t *testing.T, certificate *tls.Certificate, secret string) (said string, serial int64, err error) {
	t.Helper()
	config := &tls.Config{RootCAs: s.roots}
	if certificate != nil {
		config.Certificates = []tls.Certificate{*certificate}
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config, DisableKeepAlives: true}}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.address, http.NoBody)
	require.NoError(t, err)
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	answer, err := client.Do(r)
	if err != nil {
		return "", 0, err
	}
	defer answer.Body.Close()
	require.Equal(t, "HTTP/1.1", answer.Proto)
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return string(text), answer.TLS.PeerCertificates[0].SerialNumber.Int64(), nil
}

func pairOf(t *testing.T, certificate, key []byte) *tls.Certificate {
	t.Helper()
	pair, err := tls.X509KeyPair(certificate, key)
	require.NoError(t, err)
	return &pair
}

func TestACertificateIsRenewedWithoutARestart(t *testing.T) {
	by := newAuthority(t)
	s, secret := newService(t, by, by)
	s.serve(t, s.config(true))
	said, first, err := s.ask(t, nil, secret)
	require.NoError(t, err)
	require.Equal(t, "token:ci", said)

	certificate, key := by.issue(t, "localhost", x509.ExtKeyUsageServerAuth, time.Hour)
	s.put(t, "cert.pem", certificate)
	_, serial, err := s.ask(t, nil, secret)
	require.NoError(t, err, "half of the renewal: the earlier one goes on")
	require.Equal(t, first, serial)
	require.Contains(t, s.log.String(), "the one before it is still shown")
	s.put(t, "key.pem", key)
	_, serial, err = s.ask(t, nil, secret)
	require.NoError(t, err)
	require.Equal(t, by.serial, serial)
}

func TestAClientIsKnownByItsCertificate(t *testing.T) {
	by, others := newAuthority(t), newAuthority(t)
	s, secret := newService(t, by, by)
	s.serve(t, s.config(true))
	known := func(of *authority, name string, usage x509.ExtKeyUsage, life time.Duration) *tls.Certificate {
		certificate, key := of.issue(t, name, usage, life)
		return pairOf(t, certificate, key)
	}
	ci := known(by, "ci.example.org", x509.ExtKeyUsageClientAuth, time.Hour)
	said, _, err := s.ask(t, ci, "")
	require.NoError(t, err)
	require.Equal(t, "cert:ci.example.org", said)
	said, _, err = s.ask(t, known(by, "ci.example.org", x509.ExtKeyUsageClientAuth, time.Hour), "")
	require.NoError(t, err)
	require.Equal(t, "cert:ci.example.org", said, "renewed")
	for text, test := range map[string]struct {
		certificate *tls.Certificate
		secret      string
	}{
		"two things at once": {ci, secret},
		"known here":         {known(by, "cd.example.org", x509.ExtKeyUsageClientAuth, time.Hour), ""},
		"send a token":       {nil, ""},
	} {
		said, _, err = s.ask(t, test.certificate, test.secret)
		require.NoError(t, err)
		require.Contains(t, said, text)
	}
	for name, certificate := range map[string]*tls.Certificate{
		"of another authority": known(others, "ci.example.org", x509.ExtKeyUsageClientAuth, time.Hour),
		"expired":              known(by, "ci.example.org", x509.ExtKeyUsageClientAuth, -time.Minute),
		"of a server":          known(by, "ci.example.org", x509.ExtKeyUsageServerAuth, time.Hour),
	} {
		_, _, err = s.ask(t, certificate, "")
		require.Error(t, err, name)
	}
	s.put(t, "clients.pem", others.pem())
	_, _, err = s.ask(t, ci, "")
	require.Error(t, err, "its authority is gone")
	s.put(t, "clients.pem", []byte("nothing"))
	_, _, err = s.ask(t, nil, secret)
	require.Error(t, err, "who is let in is not known")
}

// Where certificates say nothing of who asks they still say who may connect.
func TestAnAuthorityLetsNobodyElseConnect(t *testing.T) {
	by := newAuthority(t)
	s, secret := newService(t, by, by)
	s.serve(t, s.config(false))
	_, _, err := s.ask(t, nil, secret)
	require.Error(t, err)
	certificate, key := by.issue(t, "anybody", x509.ExtKeyUsageClientAuth, time.Hour)
	said, _, err := s.ask(t, pairOf(t, certificate, key), secret)
	require.NoError(t, err)
	require.Equal(t, "token:ci", said)
}

func TestOlderTLSIsRefused(t *testing.T) {
	by := newAuthority(t)
	s, _ := newService(t, by, by)
	s.serve(t, s.config(true))
	_, err := (&tls.Dialer{Config: &tls.Config{RootCAs: s.roots, MaxVersion: tls.VersionTLS12}}).DialContext(t.Context(), "tcp", s.address[len("https://"):])
	require.ErrorContains(t, err, "protocol version")
}

func TestFilesThatAreNoCertificate(t *testing.T) {
	for want, harm := range map[string]func(t *testing.T, s *service){
		"everybody may read": func(t *testing.T, s *service) { require.NoError(t, os.Chmod(filepath.Join(s.dir, "key.pem"), 0o644)) },
		"chmod go-w": func(t *testing.T, s *service) {
			require.NoError(t, os.Chmod(filepath.Join(s.dir, "clients.pem"), 0o666))
		},
		"no such file":      func(t *testing.T, s *service) { require.NoError(t, os.Remove(filepath.Join(s.dir, "cert.pem"))) },
		"no certificate in": func(t *testing.T, s *service) { s.put(t, "clients.pem", nil) },
		"private key does not match": func(t *testing.T, s *service) {
			certificate, _ := newAuthority(t).issue(t, "localhost", x509.ExtKeyUsageServerAuth, time.Hour)
			s.put(t, "cert.pem", certificate)
		},
		"not a regular file": func(t *testing.T, s *service) {
			require.NoError(t, os.Remove(filepath.Join(s.dir, "key.pem")))
			require.NoError(t, os.Mkdir(filepath.Join(s.dir, "key.pem"), 0o700))
		},
	} {
		t.Run(want, func(t *testing.T) {
			by := newAuthority(t)
			s, _ := newService(t, by, by)
			harm(t, s)
			_, err := s.config(true).Open(t.Context(), slog.New(slog.DiscardHandler))
			require.ErrorContains(t, err, want)
			require.ErrorContains(t, err, "127.0.0.1:0")
		})
	}
}

func TestListenersAreOpenedTogetherOrNotAtAll(t *testing.T) {
	dir, err := os.MkdirTemp("", "serve")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s.sock")
	config := Config{Version: 1, Listen: []Listen{{Unix: socket, Mode: "0600"}, {TCP: "127.0.0.1:0"}}}.completed()
	opened, err := config.Open(t.Context(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.Equal(t, []Kind{KindUnix, KindLoopback}, []Kind{opened[0].Kind, opened[1].Kind})
	info, err := os.Lstat(socket)
	require.NoError(t, err)
	require.Equal(t, os.ModeSocket|0o600, info.Mode())
	taken := opened[1].Addr().String()
	require.NoError(t, opened[0].Close())
	config.Listen[1].TCP = taken
	_, err = config.Open(t.Context(), slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, taken)
	require.NoFileExists(t, socket)
	require.NoError(t, opened[1].Close())
	config.Listen[0].Group = "no-such-group"
	_, err = config.Open(t.Context(), slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "groupadd --system no-such-group")
	_, err = config.OpenMetrics(t.Context(), slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "metrics.listen")
}

func TestAnAuthenticatorNeedsWhatItNames(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	config := Default()
	_, err := config.Authenticator(log)
	require.NoError(t, err)
	config.Authentication.Unix = &Unix{Users: []string{"root", "uid-77", "nobody-of-that-name"}, Groups: []string{"root", "no-such-group"}}
	config.Authentication.Tokens = &Tokens{"/nonexistent/tokens.json"}
	_, err = config.Authenticator(log)
	for _, want := range []string{"users: user: unknown user nobody-of-that-name", "groups: group: unknown group no-such-group", "runner token create"} {
		require.ErrorContains(t, err, want)
	}
}
