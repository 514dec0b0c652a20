//go:build linux

package docker

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/moby/moby/client"
	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
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
	image, err := h.ensureImage(t.Context(), h.spec("pass"), runtime.GOARCH)
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
			err = comparePodman(config, wanted, prepared)
			require.ErrorIs(t, err, errIsolation)
			require.ErrorContains(t, err, test.wanted)
		})
	}
}

// serve starts another service of the Podman of this machine, with settings of the host's
// administrator in a containers.conf, and returns a harness that speaks to it.
func servePodman(t *testing.T, configuration string) harness {
	t.Helper()
	program, err := exec.LookPath("podman")
	if err != nil {
		lacking(t, err.Error())
	}
	dir, err := os.MkdirTemp("", "podman") // t.TempDir's is too long for a socket
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	file, socket := filepath.Join(dir, "containers.conf"), filepath.Join(dir, "podman.sock")
	require.NoError(t, os.WriteFile(file, []byte(configuration), 0o600))
	service := exec.Command(program, "system", "service", "--time=0", "unix://"+socket)
	service.Env = append(os.Environ(), "CONTAINERS_CONF_OVERRIDE="+file)
	service.Stderr = t.Output()
	require.NoError(t, service.Start())
	t.Cleanup(func() {
		_ = service.Process.Kill()
		_ = service.Wait()
	})
	require.Eventually(t, func() bool {
		conn, err := net.Dial("unix", socket)
		return err == nil && conn.Close() == nil
	}, 20*time.Second, 10*time.Millisecond)
	t.Setenv(client.EnvOverrideHost, "unix://"+socket)
	return newPodmanHarness(t)
}

// TestAnAdministratorsSettingsDoNotWeaken has a Podman whose containers.conf is not what
// it comes with. What a request can say for itself holds; the rest is refused by its name.
func TestAnAdministratorsSettingsDoNotWeaken(t *testing.T) {
	newPodmanHarness(t)
	hooks := t.TempDir()
	hook := `{"version": "1.0.0", "hook": {"path": "/bin/true"}, "when": {"always": true}, "stages": ["prestart"]}`
	require.NoError(t, os.WriteFile(filepath.Join(hooks, "hook.json"), []byte(hook), 0o644))
	cases := []struct{ name, configuration, wanted string }{
		{"nothing", "", ""},
		{"what a request overrides", `[containers]
			env = ["LD_PRELOAD=/x"]
			env_host = true
			umask = "0000"
			init = true
			privileged = true
			default_capabilities = ["SYS_ADMIN"]
			default_ulimits = ["nofile=100000:100000", "core=-1:-1"]
			seccomp_profile = "unconfined"
			ipcns = "host"
			netns = "host"
			pidns = "host"
			utsns = "host"
			cgroupns = "host"
			userns = "host"
			cgroups = "disabled"
			pids_limit = 0
			shm_size = "1g"
			tz = "local"
			no_hosts = false
			log_driver = "k8s-file"
			http_proxy = true`, ""},
		{"annotations, which runtimes obey", "[containers]\nannotations = [\"run.oci.keep_original_groups=1\"]", "annotations"},
		{"sysctls", "[containers]\ndefault_sysctls = [\"net.ipv4.ip_forward=1\"]", "sysctls"},
		{"devices", "[containers]\ndevices = [\"/dev/tty:/dev/tty:rwm\"]", "devices"},
		{"a volume of the host's", "[containers]\nvolumes = [\"/etc:/srv:ro\"]", "there is a mount on /srv"},
		{"a volume in place of Podman's own", "[containers]\nvolumes = [\"/etc:/dev/mqueue:ro\"]", "on /dev/mqueue is"},
		{"a volume below its own", "[containers]\nvolumes = [\"/etc:/sys/kernel:ro\"]", "there is a mount on /sys/kernel"},
		{"a volume in place of what is writable", "[containers]\nvolumes = [\"/etc:/dev/pts:ro\"]", "on /dev/pts is"},
		{"a hook", "[engine]\nhooks_dir = [\"" + hooks + "\"]", "hooks"},
		{"the host's keyring", "[containers]\nkeyring = false", "--no-new-keyring"},
		{"no pivot_root", "[engine]\nno_pivot_root = true", "--no-pivot"},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			h := servePodman(t, test.configuration)
			made, err := h.Create(t.Context(), container.NewID(), h.spec("pass"))
			if made != nil {
				defer func() { require.NoError(t, made.Destroy(context.Background())) }()
			}
			if test.wanted == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, errIsolation)
			require.ErrorContains(t, err, test.wanted)
		})
	}
}
