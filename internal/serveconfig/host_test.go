package serveconfig

import (
	"crypto/x509"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAllFaultsOfTheHostAreToldAtOnce: those that Open and Authenticator would meet one after the
// other, at a start each.
func TestAllFaultsOfTheHostAreToldAtOnce(t *testing.T) {
	by := newAuthority(t)
	s, _ := newService(t, by, by)
	config := s.config(true)
	config.Data = filepath.Join(s.dir, "data")
	require.NoError(t, config.HostFaults())
	require.NoDirExists(t, config.Data, "nothing is made")

	other, _ := by.issue(t, "localhost", x509.ExtKeyUsageServerAuth, time.Hour)
	s.put(t, "cert.pem", other) // whose key is another
	require.NoError(t, os.Remove(filepath.Join(s.dir, "tokens.json")))
	open := filepath.Join(s.dir, "open")
	require.NoError(t, os.Mkdir(open, 0o700))
	require.NoError(t, os.Chmod(open, 0o777))
	config.Listen = append(config.Listen, Listen{Unix: filepath.Join(open, "a.sock"), Mode: "0660", Group: "no-such-group"},
		Listen{Unix: filepath.Join(open, "b.sock"), Mode: "0660"}, Listen{Unix: filepath.Join(s.dir, "missing", "c.sock"), Mode: "0660"})
	config.Metrics = &Metrics{Listen: Listen{Unix: filepath.Join(s.dir, "cert.pem"), Mode: "0660"}}
	config.Authentication.Unix = &Unix{Users: []string{"no-such-user"}}
	config.Data = filepath.Join(s.dir, "key.pem", "data")
	err := config.HostFaults()
	for _, fault := range []string{
		"no-such-user", "`runner token create NAME", "private key does not match public key", "no-such-group", "a directory of its own", "is missing: run as root `install -d",
		"it is not a socket", "data: ",
	} {
		require.ErrorContains(t, err, fault)
	}
	require.NotContains(t, err.Error(), "chmod go-w")
}

func TestACertificateThatNobodyTakes(t *testing.T) {
	by := newAuthority(t)
	s, _ := newService(t, by, by)
	config := s.config(true)
	config.Data = filepath.Join(s.dir, "data")
	certificate, key := by.issue(t, "localhost", x509.ExtKeyUsageServerAuth, -time.Minute)
	s.put(t, "cert.pem", certificate)
	s.put(t, "key.pem", key)
	require.ErrorContains(t, config.HostFaults(), "has expired at ")
	now := time.Now()
	require.ErrorContains(t, validAt(now, &x509.Certificate{NotBefore: now.Add(time.Hour), NotAfter: now.Add(2 * time.Hour)}, "x"), "not valid before")
	require.NoError(t, os.Chmod(filepath.Join(s.dir, "key.pem"), 0o644))
	require.ErrorContains(t, config.HostFaults(), "everybody may read")
}

func TestANumberThatIsNoneHidesNoOtherFault(t *testing.T) {
	_, err := parse("serve.yaml", []byte("version: 1\nlisten:\n  - unix: /run/a.sock\n    mode: 0666\ndrayn: 5s\n"))
	require.ErrorContains(t, err, `line 4: `)
	require.ErrorContains(t, err, `in quotes`)
	require.ErrorContains(t, err, "drayn")
	_, err = parse("serve.yaml", []byte("version: 1\ndata: &a /x\nengine: *a\n"))
	require.ErrorContains(t, err, "anchors")
}
