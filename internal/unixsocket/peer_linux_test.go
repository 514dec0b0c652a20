package unixsocket

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// hidden names the socket at which this test's own program answers in a pid namespace of its own.
const hidden = "HOTCELL_TEST_HIDDEN"

// A process sees its own namespace's, and those below. Who asks from above, or from beside it, has no number there.
func TestAPeerBeyondThePIDNamespaceIsNotSeen(t *testing.T) {
	if path := os.Getenv(hidden); path != "" {
		answerHidden(t, path)
		return
	}
	path := place(t)
	listener, err := Listen(Options{Path: path, Mode: 0o600, User: -1, Group: -1})
	require.NoError(t, err)
	defer listener.Close()
	conn, err := net.Dial("unix", path)
	require.NoError(t, err)
	defer conn.Close()
	seen, err := PeerSeen(wrapped{conn})
	require.NoError(t, err)
	require.True(t, seen)
	if os.Geteuid() != 0 {
		t.Skip("needs root to make a pid namespace")
	}

	other := place(t)
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), hidden+"="+other)
	child.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}
	ready, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	_, err = ready.Read(make([]byte, 1))
	require.NoError(t, err)
	asked, err := net.Dial("unix", other)
	require.NoError(t, err)
	said := make([]byte, 8)
	count, err := asked.Read(said)
	require.NoError(t, err)
	require.Equal(t, "false", string(said[:count]))
	require.NoError(t, asked.Close())
	require.NoError(t, child.Wait())
}

func answerHidden(t *testing.T, path string) {
	listener, err := Listen(Options{Path: path, Mode: 0o600, User: -1, Group: -1})
	require.NoError(t, err)
	defer listener.Close()
	fmt.Print(".")
	conn, err := listener.Accept()
	require.NoError(t, err)
	defer conn.Close()
	seen, err := PeerSeen(conn)
	require.NoError(t, err)
	_, err = fmt.Fprint(conn, seen)
	require.NoError(t, err)
}
