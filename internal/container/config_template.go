package container

import (
	"slices"

	specs "github.com/opencontainers/runtime-spec/specs-go"
)

// TemplateConfig builds the configuration of a template: what Config makes of the same Spec,
// and nothing of a user's ever runs in it. It differs where what is forked must be able to
// leave it:
//
//   - It is in the host's user namespace, as user, who owns nothing, without capabilities,
//     because what it forks makes a user namespace as a sandbox has one, next to it.
//   - It is in the host's pid namespace, because a process enters only those below its own.
//     The runtime needs a /proc to start it, in which it is shown no other user's processes
//     (hidepid, proc(5)); the engine takes that away before it has read anything.
//   - Its filter is seccomp.
//   - Its processes may use as much CPU time as they need: they live on.
//   - What the kernel counts for a user, whatever user namespace the process is in, is the
//     runner's own limit: it counts all that came from the template, runs included. The control
//     groups bound each of them.
func TemplateConfig(spec Spec, paths Paths, user uint32, seccomp *specs.LinuxSeccomp) (*specs.Spec, error) {
	if paths.UserNamespace == nil { // for the limits of who has one
		ids := DefaultIDRange()
		paths.UserNamespace = &ids
	}
	spec.Seccomp = seccomp
	config, err := Config(spec, paths)
	if err != nil {
		return nil, err
	}
	config.Linux.UIDMappings, config.Linux.GIDMappings = nil, nil
	config.Linux.Namespaces = slices.DeleteFunc(config.Linux.Namespaces, func(one specs.LinuxNamespace) bool {
		return one.Type == specs.UserNamespace || one.Type == specs.PIDNamespace
	})
	config.Process.User = specs.User{UID: user, GID: user}
	config.Process.Rlimits = slices.DeleteFunc(config.Process.Rlimits, func(limit specs.POSIXRlimit) bool {
		return slices.Contains([]string{"RLIMIT_NPROC", "RLIMIT_SIGPENDING", "RLIMIT_MEMLOCK"}, limit.Type)
	})
	for index, limit := range config.Process.Rlimits {
		if limit.Type == "RLIMIT_CPU" {
			config.Process.Rlimits[index].Soft, config.Process.Rlimits[index].Hard = Unlimited, Unlimited
		}
	}
	for index, mount := range config.Mounts {
		switch mount.Destination {
		case "/proc":
			config.Mounts[index].Options = slices.Concat(mount.Options, []string{"hidepid=2"})
		case ScratchDir:
			config.Mounts[index].Options = append(untrusted("rw"), TmpfsOptions(spec.Limits.ScratchBytes, ScratchFiles, user)...)
		}
	}
	return config, nil
}
