package docker

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/moby/moby/client"
)

// DefaultHost is the daemon that New means where it is told no other, and why:
// DOCKER_HOST's, else for a user other than root the rootless one of his own, where it
// listens, else the system's; Docker's before Podman's. Docker's own clients find a
// rootless daemon by a context in a file of the user's, which a script or a service
// does not have.
func DefaultHost() (host, why string) {
	return defaultHost(os.Geteuid(), os.Getenv, "/")
}

func defaultHost(uid int, getenv func(string) string, root string) (host, why string) {
	if host := getenv(client.EnvOverrideHost); host != "" {
		return host, client.EnvOverrideHost
	}
	if uid > 0 { // -1 on Windows
		dir := getenv("XDG_RUNTIME_DIR")
		if !filepath.IsAbs(dir) {
			dir = filepath.Join("/run/user", strconv.Itoa(uid)) // as pam_systemd makes it
		}
		for _, socket := range []string{"docker.sock", podmanSocket} {
			if socket = filepath.Join(dir, socket); isSocket(socket) {
				return "unix://" + socket, "this user's own, rootless"
			}
		}
	}
	// Only root may use Podman's; whoever else sees it would be told so and no more.
	system := strings.TrimPrefix(client.DefaultDockerHost, "unix://")
	if podman := filepath.Join(root, "run", podmanSocket); uid == 0 && !isSocket(filepath.Join(root, system)) && isSocket(podman) {
		return "unix://" + podman, "the system's Podman: there is no Docker"
	}
	return client.DefaultDockerHost, "the system's"
}

const podmanSocket = "podman/podman.sock"

func isSocket(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Type() == os.ModeSocket
}
