//go:build linux

package docker

import (
	"context"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/moby/moby/client"
	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"
)

// newPodmanHarness skips where another daemon answers: DOCKER_HOST says which.
func newPodmanHarness(t *testing.T) harness {
	t.Helper()
	h := newHarness(t, false)
	if !h.podman {
		t.Skip("the daemon is not Podman")
	}
	return h
}

// TestWeakPodmanContainersAreRefused has Podman make containers that lack one thing each
// of what was asked for, and reads back what it was told.
func TestWeakPodmanContainersAreRefused(t *testing.T) {
	cases := []struct {
		name, wanted string
		weaken       func(*podmanRequest)
	}{
		{"masks", "masked paths lack", func(r *podmanRequest) { r.Mask = nil }},
		{"seccomp", "seccomp is", func(r *podmanRequest) { r.SeccompFile = "unconfined" }},
		{"another profile", "seccomp is", func(r *podmanRequest) { r.SeccompFile = "" }},
		{"inodes of /tmp", "options of /tmp lack", func(r *podmanRequest) { r.Mounts[0].Options = []string{"size=1048576"} }},
		{"writable file systems", "options of /dev lack", func(r *podmanRequest) { r.ReadWriteTmpfs = true }},
		{"no_new_privs", "no_new_privs", func(r *podmanRequest) { r.NoNewPrivileges = false }},
		{"capabilities", "capabilities", func(r *podmanRequest) { r.CapDrop = nil }},
		{"root", "uid and gid", func(r *podmanRequest) { r.User = "0:0" }},
		{"host network", "namespaces", func(r *podmanRequest) { r.NetNS.Mode = "host" }},
		{"host processes", "namespaces", func(r *podmanRequest) { r.PidNS.Mode = "host" }},
		{"shared memory", "/dev/shm", func(r *podmanRequest) { r.IpcNS.Mode = "private" }},
		{"writable root", "read_only_root", func(r *podmanRequest) { r.ReadOnly = false }},
		{"the host's environment", "environment", func(r *podmanRequest) { r.EnvHost = true }},
		{"privileged", "capabilities", func(r *podmanRequest) { r.Privileged, r.CapDrop = true, nil }},
		{"memory", "memory.max", func(r *podmanRequest) {
			r.Resources = &specs.LinuxResources{Pids: r.Resources.Pids, CPU: r.Resources.CPU}
		}},
		{"hosts", "/etc/hosts", func(r *podmanRequest) { r.UseImageHosts = false }},
	}
	h := newPodmanHarness(t)
	found, err := h.daemon(t.Context())
	require.NoError(t, err)
	image, err := h.ensureImage(t.Context(), h.images.digest, runtime.GOARCH)
	require.NoError(t, err)
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			made := h.create(t, h.spec("pass")).(*sandbox)
			place := made.place(image)
			place.name, place.seccomp = place.name+"-weak", filepath.Join(made.dir.path, containerName(made.id)+".seccomp.json")
			config, err := podmanConfig(made.spec, place, found.podmanIDs())
			require.NoError(t, err)
			wanted := podmanContainer(config, made.spec, place)
			weak := podmanContainer(config, made.spec, place)
			test.weaken(&weak)
			t.Cleanup(func() {
				_, err := h.api.ContainerRemove(context.Background(), place.name, client.ContainerRemoveOptions{Force: true})
				require.NoError(t, err)
			})
			prepared, err := h.preparePodman(t.Context(), weak)
			require.NoError(t, err)
			err = comparePodman(config, wanted, prepared.config)
			require.ErrorIs(t, err, errIsolation)
			require.ErrorContains(t, err, test.wanted)
		})
	}
}
