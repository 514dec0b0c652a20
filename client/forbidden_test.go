package client_test

import (
	"io/fs"
	"net"
	"net/http"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/client"
)

// forbidden is a socket that this user may not open.
type forbidden struct{ asked int }

func (f *forbidden) RoundTrip(*http.Request) (*http.Response, error) {
	f.asked++
	return nil, &net.OpError{Op: "dial", Net: "unix", Err: syscall.EACCES}
}

// TestWhoMayNotOpenTheSocketHearsSoAtOnce: no patience makes anybody a member of a group.
func TestWhoMayNotOpenTheSocketHearsSoAtOnce(t *testing.T) {
	socket := &forbidden{}
	c, err := client.New(client.Options{Transport: socket})
	require.NoError(t, err)
	_, err = c.CreateRun(t.Context(), api.CreateRun{Policy: "p", Code: "1"}, client.CreateOptions{})
	require.ErrorIs(t, err, fs.ErrPermission)
	require.ErrorContains(t, err, "adduser")
	require.Equal(t, 1, socket.asked)
}
