package docker

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/moby/moby/client"
	"github.com/stretchr/testify/require"
)

func TestTheDaemonIsTheOneThatAUserExpects(t *testing.T) {
	with, without := t.TempDir(), t.TempDir()
	listener, err := net.Listen("unix", filepath.Join(with, "docker.sock"))
	require.NoError(t, err)
	defer listener.Close()
	podman, system := t.TempDir(), t.TempDir()
	for _, socket := range []string{filepath.Join(podman, "podman"), filepath.Join(system, "run/podman")} {
		require.NoError(t, os.MkdirAll(socket, 0o700))
		listener, err := net.Listen("unix", filepath.Join(socket, "podman.sock"))
		require.NoError(t, err)
		defer listener.Close()
	}
	require.NoError(t, os.WriteFile(filepath.Join(without, "docker.sock"), nil, 0o600))
	tests := map[string]struct {
		uid         int
		environment map[string]string
		want        string
	}{
		"a user's own daemon":              {1000, map[string]string{"XDG_RUNTIME_DIR": with}, "unix://" + with + "/docker.sock"},
		"a user's own Podman":              {1000, map[string]string{"XDG_RUNTIME_DIR": podman}, "unix://" + podman + "/podman/podman.sock"},
		"the system's Podman is root's":    {1000, map[string]string{"XDG_RUNTIME_DIR": without, "ROOT": system}, client.DefaultDockerHost},
		"root has the system's Podman":     {0, map[string]string{"ROOT": system}, "unix://" + system + "/run/podman/podman.sock"},
		"DOCKER_HOST before all":           {1000, map[string]string{"XDG_RUNTIME_DIR": with, "DOCKER_HOST": "tcp://elsewhere:2376"}, "tcp://elsewhere:2376"},
		"no socket there":                  {1000, map[string]string{"XDG_RUNTIME_DIR": without}, client.DefaultDockerHost},
		"root has the system's":            {0, map[string]string{"XDG_RUNTIME_DIR": with}, client.DefaultDockerHost},
		"a relative name counts as none":   {1<<31 - 3, map[string]string{"XDG_RUNTIME_DIR": "run"}, client.DefaultDockerHost},
		"no XDG_RUNTIME_DIR and no daemon": {1<<31 - 3, nil, client.DefaultDockerHost},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			host, why := defaultHost(test.uid, func(name string) string { return test.environment[name] }, test.environment["ROOT"])
			require.Equal(t, test.want, host)
			require.NotEmpty(t, why)
		})
	}
}
