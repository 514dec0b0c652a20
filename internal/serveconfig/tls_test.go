package serveconfig

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/access"
)

// keeping is a client with one connection, over which it asks again and again.
func (s *service) keeping(t *testing.T, certificate *tls.Certificate, secret string) func() string {
	t.Helper()
	transport := &http.Transport{MaxConnsPerHost: 1, TLSClientConfig: &tls.Config{RootCAs: s.roots, Certificates: []tls.Certificate{*certificate}}}
	t.Cleanup(transport.CloseIdleConnections)
	return func() string {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.address, http.NoBody)
		require.NoError(t, err)
		if secret != "" {
			r.Header.Set("Authorization", "Bearer "+secret)
		}
		answer, err := (&http.Client{Transport: transport}).Do(r)
		require.NoError(t, err)
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return string(text)
	}
}

// An authority that is taken away takes who is connected with it, also where a token says who asks.
func TestAnOpenConnectionIsVerifiedByTheAuthoritiesOfNow(t *testing.T) {
	for name, certificates := range map[string]bool{"known by a certificate": true, "known by a token": false} {
		t.Run(name, func(t *testing.T) {
			by, others := newAuthority(t), newAuthority(t)
			s, secret := newService(t, by, by)
			s.serve(t, s.config(certificates))
			certificate, key := by.issue(t, "ci.example.org", x509.ExtKeyUsageClientAuth, time.Hour)
			want := "token:ci"
			if certificates {
				secret, want = "", "cert:ci.example.org"
			}
			ask := s.keeping(t, pairOf(t, certificate, key), secret)
			require.Equal(t, want, ask())
			s.put(t, "clients.pem", others.pem())
			require.Contains(t, ask(), "of no authority that is believed here now")
			s.put(t, "clients.pem", append(others.pem(), by.pem()...))
			require.Equal(t, want, ask(), "both")
			require.NoError(t, os.Remove(filepath.Join(s.dir, "clients.pem")))
			said := ask()
			require.Contains(t, said, "client_ca")
			require.NotContains(t, said, access.ErrUnknown.Error(), "that is our own fault")
			s.put(t, "clients.pem", by.pem())
			require.Equal(t, want, ask())
		})
	}
}

func TestACertificateEndsWhileConnected(t *testing.T) {
	by := newAuthority(t)
	s, _ := newService(t, by, by)
	files, err := newFiles(*s.config(true).Listen[0].TLS, tls.RequireAndVerifyClientCert, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	shown := func(usage x509.ExtKeyUsage) []*x509.Certificate {
		text, _ := by.issue(t, "ci.example.org", usage, time.Hour)
		block, _ := pem.Decode(text)
		parsed, err := x509.ParseCertificate(block.Bytes)
		require.NoError(t, err)
		return []*x509.Certificate{parsed}
	}
	client, now := shown(x509.ExtKeyUsageClientAuth), time.Now()
	require.NoError(t, files.verify(client))
	require.ErrorIs(t, files.verify(shown(x509.ExtKeyUsageServerAuth)), access.ErrUnknown)
	require.ErrorIs(t, files.verify(nil), access.ErrUnknown)
	for _, off := range []time.Duration{2 * time.Hour, -2 * time.Hour} {
		files.clock = func() time.Time { return now.Add(off) }
		require.ErrorIs(t, files.verify(client), access.ErrUnknown)
	}
	files.clock, files.pool, files.of.ClientCA = time.Now, nil, ""
	require.ErrorIs(t, files.verify(client), access.ErrUnknown, "no authority of the system's")
}

// However many connect while a file is away, the log has one line of it, and one of its end.
func TestAFileThatIsAwayIsToldOnce(t *testing.T) {
	by := newAuthority(t)
	for name, said := range map[string]string{
		"clients.pem": `"msg":"nobody is let in"`, "cert.pem": `"msg":"the certificate was changed`, "key.pem": `"msg":"the certificate was changed`,
	} {
		t.Run(name, func(t *testing.T) {
			s, secret := newService(t, by, by)
			s.serve(t, s.config(true))
			before, err := os.ReadFile(filepath.Join(s.dir, name))
			require.NoError(t, err)
			count := func(text string) int { return strings.Count(s.log.String(), text) }
			ask := func() {
				for range 5 {
					_, _, err := s.ask(t, nil, secret)
					require.Equal(t, name == "clients.pem", err != nil, err)
				}
			}
			require.NoError(t, os.Remove(filepath.Join(s.dir, name)))
			ask()
			require.Equal(t, 1, count(said))
			s.put(t, name, []byte("nothing"))
			ask()
			require.Equal(t, 2, count(said), "another fault")
			s.put(t, name, before)
			_, _, err = s.ask(t, nil, secret)
			require.NoError(t, err)
			require.Equal(t, 1, count("can be again"))
			require.NoError(t, os.Remove(filepath.Join(s.dir, name)))
			ask()
			require.Equal(t, 3, count(said))
		})
	}
}

// Its mode is what keeps a key from being used, and what is mended.
func TestAKeyWhoseModeIsMendedIsTaken(t *testing.T) {
	by := newAuthority(t)
	s, secret := newService(t, by, by)
	s.serve(t, s.config(true))
	certificate, key := by.issue(t, "localhost", x509.ExtKeyUsageServerAuth, time.Hour)
	s.put(t, "key.pem", key)
	s.put(t, "cert.pem", certificate)
	require.NoError(t, os.Chmod(filepath.Join(s.dir, "key.pem"), 0o644))
	_, serial, err := s.ask(t, nil, secret)
	require.NoError(t, err)
	require.NotEqual(t, by.serial, serial)
	require.NoError(t, os.Chmod(filepath.Join(s.dir, "key.pem"), 0o600))
	_, serial, err = s.ask(t, nil, secret)
	require.NoError(t, err)
	require.Equal(t, by.serial, serial)
}
