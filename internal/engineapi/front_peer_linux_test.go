package engineapi

import (
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A front of the engine's own user is answered where the engine cannot see its process, and nowhere else:
// it could look into this one's memory.
func TestAFrontOfTheSameUserIsKeptApart(t *testing.T) {
	dir, err := os.MkdirTemp("", "front")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	for _, apart := range []bool{true, false} {
		path := filepath.Join(dir, "front.sock")
		listener, err := ListenFront(path, uint32(os.Geteuid()))
		require.NoError(t, err)
		var log strings.Builder
		front := onlyFrom(listener, uint32(os.Geteuid()), apart, slog.New(slog.NewTextHandler(&log, nil)))
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			if conn, err := front.Accept(); err == nil {
				_, _ = io.WriteString(conn, "answered")
				_ = conn.Close()
			}
		}()
		conn, err := net.Dial("unix", path)
		require.NoError(t, err)
		said, _ := io.ReadAll(conn)
		require.NoError(t, conn.Close())
		require.NoError(t, front.Close())
		<-ended
		if apart {
			require.Empty(t, said)
			require.Contains(t, log.String(), "shares a pid namespace")
		} else {
			require.Equal(t, "answered", string(said))
		}
	}
}
