package doctor

import (
	"cmp"
	"slices"
	"strings"

	"hotcell/internal/container"
)

// Probed is one engine, asked by the caller.
type Probed struct {
	Name string
	Host container.Host
	Err  error // why the engine cannot be used here
}

// Report is what is known of a host.
type Report struct {
	Engines    []Engine    `json:"engines"`
	Components []Component `json:"components"`
	Findings   []Finding   `json:"findings"`
	Settings   []Setting   `json:"settings"`
}

// Engine is one engine's answer.
type Engine struct {
	Name     string    `json:"name"`
	Usable   bool      `json:"usable"`
	Reason   string    `json:"reason,omitempty"` // why it is not
	Runtime  string    `json:"runtime,omitempty"`
	Controls []Control `json:"controls"`
}

// Control is one control on one engine.
type Control struct {
	Name   string `json:"name"`
	Active bool   `json:"active"`
	Detail string `json:"detail,omitempty"`
	Remedy string `json:"remedy,omitempty"` // what to do where it is not active
}

// Component is a program or library that containment relies on. Known says whether
// its version could be compared with the advisories.
type Component struct {
	container.Component
	Known bool `json:"known"`
}

// Setting is one fact of the host's configuration. Advice is "" when it is well.
type Setting struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Advice string `json:"advice,omitempty"`
}

// Inactive returns the names of the controls that the engine lacks.
func (e Engine) Inactive() []string {
	var names []string
	for _, control := range e.Controls {
		if !control.Active {
			names = append(names, control.Name)
		}
	}
	return names
}

// Examine puts together what the engines answered, further components (the
// caller's own Go and libseccomp) and the settings of the host.
func Examine(probed []Probed, more []container.Component, settings []Setting) (Report, error) {
	advisories, err := knownAdvisories()
	if err != nil {
		return Report{}, err
	}
	components := slices.Clone(more)
	report := Report{Engines: []Engine{}, Settings: settings}
	for _, engine := range probed {
		report.Engines = append(report.Engines, describe(engine))
		components = append(components, engine.Host.Components...)
		if kernel := engine.Host.Kernel; kernel != "" {
			components = append(components, container.Component{Name: "linux", Version: kernel})
		}
	}
	components = distinct(components)
	for _, component := range components {
		_, known := canonical(component.Version)
		report.Components = append(report.Components, Component{component, known})
	}
	report.Findings = findings(components, advisories)
	return report, nil
}

func describe(probed Probed) Engine {
	engine := Engine{Name: probed.Name, Usable: probed.Err == nil, Runtime: probed.Host.Runtime, Controls: []Control{}}
	if probed.Err != nil {
		engine.Reason = probed.Err.Error()
		return engine
	}
	for _, control := range probed.Host.Controls {
		found := Control{Name: control.Name, Active: control.Active, Detail: control.Detail}
		if !control.Active {
			found.Remedy = remedy(probed.Host, control.Name)
		}
		engine.Controls = append(engine.Controls, found)
	}
	return engine
}

// distinct sorts by name and drops what two engines both named.
func distinct(components []container.Component) []container.Component {
	slices.SortFunc(components, func(a, b container.Component) int {
		return strings.Compare(a.Name+"\x00"+a.Version, b.Name+"\x00"+b.Version)
	})
	return slices.Compact(components)
}

func remedy(host container.Host, control string) string {
	given := ""
	switch {
	case host.Engine == "docker":
		given = dockerRemedies[control]
	case host.Engine == "kubernetes":
		given = clusterRemedies[control]
	case strings.HasPrefix(host.Runtime, "runsc "):
		given = sentryRemedies[control]
	}
	return cmp.Or(given, remedies[control])
}

// clusterRemedies are for what a cluster's administrator decides, or Kubernetes.
var clusterRemedies = map[string]string{
	container.ControlNamespaces:      "give the policy a seccomp profile that allows no socket, as the built-in ones do",
	container.ControlUserNamespace:   "use nodes with Linux 6.3, containerd 2 and runc 1.2 or later, and no host_users in the engine's settings",
	container.ControlCgroupNamespace: "use nodes with cgroup v2",
	container.ControlPIDs:            "give pods a user namespace: see user_namespace",
	container.ControlSwapOff:         "use nodes without swap, or with cgroup v2 and the kubelet's NoSwap",
	container.ControlOutputInodes:    "use the oci or docker engine where a policy needs it: volumes of Kubernetes have no such cap",
	container.ControlMountOptions:    "use the oci or docker engine where a policy needs it: Kubernetes 1.37 has no stable field for mount options",
	container.ControlAppArmor:        "use the oci engine where a policy requires it",
}

// sentryRemedies are for what gVisor's kernel has on no host.
var sentryRemedies = map[string]string{
	container.ControlAppArmor: "use crun or runc where a policy requires it",
	container.ControlLandlock: "use crun or runc where a policy requires it",
}

// dockerRemedies are for what depends on how the daemon was started.
var dockerRemedies = map[string]string{
	container.ControlUserNamespace:   "set \"userns-remap\" in daemon.json, use rootless Docker, or use the oci engine",
	container.ControlCgroupNamespace: "update Docker to 20.10 or later",
	container.ControlOOMCount:        dockerCounters,
	container.ControlCPUClock:        dockerCounters,
	container.ControlLandlock:        "with a rootless or remote daemon each result reports it, and a policy that requires it needs the oci engine; else " + remedies[container.ControlLandlock],
	container.ControlMemory:          rootlessFirst + remedies[container.ControlMemory],
	container.ControlPIDs:            rootlessFirst + remedies[container.ControlPIDs],
	container.ControlCPU:             rootlessFirst + remedies[container.ControlCPU],
}

const rootlessFirst = "where the daemon is rootless, have systemd delegate the controller; else "

const dockerCounters = "run the runner as root on the daemon's own host, under systemd where the daemon has the systemd cgroup driver, or use the oci engine"

// remedies say how a host gets a control that it lacks; the tests hold that every
// control has one.
var remedies = map[string]string{
	container.ControlNamespaces:      "run a kernel with mount, pid, net, ipc and uts namespaces (CONFIG_NAMESPACES)",
	container.ControlUserNamespace:   "set user.max_user_namespaces above 0, and on Debian kernel.unprivileged_userns_clone=1",
	container.ControlCgroupNamespace: "run Linux 4.6 or later with CONFIG_CGROUPS",
	container.ControlReadOnlyRoot:    "use a runtime that makes the root file system read-only",
	container.ControlNoCapabilities:  "use a runtime that drops every capability",
	container.ControlNoNewPrivs:      "use a runtime and kernel with no_new_privs (Linux 3.5 or later)",
	container.ControlSeccomp:         "run a kernel with CONFIG_SECCOMP_FILTER and a runtime that is built with seccomp",
	container.ControlMemory:          "enable the memory controller: cgroup_enable=memory on the kernel command line",
	container.ControlSwapOff:         "enable swap accounting (swapaccount=1 on the kernel command line, or cgroup v2), or turn swap off",
	container.ControlPIDs:            "enable the pids controller (CONFIG_CGROUP_PIDS)",
	container.ControlCPU:             "enable CPU bandwidth control (CONFIG_CFS_BANDWIDTH)",
	container.ControlOutputQuota:     "give the state directory a file system on which tmpfs can be mounted with size and nr_inodes",
	container.ControlOutputInodes:    "give the state directory a file system on which tmpfs can be mounted with size and nr_inodes",
	container.ControlMountOptions:    "use a runtime that mounts with nosuid, nodev and noexec",
	container.ControlOOMCount:        "run Linux 4.13 or later with the memory controller",
	container.ControlCPUClock:        "enable the cpuacct controller (v1) or cpu.stat (v2)",
	container.ControlAppArmor:        "install apparmor on a kernel that has it (boot with apparmor=1; add it to lsm= where the command line has that); hosts with SELinux do without it",
	container.ControlLandlock:        "run Linux 5.13 or later with CONFIG_SECURITY_LANDLOCK, and landlock in lsm= where the command line has that",
}
