package client

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTheWrongEndOfTLSIsTold: whoever has mixed up two addresses, or lacks an authority, reads what
// to do about it.
func TestTheWrongEndOfTLSIsTold(t *testing.T) {
	answers := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	secret, plain := httptest.NewUnstartedServer(answers), httptest.NewServer(answers)
	secret.Config.ErrorLog = log.New(io.Discard, "", 0)
	secret.StartTLS()
	t.Cleanup(func() { secret.Close(); plain.Close() })
	for address, hint := range map[string]string{
		secret.URL: "HOTCELL_TLS_CA",
		strings.Replace(secret.URL, "https:", "http:", 1): "write https://",
		strings.Replace(plain.URL, "http:", "https:", 1):  "speaks no TLS",
	} {
		service, err := New(Options{URL: address, Patience: time.Millisecond})
		require.NoError(t, err)
		_, err = service.Version(t.Context())
		require.ErrorContains(t, err, hint)
		service.Close()
	}
	known := x509.NewCertPool()
	known.AddCert(secret.Certificate())
	clock := secret.Certificate().NotAfter.Add(time.Hour)
	for hint, change := range map[string]func(*tls.Config){
		"ask by a name that its certificate has": func(c *tls.Config) { c.ServerName = "hotcell.invalid" },
		"its administrator has to renew it":      func(c *tls.Config) { c.Time = func() time.Time { return clock } },
	} {
		secured := &tls.Config{RootCAs: known, MinVersion: tls.VersionTLS12}
		change(secured)
		service, err := New(Options{URL: secret.URL, TLS: secured, Patience: time.Millisecond})
		require.NoError(t, err)
		_, err = service.Version(t.Context())
		require.ErrorContains(t, err, hint)
		service.Close()
	}
}
