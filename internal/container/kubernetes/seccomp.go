package kubernetes

import (
	"errors"
	"fmt"
	"slices"

	specs "github.com/opencontainers/runtime-spec/specs-go"

	"hotcell/internal/container"
	"hotcell/internal/digest"
)

// profileDir is below the kubelet's own directory for profiles, of which the API names one by
// a relative path.
const profileDir = "hotcell"

// setLimit is the call that a process of a pod's sandbox needs and another engine's does not.
const setLimit = "prlimit64"

// NodeProfile returns the file that a node must have for sandboxes with this profile, and its
// name below the kubelet's directory for seccomp profiles. The name holds the content's sum:
// a file of that name is never an older one.
//
// The file allows one thing more than the profile: a process may set its own limits, because
// enter.py has to, and without a capability nobody can raise one that is hard. What the guard
// loads before user code begins denies it again.
func NodeProfile(profile *specs.LinuxSeccomp) (name string, content []byte, err error) {
	if profile == nil {
		return "", nil, errors.New("seccomp profile is missing")
	}
	changed := *profile
	changed.Syscalls = nil
	for _, rule := range profile.Syscalls {
		if rule.Action == specs.ActAllow {
			rule.Names = slices.DeleteFunc(slices.Clone(rule.Names), func(name string) bool { return name == setLimit })
		}
		if len(rule.Names) > 0 {
			changed.Syscalls = append(changed.Syscalls, rule)
		}
	}
	changed.Syscalls = append(changed.Syscalls, specs.LinuxSyscall{
		Names: []string{setLimit}, Action: specs.ActAllow,
		Args: []specs.LinuxSeccompArg{{Index: 0, Value: 0, Op: specs.OpEqualTo}}, // its own: pid 0
	})
	if content, err = container.EncodeSeccomp(&changed); err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("%s/%s.json", profileDir, digest.Of(content).Hex()), content, nil
}

// deniesSockets tells whether no process of a sandbox with this profile makes a socket.
func deniesSockets(profile *specs.LinuxSeccomp) bool {
	if !refuses(profile.DefaultAction) {
		return false
	}
	return !slices.ContainsFunc(profile.Syscalls, func(rule specs.LinuxSyscall) bool {
		return !refuses(rule.Action) && slices.Contains(rule.Names, "socket")
	})
}

func refuses(action specs.LinuxSeccompAction) bool {
	return slices.Contains([]specs.LinuxSeccompAction{
		specs.ActErrno, specs.ActKill, specs.ActKillProcess, specs.ActKillThread, specs.ActTrap,
	}, action)
}
