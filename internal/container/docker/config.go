package docker

import (
	"fmt"
	"slices"
	"strings"

	containerapi "github.com/moby/moby/api/types/container"
	"github.com/moby/moby/api/types/mount"
	specs "github.com/opencontainers/runtime-spec/specs-go"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// Labels on every container and volume of ours.
const (
	labelOwner = "hotcell.owner" // which state directory it belongs to
	labelID    = "hotcell.id"    // container.ID
)

// identity is who the guard runs as.
var identity = fmt.Sprintf("%d:%d", container.UserID, container.UserID)

// dockerPaths hides what Docker mounts and the oci engine does not: see the
// package comment.
func dockerPaths() []string {
	return []string{
		"/sys",
		"/dev/mqueue",
		"/dev/pts",
		"/etc/resolv.conf", // names the host's resolvers
	}
}

// placement is what differs between sandboxes of equal Spec.
type placement struct {
	name         string
	labels       map[string]string
	image        string // ID in the daemon
	seccomp      string // security option, or the profile's file for Podman
	mounts       []mount.Mount
	cgroupParent string // "" leaves it to the daemon
	appArmor     string // profile, or "" for the daemon's choice
	noSwapLimit  bool   // the daemon's kernel cannot limit swap, and the Spec accepts it
}

// containerConfig is the part of a container's configuration that Docker calls
// portable.
func containerConfig(spec container.Spec, place placement) *containerapi.Config {
	return &containerapi.Config{
		Hostname:     container.Hostname,
		User:         identity,
		AttachStdin:  true,
		AttachStdout: true,
		AttachStderr: true,
		OpenStdin:    true,
		StdinOnce:    true,
		// A name without a value takes the variable away that Docker would add.
		Env:         append(slices.Clone(spec.Environment), "HOSTNAME"),
		Entrypoint:  spec.Command[:1],
		Cmd:         spec.Command[1:],
		WorkingDir:  "/",
		Image:       place.image,
		Labels:      place.labels,
		Healthcheck: &containerapi.HealthConfig{Test: []string{"NONE"}},
	}
}

// hostConfig says in Docker's words what container.Config says in the
// runtime-spec's, by translating it: what is decided there holds here.
func hostConfig(spec container.Spec, place placement) (*containerapi.HostConfig, error) {
	config, err := container.Config(spec, placeholders(spec, place))
	if err != nil {
		return nil, err
	}
	scratch, err := scratchTmpfs(config.Mounts)
	if err != nil {
		return nil, err
	}
	security := []string{"no-new-privileges", place.seccomp}
	if place.appArmor != "" {
		security = append(security, "apparmor="+place.appArmor)
	}
	noInit := false
	return &containerapi.HostConfig{
		LogConfig:      containerapi.LogConfig{Type: "none"}, // what code prints stays out of the daemon's logs
		NetworkMode:    "none",
		RestartPolicy:  containerapi.RestartPolicy{Name: containerapi.RestartPolicyDisabled},
		CapDrop:        []string{"ALL"},
		CgroupnsMode:   containerapi.CgroupnsModePrivate,
		IpcMode:        containerapi.IPCModeNone,
		OomScoreAdj:    *config.Process.OOMScoreAdj,
		ReadonlyRootfs: config.Root.Readonly,
		SecurityOpt:    security,
		Tmpfs:          scratch,
		Runtime:        spec.Runtime,
		Resources:      resources(config, place),
		Mounts:         place.mounts,
		MaskedPaths:    append(config.Linux.MaskedPaths, dockerPaths()...),
		ReadonlyPaths:  config.Linux.ReadonlyPaths,
		Init:           &noInit,
	}, nil
}

// placeholders stand for paths that Docker chooses itself.
func placeholders(spec container.Spec, place placement) container.Paths {
	paths := container.Paths{RootFS: "/docker", Output: "/docker", Cgroups: "/docker", NoSwapLimit: place.noSwapLimit}
	if spec.Bundle != "" {
		paths.Bundle = "/docker"
	}
	return paths
}

// scratchTmpfs picks the options of /tmp out, without those that Docker does not
// know for a tmpfs.
func scratchTmpfs(mounts []specs.Mount) (map[string]string, error) {
	for _, found := range mounts {
		if found.Destination == container.ScratchDir && found.Type == "tmpfs" {
			options := slices.DeleteFunc(slices.Clone(found.Options), func(option string) bool { return option == "private" })
			return map[string]string{container.ScratchDir: strings.Join(options, ",")}, nil
		}
	}
	return nil, fmt.Errorf("sandbox configuration has no tmpfs on %s", container.ScratchDir)
}

func resources(config *specs.Spec, place placement) containerapi.Resources {
	limits := config.Linux.Resources
	swap := noSwapLimit
	if limits.Memory.Swap != nil {
		swap = *limits.Memory.Swap
	}
	return containerapi.Resources{
		Memory:       *limits.Memory.Limit,
		MemorySwap:   swap,
		CPUPeriod:    int64(*limits.CPU.Period),
		CPUQuota:     *limits.CPU.Quota,
		PidsLimit:    limits.Pids.Limit,
		CgroupParent: place.cgroupParent,
		Ulimits:      ulimits(config.Process.Rlimits),
	}
}

// noSwapLimit is what a daemon whose kernel does not count swap makes of any
// limit.
const noSwapLimit int64 = -1

// ulimits turns RLIMIT_NOFILE into nofile and so on.
func ulimits(rlimits []specs.POSIXRlimit) []*containerapi.Ulimit {
	list := make([]*containerapi.Ulimit, len(rlimits))
	for i, limit := range rlimits {
		list[i] = &containerapi.Ulimit{
			Name: strings.ToLower(strings.TrimPrefix(limit.Type, "RLIMIT_")),
			Soft: int64(limit.Soft), Hard: int64(limit.Hard),
		}
	}
	return list
}

// outputOptions are the options of the output file system, without those that
// are flags to mount(2). Where the daemon maps user IDs in a way that is not
// known here, all may write: only the sandbox and root can reach it.
func (d daemon) outputOptions(limits job.Limits) string {
	owner, others := uint32(container.UserID), d.userNamespace()
	if ids := d.podmanIDs(); ids != nil {
		owner, others = container.Paths{UserNamespace: ids}.HostID(owner), false
	}
	options := strings.Join(container.TmpfsOptions(limits.OutputBytes, limits.OutputFiles, owner), ",")
	if others {
		options += ",mode=777" // the last one counts
	}
	return options
}

func containerName(id container.ID) string { return "hotcell-" + id.String() }

func holderName(id container.ID) string { return containerName(id) + "-output" }

func outputVolume(id container.ID) string { return containerName(id) + "-output" }

func bundleVolume(id container.ID) string { return containerName(id) + "-bundle" }

func labels(owner string, id container.ID) map[string]string {
	return map[string]string{labelOwner: owner, labelID: id.String()}
}
