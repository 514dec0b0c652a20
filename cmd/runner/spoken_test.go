package main

import (
	"context"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/client"
)

// spoken is what a process has printed until now.
type spoken struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write implements io.Writer.
func (s *spoken) Write(piece []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(piece)
}

// String implements fmt.Stringer.
func (s *spoken) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func (s *spoken) has(text string) bool { return strings.Contains(s.String(), text) }

// longEnough ends a test that hangs, and asserts nothing about times.
const longEnough = time.Minute

// await waits until a text was printed.
func (s *spoken) await(t *testing.T, text string) {
	t.Helper()
	require.Eventually(t, func() bool { return s.has(text) }, longEnough, 5*time.Millisecond, "%q is not printed", text)
}

// asksSameService asks what the command asks.
func asksSameService(t *testing.T, command *exec.Cmd) *client.Client {
	t.Helper()
	url := ""
	for _, each := range command.Env {
		if value, found := strings.CutPrefix(each, "HOTCELL_SERVER=http"); found {
			url = "http" + value
		}
	}
	asked, err := client.New(client.Options{URL: url, Token: fakeToken})
	require.NoError(t, err)
	t.Cleanup(asked.Close)
	return asked
}

// awaitRun waits until the service has a run.
func awaitRun(t *testing.T, service *client.Client) {
	t.Helper()
	require.Eventually(t, func() bool {
		for _, err := range service.Runs(context.Background(), client.Filter{}) {
			return err == nil
		}
		return false
	}, longEnough, 5*time.Millisecond, "there is no run")
}

// awaitBusy waits until the session that the command has opened carries out a step.
func awaitBusy(t *testing.T, service *client.Client, stdout *spoken) {
	t.Helper()
	const before = `"session":"`
	stdout.await(t, before)
	_, rest, _ := strings.Cut(stdout.String(), before)
	text, _, _ := strings.Cut(rest, `"`)
	id, err := client.ParseID(text)
	require.NoError(t, err, stdout.String())
	require.Eventually(t, func() bool {
		session, err := service.Session(context.Background(), id)
		return err == nil && session.Status == api.SessionBusy
	}, longEnough, 5*time.Millisecond, "the session carries out no step")
}
