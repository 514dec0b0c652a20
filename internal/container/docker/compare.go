package docker

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	containerapi "github.com/moby/moby/api/types/container"

	"hotcell/internal/container"
)

// errIsolation means that a container is not isolated as was asked for. Nothing
// of the run has been given to it.
var errIsolation = errors.New("docker did not isolate the sandbox as asked")

// wanted is what was asked for.
type wanted struct {
	config *containerapi.Config
	host   *containerapi.HostConfig
	image  string
}

// compareContainer reports every difference between what was asked for and what
// the daemon recorded. A daemon zeroes what its kernel cannot do and only warns.
func compareContainer(want wanted, found containerapi.InspectResponse) error {
	if found.HostConfig == nil || found.Config == nil {
		return fmt.Errorf("%w: it tells no configuration", errIsolation)
	}
	var faults []error
	for _, field := range fields(want, found) {
		if !field.equal() {
			faults = append(faults, fmt.Errorf("%s is %v instead of %v", field.name, field.found, field.want))
		}
	}
	if faults == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", errIsolation, errors.Join(faults...))
}

type field struct {
	name        string
	want, found any
}

// equal takes an empty and an absent list for the same.
func (f field) equal() bool {
	want, found := reflect.ValueOf(f.want), reflect.ValueOf(f.found)
	if want.Kind() == reflect.Slice && want.Len() == 0 {
		return found.Len() == 0
	}
	return reflect.DeepEqual(f.want, f.found)
}

func fields(want wanted, found containerapi.InspectResponse) []field {
	return slices.Concat(
		[]field{{"image", want.image, found.Image}},
		configFields(want.config, found.Config),
		isolationFields(want.host, found.HostConfig),
		resourceFields(want.host.Resources, found.HostConfig.Resources),
	)
}

func configFields(want, found *containerapi.Config) []field {
	return []field{
		{"User", want.User, found.User},
		{"Tty", want.Tty, found.Tty},
		{"Env", want.Env, found.Env},
		{"Entrypoint", want.Entrypoint, found.Entrypoint},
		{"Cmd", want.Cmd, found.Cmd},
		{"WorkingDir", want.WorkingDir, found.WorkingDir},
		{"Volumes", 0, len(found.Volumes)},
	}
}

func isolationFields(want, found *containerapi.HostConfig) []field {
	return []field{
		{"Privileged", false, found.Privileged},
		{"NetworkMode", want.NetworkMode, found.NetworkMode},
		{"IpcMode", want.IpcMode, found.IpcMode},
		{"PidMode", want.PidMode, found.PidMode},
		{"UTSMode", want.UTSMode, found.UTSMode},
		{"UsernsMode", want.UsernsMode, found.UsernsMode},
		{"CgroupnsMode", want.CgroupnsMode, found.CgroupnsMode},
		{"OomScoreAdj", want.OomScoreAdj, found.OomScoreAdj},
		{"ReadonlyRootfs", want.ReadonlyRootfs, found.ReadonlyRootfs},
		{"CapAdd", want.CapAdd, found.CapAdd},
		{"CapDrop", want.CapDrop, found.CapDrop},
		{"SecurityOpt", want.SecurityOpt, found.SecurityOpt},
		{"MaskedPaths", want.MaskedPaths, found.MaskedPaths},
		{"ReadonlyPaths", want.ReadonlyPaths, found.ReadonlyPaths},
		{"Tmpfs", want.Tmpfs, found.Tmpfs},
		{"Binds", want.Binds, found.Binds},
		{"Mounts", want.Mounts, found.Mounts},
		{"Devices", want.Devices, found.Devices},
		{"DeviceRequests", want.DeviceRequests, found.DeviceRequests},
		{"DeviceCgroupRules", want.DeviceCgroupRules, found.DeviceCgroupRules},
		{"VolumesFrom", want.VolumesFrom, found.VolumesFrom},
		{"GroupAdd", want.GroupAdd, found.GroupAdd},
		{"Sysctls", 0, len(found.Sysctls)},
		{"Annotations", 0, len(found.Annotations)},
		{"Init", want.Init, found.Init},
		{"LogConfig.Type", want.LogConfig.Type, found.LogConfig.Type},
	}
}

func resourceFields(want, found containerapi.Resources) []field {
	return []field{
		{container.ControlMemory, want.Memory, found.Memory},
		{container.ControlSwapOff, want.MemorySwap, found.MemorySwap},
		{container.ControlPIDs, want.PidsLimit, found.PidsLimit},
		{container.ControlCPU, [2]int64{want.CPUPeriod, want.CPUQuota}, [2]int64{found.CPUPeriod, found.CPUQuota}},
		{"CgroupParent", want.CgroupParent, found.CgroupParent},
		{"Ulimits", want.Ulimits, found.Ulimits},
	}
}
