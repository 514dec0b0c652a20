package docker

import (
	"os"
	"path/filepath"
	"strconv"

	"github.com/moby/moby/client"
)

// DefaultHost is the daemon that New means where it is told no other, and why:
// DOCKER_HOST's, else for a user other than root the rootless one of his own, where it
// listens, else the system's. Docker's own clients find a rootless daemon by a context
// in a file of the user's, which a script or a service does not have.
func DefaultHost() (host, why string) {
	return defaultHost(os.Geteuid(), os.Getenv)
}

func defaultHost(uid int, getenv func(string) string) (host, why string) {
	if host := getenv(client.EnvOverrideHost); host != "" {
		return host, client.EnvOverrideHost
	}
	if uid > 0 { // -1 on Windows
		dir := getenv("XDG_RUNTIME_DIR")
		if !filepath.IsAbs(dir) {
			dir = filepath.Join("/run/user", strconv.Itoa(uid)) // as pam_systemd makes it
		}
		socket := filepath.Join(dir, "docker.sock")
		if info, err := os.Stat(socket); err == nil && info.Mode().Type() == os.ModeSocket {
			return "unix://" + socket, "this user's own, rootless"
		}
	}
	return client.DefaultDockerHost, "the system's"
}
