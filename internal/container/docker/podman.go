package docker

import (
	"fmt"
	"slices"
	"strings"

	"github.com/moby/moby/api/types/mount"
	"github.com/moby/moby/api/types/system"
	"github.com/moby/moby/client/pkg/versions"
	specs "github.com/opencontainers/runtime-spec/specs-go"

	"hotcell/internal/container"
)

// podmanEngine is what Podman's service calls itself among its components.
const podmanEngine = "Podman Engine"

// oldestPodman is the first whose own API takes all that a sandbox needs in the form
// in which it is said here.
const oldestPodman = "5.0.0"

// podmanVersion returns "" where it is not Podman that answers.
func podmanVersion(parts []system.ComponentVersion) string {
	for _, part := range parts {
		if part.Name == podmanEngine {
			return part.Version
		}
	}
	return ""
}

// refusePodman refuses what cannot be verified. Podman reads the seccomp profile from
// a file, and what came of a request is read back from one.
func refusePodman(version, host string) error {
	switch {
	case version == "":
		return nil
	case versions.LessThan(version, oldestPodman):
		return fmt.Errorf("the daemon at %s is Podman %s, whose API cannot make a container with nothing writable but what was asked for: update it to %s or later, or use --engine oci",
			host, version, oldestPodman)
	case !strings.HasPrefix(host, "unix://"):
		return fmt.Errorf("the daemon at %s is Podman, which must share this host's files: use its socket on this host, or --engine oci", host)
	}
	return nil
}

// podmanRequest is what is said to Podman's own API (SpecGenerator, pkg/specgen of
// Podman 5). Docker's API, which Podman has too, cannot say masked paths, inodes of a
// tmpfs or a seccomp profile there, and adds writable file systems. What containers.conf
// would decide is said here, even where it is the default.
type podmanRequest struct {
	Name       string            `json:"name"`
	Image      string            `json:"image"`
	OCIRuntime string            `json:"oci_runtime,omitempty"`
	Labels     map[string]string `json:"labels"`

	Entrypoint  []string          `json:"entrypoint"`
	Command     []string          `json:"command"`
	WorkDir     string            `json:"work_dir"`
	User        string            `json:"user"`
	Env         map[string]string `json:"env"`
	UnsetEnvAll bool              `json:"unsetenvall"` // the image's and containers.conf's
	EnvHost     bool              `json:"env_host"`
	HTTPProxy   bool              `json:"httpproxy"`
	Hostname    string            `json:"hostname"`
	Umask       string            `json:"umask"`
	Stdin       bool              `json:"stdin"`
	Terminal    bool              `json:"terminal"`
	Init        bool              `json:"init"`
	Systemd     string            `json:"systemd"`
	SdNotify    string            `json:"sdnotifyMode"`
	Restart     string            `json:"restart_policy"`
	StopTimeout uint              `json:"stop_timeout"` // 0 is SIGKILL at once when it is removed
	Log         podmanLog         `json:"log_configuration"`

	Privileged      bool           `json:"privileged"`
	CapDrop         []string       `json:"cap_drop"`
	NoNewPrivileges bool           `json:"no_new_privileges"`
	SeccompFile     string         `json:"seccomp_profile_path"`
	AppArmor        string         `json:"apparmor_profile,omitempty"`
	Mask            []string       `json:"mask"`
	ReadOnly        bool           `json:"read_only_filesystem"`
	ReadWriteTmpfs  bool           `json:"read_write_tmpfs"` // on /run, /tmp, /var/tmp, and /dev writable
	Mounts          []specs.Mount  `json:"mounts"`
	Volumes         []podmanVolume `json:"volumes,omitempty"`
	ImageVolumes    string         `json:"image_volume_mode"`
	ManagePassword  bool           `json:"manage_password"` // its own /etc/passwd and /etc/group

	PidNS      podmanNamespace `json:"pidns"`
	UtsNS      podmanNamespace `json:"utsns"`
	IpcNS      podmanNamespace `json:"ipcns"`
	CgroupNS   podmanNamespace `json:"cgroupns"`
	NetNS      podmanNamespace `json:"netns"`
	UserNS     podmanNamespace `json:"userns"`
	IDMappings *podmanMappings `json:"idmappings,omitempty"`

	UseImageHosts      bool `json:"use_image_hosts"`
	UseImageHostname   bool `json:"use_image_hostname"`
	UseImageResolvConf bool `json:"use_image_resolve_conf"`

	Resources    *specs.LinuxResources `json:"resource_limits"`
	Rlimits      []specs.POSIXRlimit   `json:"r_limits"`
	OOMScoreAdj  int                   `json:"oom_score_adj"`
	CgroupsMode  string                `json:"cgroups_mode"`
	CgroupParent string                `json:"cgroup_parent,omitempty"`
}

type podmanLog struct {
	Driver string `json:"driver"`
}

type podmanNamespace struct {
	Mode string `json:"nsmode"`
}

type podmanVolume struct {
	Name, Dest string
	Options    []string
}

// podmanMappings has the names of the structure in containers/storage, which has none
// for JSON.
type podmanMappings struct {
	HostUIDMapping, HostGIDMapping bool
	UIDMap, GIDMap                 []podmanMapping
}

type podmanMapping struct {
	ContainerID uint32 `json:"container_id"`
	HostID      uint32 `json:"host_id"`
	Size        uint32 `json:"size"`
}

const podmanUmask = "0022"

// podmanPaths hides what Podman mounts and the oci engine does not.
func podmanPaths() []string {
	return []string{"/sys", "/dev/mqueue", "/dev/pts", podmanMark}
}

// podmanMark is a file that Podman mounts into each container, empty as long as it is
// not privileged.
const podmanMark = "/run/.containerenv"

// podmanIDs are the ids of a sandbox. Without root Podman has those of its user alone,
// in a user namespace of its own, where root is the user.
func (d daemon) podmanIDs() *container.IDRange {
	if d.podman == "" || d.hasSecurity("rootless") {
		return nil
	}
	ids := container.DefaultIDRange()
	return &ids
}

// acceptsLabel refuses a container that SELinux does not confine although it is on.
func (d daemon) acceptsLabel(label string) error {
	if !d.hasSecurity("selinux") {
		return nil
	}
	parts := strings.Split(label, ":")
	if len(parts) < 4 || parts[2] == "spc_t" || strings.HasPrefix(parts[2], "unconfined") {
		return fmt.Errorf("%w: SELinux is on, and its label is %q: take label=false out of the host's containers.conf", errIsolation, label)
	}
	return nil
}

// podmanConfig is the sandbox in the words of the runtime-spec: what is asked for, and
// what is found afterwards is compared with.
func podmanConfig(spec container.Spec, place placement, ids *container.IDRange) (*specs.Spec, error) {
	paths := placeholders(spec, place)
	paths.UserNamespace, paths.AppArmor = ids, place.appArmor
	config, err := container.Config(spec, paths)
	if err != nil {
		return nil, err
	}
	config.Linux.MaskedPaths = append(config.Linux.MaskedPaths, podmanPaths()...)
	config.Process.Rlimits = whilePreparing(config.Process.Rlimits)
	return config, nil
}

// podmanContainer translates config: what is decided there holds here.
func podmanContainer(config *specs.Spec, spec container.Spec, place placement) podmanRequest {
	private := podmanNamespace{"private"}
	request := podmanRequest{
		Name: place.name, Image: place.image, OCIRuntime: spec.Runtime, Labels: place.labels,
		Entrypoint: config.Process.Args[:1], Command: config.Process.Args[1:], WorkDir: config.Process.Cwd,
		User: identity, Env: environmentMap(config.Process.Env), UnsetEnvAll: true,
		Hostname: config.Hostname, Umask: podmanUmask, Stdin: true,
		Systemd: "false", SdNotify: "ignore", Restart: "no", Log: podmanLog{"none"},
		CapDrop: []string{"ALL"}, NoNewPrivileges: config.Process.NoNewPrivileges, SeccompFile: place.seccomp, AppArmor: place.appArmor,
		Mask: config.Linux.MaskedPaths, ReadOnly: config.Root.Readonly, ImageVolumes: "ignore",
		PidNS: private, UtsNS: private, CgroupNS: private,
		IpcNS: podmanNamespace{"none"}, // private, and without /dev/shm
		NetNS: podmanNamespace{"none"}, UserNS: podmanNamespace{"host"},
		UseImageHosts: true, UseImageHostname: true, UseImageResolvConf: true,
		Resources: config.Linux.Resources, Rlimits: podmanRlimits(config.Process.Rlimits),
		OOMScoreAdj: *config.Process.OOMScoreAdj,
		// Podman's own process that waits for the container has its memory and its threads
		// counted elsewhere.
		CgroupsMode: "no-conmon", CgroupParent: place.cgroupParent,
	}
	request.Mounts, request.Volumes = podmanMounts(config.Mounts, place.mounts)
	if mappings := config.Linux.UIDMappings; mappings != nil {
		request.UserNS = private
		request.IDMappings = &podmanMappings{UIDMap: podmanIDMap(mappings), GIDMap: podmanIDMap(config.Linux.GIDMappings)}
	}
	return request
}

func environmentMap(environment []string) map[string]string {
	variables := map[string]string{}
	for _, variable := range environment {
		key, value, _ := strings.Cut(variable, "=")
		variables[key] = value
	}
	return variables
}

// podmanRlimits turns RLIMIT_NOFILE into nofile and so on.
func podmanRlimits(rlimits []specs.POSIXRlimit) []specs.POSIXRlimit {
	list := slices.Clone(rlimits)
	for i := range list {
		list[i].Type = strings.ToLower(strings.TrimPrefix(list[i].Type, "RLIMIT_"))
	}
	return list
}

// preparingFiles is how many files crun may have open while it prepares a container:
// it opens every path to mask, after it has set the rlimits, and lacked some with 64.
const preparingFiles = 256

// whilePreparing raises RLIMIT_NOFILE; limitOpenFiles lowers it before the start.
func whilePreparing(rlimits []specs.POSIXRlimit) []specs.POSIXRlimit {
	list := slices.Clone(rlimits)
	for i, limit := range list {
		if limit.Type == rlimitOpenFiles {
			list[i].Hard, list[i].Soft = max(limit.Hard, preparingFiles), max(limit.Soft, preparingFiles)
		}
	}
	return list
}

const rlimitOpenFiles = "RLIMIT_NOFILE"

func podmanIDMap(mappings []specs.LinuxIDMapping) []podmanMapping {
	list := make([]podmanMapping, len(mappings))
	for i, mapping := range mappings {
		list[i] = podmanMapping{mapping.ContainerID, mapping.HostID, mapping.Size}
	}
	return list
}

// podmanMounts are /tmp and what place brings; /proc and /dev are Podman's own.
func podmanMounts(config []specs.Mount, places []mount.Mount) (mounts []specs.Mount, volumes []podmanVolume) {
	for _, wanted := range config {
		at := slices.IndexFunc(places, func(place mount.Mount) bool { return place.Target == wanted.Destination })
		switch {
		case wanted.Destination == container.ScratchDir:
			wanted.Options = append(podmanTmpfsOptions(wanted.Options), "notmpcopyup")
			mounts = append(mounts, wanted)
		case at < 0:
		case places[at].Type == mount.TypeVolume:
			options := slices.DeleteFunc(slices.Clone(wanted.Options), func(option string) bool { return option == "bind" })
			volumes = append(volumes, podmanVolume{Name: places[at].Source, Dest: wanted.Destination, Options: append(options, "nocopy")})
		default:
			wanted.Source = places[at].Source
			mounts = append(mounts, wanted)
		}
	}
	return mounts, volumes
}

// podmanTmpfsOptions says everything that is the file system's own in one option. Of
// those Podman knows size and mode, and refuses nr_inodes, without which files alone
// use up memory; what follows in a size it passes on.
func podmanTmpfsOptions(options []string) []string {
	flags := []string{}
	var data []string
	for _, option := range options {
		if strings.Contains(option, "=") {
			data = append(data, option)
		} else {
			flags = append(flags, option)
		}
	}
	return append(flags, strings.Join(data, ","))
}
