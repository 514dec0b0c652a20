package serveconfig

import (
	"crypto/x509"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/unixsocket"
)

// TestAllFaultsOfTheHostAreToldAtOnce: those that Open and Authenticator would meet one after the
// other, at a start each.
func TestAllFaultsOfTheHostAreToldAtOnce(t *testing.T) {
	by := newAuthority(t)
	s, _ := newService(t, by, by)
	config := s.config(true)
	require.Equal(t, Faults{}, config.HostFaults(t.Context()))

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
	err := config.HostFaults(t.Context()).Lasts
	for _, fault := range []string{
		"no-such-user", "`runner token create NAME", "private key does not match public key", "no-such-group", "a directory of its own", "is missing: run as root `install -d",
		"it is not a socket",
	} {
		require.ErrorContains(t, err, fault)
	}
	require.NotContains(t, err.Error(), "chmod go-w")
}

// TestEachFileOfTLSThatIsNoGoodIsTold: by its key, at once, and with a way out.
func TestEachFileOfTLSThatIsNoGoodIsTold(t *testing.T) {
	by := newAuthority(t)
	for name, harm := range map[string]func(path string) error{
		"put the file there (PEM), or name another": os.Remove,
		"run `chmod go-w ":                          func(path string) error { return os.Chmod(path, 0o666) },
		"not a regular file":                        func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := newService(t, by, by)
			for _, file := range []string{"cert.pem", "key.pem", "clients.pem"} {
				require.NoError(t, harm(filepath.Join(s.dir, file)))
			}
			config := s.config(true)
			err := config.HostFaults(t.Context()).Lasts
			for _, key := range []string{"certificate: ", "key: ", "client_ca: "} {
				require.ErrorContains(t, err, key)
			}
			require.Equal(t, 3, strings.Count(err.Error(), name), "%v", err)
			_, opened := config.Open(t.Context(), slog.New(slog.DiscardHandler))
			require.ErrorContains(t, opened, "client_ca: ", "whoever opens says the same")
		})
	}
}

// listening is a port that another process has.
func listening(t *testing.T, address string) string {
	t.Helper()
	other, err := net.Listen("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = other.Close() })
	return other.Addr().String()
}

// TestAddressesAreTried: what lasts is told apart from what may pass, and nothing stays taken.
func TestAddressesAreTried(t *testing.T) {
	dir, err := os.MkdirTemp("", "serve")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	faults := func(all ...Listen) Faults {
		return Config{Version: 1, Listen: all}.HostFaults(t.Context())
	}
	taken := listening(t, "127.0.0.1:0")
	found := faults(Listen{TCP: "127.0.0.1:0"}, Listen{TCP: taken})
	require.NoError(t, found.Lasts)
	require.ErrorContains(t, found.Passes, taken)
	require.ErrorContains(t, found.Passes, "another process listens there")

	_, port, err := net.SplitHostPort(taken)
	require.NoError(t, err)
	found = faults(Listen{TCP: "127.0.0.1:0"}, Listen{TCP: "0.0.0.0:" + port})
	require.NoError(t, found.Lasts, "it is not one of this file")
	require.ErrorContains(t, found.Passes, "another process listens there")

	socket := filepath.Join(dir, "a.sock")
	other, err := unixsocket.Listen(unixsocket.Options{Path: socket, Mode: 0o600, User: -1, Group: -1})
	require.NoError(t, err)
	found = faults(Listen{Unix: socket, Mode: "0660"})
	require.NoError(t, found.Lasts)
	require.ErrorIs(t, found.Passes, unixsocket.ErrAnother)
	found = faults(Listen{Unix: socket, Mode: "0660", Group: "no-such-group"})
	require.ErrorContains(t, found.Lasts, "no-such-group", "what lasts is not hidden")
	require.NoError(t, other.Close())
	require.Equal(t, Faults{}, faults(Listen{Unix: socket, Mode: "0660"}))
}

func TestTwoListenersOfAFileThatCannotBothBe(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(free.Addr().String())
	require.NoError(t, err)
	require.NoError(t, free.Close())
	found := tryAddresses(t.Context(), []Listen{{TCP: "127.0.0.1:" + port}, {TCP: "0.0.0.0:" + port}})
	require.ErrorContains(t, found.Lasts, "another listener of this file has this port", "%v", found.Passes)
	again, err := net.Listen("tcp", "127.0.0.1:"+port)
	require.NoError(t, err, "it is let go")
	require.NoError(t, again.Close())
}

// TestWhatAStartMeetsAgainIsToldApart: a unit does not start again for the first, and does for the others.
func TestWhatAStartMeetsAgainIsToldApart(t *testing.T) {
	at := Listen{TCP: "127.0.0.1:80"}
	for errno, want := range map[unix.Errno]string{unix.EACCES: "a port below 1024 is root's", unix.EAFNOSUPPORT: "listen at 127.0.0.1:80"} {
		found := judged(at, os.NewSyscallError("bind", errno))
		require.ErrorContains(t, found.Lasts, want)
		require.NoError(t, found.Passes)
	}
	for errno, want := range map[unix.Errno]string{unix.EADDRNOTAVAIL: "has no such address now", unix.EADDRINUSE: "another process listens there"} {
		found := judged(at, os.NewSyscallError("bind", errno))
		require.ErrorContains(t, found.Passes, want)
		require.NoError(t, found.Lasts)
	}
}

func TestACertificateThatNobodyTakes(t *testing.T) {
	by := newAuthority(t)
	s, _ := newService(t, by, by)
	config := s.config(true)
	certificate, key := by.issue(t, "localhost", x509.ExtKeyUsageServerAuth, -time.Minute)
	s.put(t, "cert.pem", certificate)
	s.put(t, "key.pem", key)
	require.ErrorContains(t, config.HostFaults(t.Context()).Lasts, "has expired at ")
	now := time.Now()
	require.ErrorContains(t, validAt(now, &x509.Certificate{NotBefore: now.Add(time.Hour), NotAfter: now.Add(2 * time.Hour)}, "x"), "not valid before")
	require.NoError(t, os.Chmod(filepath.Join(s.dir, "key.pem"), 0o644))
	require.ErrorContains(t, config.HostFaults(t.Context()).Lasts, "everybody may read")
}

func TestANumberThatIsNoneHidesNoOtherFault(t *testing.T) {
	_, err := parse("serve.yaml", []byte("version: 1\nlisten:\n  - unix: /run/a.sock\n    mode: 0666\ndrayn: 5s\n"))
	require.ErrorContains(t, err, `line 4: `)
	require.ErrorContains(t, err, `in quotes`)
	require.ErrorContains(t, err, "drayn")
	_, err = parse("serve.yaml", []byte("version: 1\ndata: &a /x\nengine: *a\n"))
	require.ErrorContains(t, err, "anchors")
}
