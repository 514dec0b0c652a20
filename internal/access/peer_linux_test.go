package access_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/access"
	"hotcell/internal/unixsocket"
)

// asked is who a server of a unix socket takes another user's process for.
func asked(t *testing.T, by access.Authenticator, uid int, headers ...string) (who access.Principal, err error) {
	t.Helper()
	dir, err := os.MkdirTemp("", "peer") // with a short name, open to others
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	require.NoError(t, os.Chmod(dir, 0o755))
	listener, err := unixsocket.Listen(unixsocket.Options{Path: filepath.Join(dir, "s"), Mode: 0o666, Group: -1})
	require.NoError(t, err)
	server := &http.Server{
		ConnContext: access.ConnContext,
		Handler:     http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { who, err = by.Authenticate(r) }),
	}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(listener) }()
	as(t, uid, func() {
		conn, dialErr := net.Dial("unix", filepath.Join(dir, "s"))
		require.NoError(t, dialErr)
		defer conn.Close()
		_, _ = conn.Write([]byte("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + strings.Join(append(headers, "\r\n"), "\r\n")))
		buffer := make([]byte, 1024)
		for {
			if _, err := conn.Read(buffer); err != nil {
				return
			}
		}
	})
	require.NoError(t, server.Close())
	<-done
	return who, err
}

// as does something as another user: the kernel notes the thread's own at connect(2).
func as(t *testing.T, uid int, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		become(t, uid) //nolint:testifylint // a thread of its own, which ends with it
		do()
	}()
	<-done
}

func become(t *testing.T, uid int) {
	t.Helper()
	if uid == os.Geteuid() {
		return
	}
	runtime.LockOSThread() // it ends with the goroutine, and its thread with it
	_, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, uintptr(uid), uintptr(uid), uintptr(uid))
	require.Zero(t, errno)
}

// secret is the only token that there is.
type secret string

func (s secret) Carries(r *http.Request) bool { return access.Bearer(r) != "" }

func (s secret) Authenticate(r *http.Request) (access.Principal, error) {
	if access.Bearer(r) != string(s) {
		return access.Principal{}, access.ErrUnknown
	}
	return access.Principal{Name: "token:ci"}, nil
}

func TestTheUserOfASocketIsKnownByTheKernel(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to be others")
	}
	users := access.Peers{Users: []string{"daemon", "uid-4242"}, Groups: []string{"mail"}, Scopes: []access.Scope{access.ScopeRun}}
	for name, test := range map[string]struct {
		uid  int
		want access.Principal
	}{
		"root has every scope":     {0, access.Principal{Name: "user:root", Scopes: []access.Scope{access.ScopeAdmin}}},
		"a user that is named":     {1, access.Principal{Name: "user:daemon", Scopes: users.Scopes}},
		"a user of a group":        {8, access.Principal{Name: "user:mail", Scopes: users.Scopes}},
		"a user without an entry":  {4242, access.Principal{Name: "user:uid-4242", Scopes: users.Scopes}},
		"another user":             {65534, access.Principal{}},
		"another without an entry": {4243, access.Principal{}},
	} {
		t.Run(name, func(t *testing.T) {
			who, err := asked(t, access.First(users), test.uid)
			if test.want.Name == "" {
				require.ErrorIs(t, err, access.ErrUnknown)
			} else {
				require.NoError(t, err)
			}
			require.Equal(t, test.want, who)
		})
	}
	for header, want := range map[string]string{"": "user:root", "Authorization: Bearer right": "token:ci", "Authorization: Bearer wrong": "", "Authorization: Basic x": ""} {
		var headers []string
		if header != "" {
			headers = append(headers, header)
		}
		who, err := asked(t, access.First(users, secret("right")), 0, headers...)
		require.Equal(t, want == "", err != nil, header)
		require.Equal(t, want, who.Name, header)
	}
	who, err := asked(t, access.First(access.Peers{}), 0)
	require.NoError(t, err)
	require.Equal(t, "user:root", who.Name)
}

func TestAConnectionOfTCPHasNoPeer(t *testing.T) {
	one, two := net.Pipe()
	defer one.Close()
	defer two.Close()
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	r = r.WithContext(access.ConnContext(context.Background(), one))
	require.False(t, access.Peers{}.Carries(r))
	_, err := access.Peers{}.Authenticate(r)
	require.ErrorIs(t, err, access.ErrUnknown)
}
