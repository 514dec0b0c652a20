package docker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"time"

	"github.com/moby/moby/api/types/system"
	"github.com/moby/moby/client"
	"github.com/moby/moby/client/pkg/versions"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// oldestAPI is that of Docker 20.10, the first with private cgroup namespaces
// and one-shot statistics.
const oldestAPI = "1.41"

// daemon is what the daemon says about itself, and where it is.
type daemon struct {
	info    system.Info
	api     string // negotiated version
	podman  string // Podman's version where it is Podman that answers, else ""
	local   bool   // shares this kernel and mount namespace, and we are root
	cgroups cgroupSupport
	// confined is what AppArmor does.
	confined confinement
	// components are the daemon, containerd, runc and docker-init.
	components []container.Component
}

// cgroupSupport says whether sandboxes get a parent cgroup of ours, whose
// counters outlive the container.
type cgroupSupport struct {
	parent bool
	detail string // why not
}

// Probe implements container.Engine.
func (e *Engine) Probe(ctx context.Context, runtime string) (container.Host, error) {
	leave, err := e.opening.Enter()
	if err != nil {
		return container.Host{}, fmt.Errorf("probe docker engine: %w", err)
	}
	defer leave()
	found, err := e.recent(ctx)
	if err != nil {
		return container.Host{}, err
	}
	if err := found.hasRuntime(runtime); err != nil {
		return container.Host{}, err
	}
	return found.host(runtime), nil
}

// host is what the daemon's sandboxes with this runtime have.
func (d daemon) host(runtime string) container.Host {
	cpu := job.CPU{Features: []string{}}
	if d.local {
		cpu = container.ThisCPU()
	}
	return container.Host{
		CPU:        cpu,
		Engine:     Name,
		Runtime:    d.describeRuntime(runtime),
		Kernel:     d.info.KernelVersion,
		Controls:   d.controls(),
		Components: d.components,
	}
}

// recent is what the daemon told of itself last, if that is believed still.
func (e *Engine) recent(ctx context.Context) (daemon, error) {
	e.mu.Lock()
	known, at := e.probed, e.probedAt
	e.mu.Unlock()
	if !at.IsZero() && time.Since(at) < e.probeAge {
		return known, nil
	}
	now := time.Now()
	found, err := e.daemon(ctx)
	if err != nil {
		return daemon{}, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.probed, e.probedAt = found, now
	return found, nil
}

// daemon asks the daemon anew each time: it may have been restarted with other
// settings since.
func (e *Engine) daemon(ctx context.Context) (daemon, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	found, err := e.identify(ctx)
	if err != nil {
		return daemon{}, err
	}
	answer, err := e.api.Info(ctx, client.InfoOptions{})
	if err != nil {
		return daemon{}, fmt.Errorf("ask docker at %s about itself: %w", e.api.DaemonHost(), err)
	}
	found.info = answer.Info
	if found.info.OSType != "linux" {
		return daemon{}, fmt.Errorf("docker at %s runs %s containers: switch it to Linux containers", e.api.DaemonHost(), found.info.OSType)
	}
	if err := found.runsNatively(goruntime.GOARCH); err != nil {
		return daemon{}, fmt.Errorf("docker at %s: %w", e.api.DaemonHost(), err)
	}
	if found.podman != "" {
		if err := e.correctPodman(ctx, &found); err != nil {
			return daemon{}, err
		}
	}
	found.local = !e.remote && sharesKernel(e.api.DaemonHost(), found.info)
	found.cgroups = parentCgroups(ctx, found)
	found.confined = found.confine(ctx, e.state.path)
	return found, nil
}

// runsNatively refuses a daemon of another architecture than the runner's, of which the
// image is, too. Where binfmt_misc has an emulator it would not fail: the sandbox's
// system calls would be the emulator's, by numbers and with a memory layout for which
// neither the seccomp profile nor the guard is made.
func (d daemon) runsNatively(architecture string) error {
	if found := goArchitecture(d.info.Architecture); found != architecture {
		return fmt.Errorf("its machine is of the architecture %q, and runner and image are for %s: use a daemon on %s, or the runner for the daemon's architecture",
			found, architecture, architecture)
	}
	return nil
}

// goArchitecture translates what uname says, as Docker does; Podman has Go's names.
func goArchitecture(machine string) string {
	switch machine {
	case "x86_64":
		return "amd64"
	case "aarch64":
		return "arm64"
	}
	return machine
}

// identify finds out who answers, and in which version of the API.
func (e *Engine) identify(ctx context.Context) (daemon, error) {
	host := e.api.DaemonHost()
	if _, err := e.api.Ping(ctx, client.PingOptions{NegotiateAPIVersion: true}); err != nil {
		if foreign, found := errors.AsType[*foreignDaemonError](err); found {
			return daemon{}, foreign // without a hint for where none answers
		}
		if ctx.Err() != nil {
			err = errors.Join(context.Cause(ctx), err)
		}
		return daemon{}, fmt.Errorf("docker is not answering at %s: %s: %w", host, wayToDaemon(os.Geteuid()), err)
	}
	api := e.api.ClientVersion()
	if versions.LessThan(api, oldestAPI) {
		return daemon{}, fmt.Errorf("docker at %s speaks API %s: update it to 20.10 (API %s) or later", host, api, oldestAPI)
	}
	version, err := e.api.ServerVersion(ctx, client.ServerVersionOptions{})
	if err != nil {
		return daemon{}, fmt.Errorf("ask docker at %s for its version: %w", host, err)
	}
	podman := podmanVersion(version.Components)
	if err := refusePodman(podman, host); err != nil {
		return daemon{}, err
	}
	return daemon{api: api, podman: podman, components: components(version.Components)}, nil
}

// wayToDaemon is what to do where none answers. The system's daemon is not for
// everybody: whoever may use it is as good as root.
func wayToDaemon(uid int) string {
	if uid == 0 {
		return "start it with `systemctl start docker` or `dockerd`, or use --engine oci"
	}
	return "start a rootless one of your own (`dockerd-rootless-setuptool.sh install`, which Debian has in /usr/share/docker.io/contrib, then `systemctl --user start docker`; Podman: `systemctl --user start podman.socket`), or name another in DOCKER_HOST"
}

// components translates "Engine" to docker; containerd and runc are called so.
// Podman's say "OCI Runtime (crun)", and "conmon version 2.1.12, commit: unknown".
func components(parts []system.ComponentVersion) []container.Component {
	var found []container.Component
	for _, part := range parts {
		name := strings.ToLower(part.Name)
		switch {
		case name == "engine":
			name = Name
		case part.Name == podmanEngine:
			name = "podman"
		case strings.HasPrefix(name, "oci runtime ("):
			name = strings.TrimSuffix(strings.TrimPrefix(name, "oci runtime ("), ")")
		}
		version, _, _ := strings.Cut(strings.TrimPrefix(part.Version, name+" version "), "\n")
		version, _, _ = strings.Cut(version, ",")
		found = append(found, container.Component{Name: name, Version: version})
	}
	return found
}

// describeRuntime says for people which runtime a sandbox gets; name is "" for the
// daemon's default. The daemon tells a version of runc alone.
func (d daemon) describeRuntime(name string) string {
	name = cmp.Or(name, d.info.DefaultRuntime)
	if commit := d.info.RuncCommit.ID; name == "runc" && commit != "" {
		name += " " + commit
	}
	service := "Docker"
	if d.podman != "" {
		service = "Podman"
	}
	if d.hasSecurity("rootless") {
		service = "rootless " + service
	}
	return fmt.Sprintf("%s on %s %s", name, service, d.info.ServerVersion)
}

// hasRuntime refuses a runtime that the daemon was not told about.
func (d daemon) hasRuntime(name string) error {
	if name == "" {
		return refuseSentry(d.info.DefaultRuntime, d.info.Runtimes[d.info.DefaultRuntime].Path)
	}
	if found, known := d.info.Runtimes[name]; known || name == d.info.DefaultRuntime {
		if err := refuseSentry(name, found.Path); err != nil {
			return fmt.Errorf("%w for docker: %w", container.ErrUnknownRuntime, err)
		}
		return nil
	}
	known := slices.Sorted(maps.Keys(d.info.Runtimes))
	return fmt.Errorf("%w %q: docker has %s; add it under \"runtimes\" in daemon.json, or choose another",
		container.ErrUnknownRuntime, name, strings.Join(known, ", "))
}

// refuseSentry refuses gVisor here. What is verified of a container of Docker's is
// its first process, of which gVisor shows the Sentry, with the Sentry's mounts and
// capabilities; every sandbox would fail on them, after it has been started.
func refuseSentry(name, path string) error {
	if name != gVisor && filepath.Base(path) != gVisor {
		return nil
	}
	return fmt.Errorf("runtime %q is gVisor, whose sandboxes the docker engine cannot verify: use --engine oci --runtime %s", name, gVisor)
}

// gVisor is the name of its runtime's program.
const gVisor = "runsc"

// userNamespace says whether root in a container is nobody on the daemon's host.
// Podman gives a container the namespace that is asked for.
func (d daemon) userNamespace() bool {
	return d.podman != "" || d.hasSecurity("userns") || d.hasSecurity("rootless")
}

// hasSecurity looks for "name=X" or "name=X,key=value" among the daemon's
// security options.
func (d daemon) hasSecurity(name string) bool {
	return slices.ContainsFunc(d.info.SecurityOptions, func(option string) bool {
		first, _, _ := strings.Cut(option, ",")
		return first == "name="+name || first == name
	})
}

// countsCPU says whether there are figures of CPU time. A rootless daemon on cgroup v1, or
// without systemd, has no control groups, and empty figures.
func (d daemon) countsCPU() bool { return d.info.CgroupDriver != "none" }

// controls returns every control in the order of container.Controls.
func (d daemon) controls() []job.Control {
	active := map[string]bool{
		container.ControlNamespaces:      true,
		container.ControlUserNamespace:   d.userNamespace(),
		container.ControlCgroupNamespace: true,
		container.ControlReadOnlyRoot:    true,
		container.ControlNoCapabilities:  true,
		container.ControlNoNewPrivs:      true,
		container.ControlSeccomp:         d.hasSecurity("seccomp"),
		container.ControlMemory:          d.info.MemoryLimit,
		container.ControlSwapOff:         d.info.SwapLimit,
		container.ControlPIDs:            d.info.PidsLimit,
		container.ControlCPU:             d.info.CPUCfsQuota && d.info.CPUCfsPeriod,
		container.ControlOutputQuota:     true,
		container.ControlOutputInodes:    true,
		container.ControlMountOptions:    true,
		container.ControlOOMCount:        d.cgroups.parent,
		container.ControlCPUClock:        d.countsCPU(),
		container.ControlAppArmor:        d.confined.profile != "",
	}
	controls := make([]job.Control, 0, len(active))
	for _, name := range container.Controls() {
		if name == container.ControlLandlock {
			controls = append(controls, d.landlock())
			continue
		}
		control := job.Control{Name: name, Active: active[name]}
		if !control.Active {
			control.Detail = d.lack(name)
		} else if name == container.ControlAppArmor {
			control.Detail = d.confined.detail
		}
		controls = append(controls, control)
	}
	return controls
}

// landlock tells what the daemon's kernel offers a guard, where it is this one.
func (d daemon) landlock() job.Control {
	if !d.local {
		return container.LandlockControl(0, errors.New("the daemon's kernel cannot be asked from here: each run tells what it has"))
	}
	return container.LandlockControl(container.Landlock())
}

// lack says why a control is not there and what would bring it.
func (d daemon) lack(name string) string {
	switch name {
	case container.ControlUserNamespace:
		return fmt.Sprintf("the daemon runs without userns-remap and is not rootless: whoever has uid %d on the host can end a run, and is kept from its data by the modes in the image", container.UserID)
	case container.ControlSeccomp:
		return "the daemon was built or started without seccomp"
	case container.ControlSwapOff:
		return "the kernel does not count swap: boot with swapaccount=1"
	case container.ControlOOMCount:
		return d.cgroups.detail
	case container.ControlAppArmor:
		return d.confined.detail
	}
	switch {
	case d.hasSecurity("rootless") && d.info.CgroupVersion != "2":
		return "a rootless daemon has no control groups on cgroup v1: boot with systemd.unified_cgroup_hierarchy=1"
	case !d.countsCPU():
		return "the daemon has no control groups (cgroup driver none): start it as a unit of the user's systemd"
	case d.hasSecurity("rootless"):
		return undelegated
	}
	return "the daemon's kernel lacks this cgroup controller"
}

// undelegated is why a rootless daemon lacks a controller that its kernel has, and the
// way out. systemd before 252 gave users memory and pids alone.
const undelegated = "systemd does not delegate this controller to users: as root, write \"[Service]\" and \"Delegate=cpu cpuset io memory pids\" as two lines to /etc/systemd/system/user@.service.d/delegate.conf, run `systemctl daemon-reload`, and restart the user's session (`systemctl restart user@UID`)"
