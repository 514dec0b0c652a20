package container

import (
	"encoding/json"
	"fmt"

	specs "github.com/opencontainers/runtime-spec/specs-go"
)

// seccompProfile is a profile in the form that Docker, Podman and the runtimes below a kubelet
// read. Its names are those of the runtime-spec, but args must be a list even when empty, and
// what they do not know they drop without a word: hence a type of our own.
type seccompProfile struct {
	DefaultAction   specs.LinuxSeccompAction `json:"defaultAction"`
	DefaultErrnoRet *uint                    `json:"defaultErrnoRet,omitempty"`
	Architectures   []specs.Arch             `json:"architectures,omitempty"`
	Flags           []specs.LinuxSeccompFlag `json:"flags,omitempty"`
	Syscalls        []seccompRule            `json:"syscalls"`
}

type seccompRule struct {
	Names    []string                 `json:"names"`
	Action   specs.LinuxSeccompAction `json:"action"`
	ErrnoRet *uint                    `json:"errnoRet,omitempty"`
	Args     []specs.LinuxSeccompArg  `json:"args"`
}

// errnoEPERM is what a runtime returns for a denied call unless told otherwise.
const errnoEPERM = 1

// EncodeSeccomp writes a profile in the form that Docker, Podman and the runtimes below a kubelet
// read.
func EncodeSeccomp(profile *specs.LinuxSeccomp) ([]byte, error) {
	converted := seccompProfile{
		DefaultAction: profile.DefaultAction,
		Architectures: profile.Architectures,
		Flags:         profile.Flags,
		Syscalls:      make([]seccompRule, 0, len(profile.Syscalls)),
	}
	if !IsDefaultErrno(profile.DefaultErrnoRet) {
		converted.DefaultErrnoRet = profile.DefaultErrnoRet
	}
	for _, rule := range profile.Syscalls {
		converted.Syscalls = append(converted.Syscalls, convertSeccompRule(rule))
	}
	encoded, err := json.Marshal(converted)
	if err != nil {
		return nil, fmt.Errorf("encode seccomp profile: %w", err)
	}
	return encoded, nil
}

func convertSeccompRule(rule specs.LinuxSyscall) seccompRule {
	args := rule.Args
	if args == nil {
		args = []specs.LinuxSeccompArg{}
	}
	return seccompRule{Names: rule.Names, Action: rule.Action, ErrnoRet: rule.ErrnoRet, Args: args}
}

// IsDefaultErrno tells whether this is what a runtime returns for a denied call unless told
// otherwise.
func IsDefaultErrno(errno *uint) bool { return errno == nil || *errno == errnoEPERM }
