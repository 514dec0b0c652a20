package docker

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/moby/moby/client"
)

// DefaultHost returns the daemon that New uses when it is given none, and why: the one
// that DOCKER_HOST names; else, for a user other than root, the user's own rootless one
// where it listens; else the system's. Docker's comes before Podman's. Docker's own
// clients find a rootless daemon by a context in one of the user's files, which a script
// or a service does not have.
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
