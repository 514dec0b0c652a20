package docker

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/moby/moby/client/pkg/versions"
	specs "github.com/opencontainers/runtime-spec/specs-go"
)

// seccompProfile is the profile in the form that Docker reads. Its names are
// those of the runtime-spec, but args must be a list even when empty, and what
// Docker does not know it drops without a word: hence a type of our own.
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

// wholeProfileAPI is the first API (Docker 23.0) whose daemon passes
// defaultErrnoRet and flags on to the runtime. Docker 20.10 reads profiles into a
// structure without them (profiles/seccomp/seccomp.go), which leaves EPERM and no
// flags.
const wholeProfileAPI = "1.42"

// errnoEPERM is what a runtime returns for a denied call unless told otherwise.
const errnoEPERM = 1

// seccompOption returns the security option that carries profile to a daemon of
// the given API version. It refuses a profile that this daemon would not apply
// in full.
func seccompOption(profile *specs.LinuxSeccomp, apiVersion string) (string, error) {
	if err := checkSeccomp(profile, apiVersion); err != nil {
		return "", fmt.Errorf("convert seccomp profile: %w", err)
	}
	encoded, err := encodeSeccomp(profile)
	return "seccomp=" + string(encoded), err
}

// encodeSeccomp writes the profile in the form that Docker and Podman read.
func encodeSeccomp(profile *specs.LinuxSeccomp) ([]byte, error) {
	converted := seccompProfile{
		DefaultAction: profile.DefaultAction,
		Architectures: profile.Architectures,
		Flags:         profile.Flags,
		Syscalls:      make([]seccompRule, 0, len(profile.Syscalls)),
	}
	if !isDefaultErrno(profile.DefaultErrnoRet) {
		converted.DefaultErrnoRet = profile.DefaultErrnoRet
	}
	for _, rule := range profile.Syscalls {
		converted.Syscalls = append(converted.Syscalls, convertRule(rule))
	}
	encoded, err := json.Marshal(converted)
	if err != nil {
		return nil, fmt.Errorf("encode seccomp profile: %w", err)
	}
	return encoded, nil
}

func convertRule(rule specs.LinuxSyscall) seccompRule {
	args := rule.Args
	if args == nil {
		args = []specs.LinuxSeccompArg{}
	}
	return seccompRule{Names: rule.Names, Action: rule.Action, ErrnoRet: rule.ErrnoRet, Args: args}
}

func checkSeccomp(profile *specs.LinuxSeccomp, apiVersion string) error {
	switch {
	case profile == nil || profile.DefaultAction == "" || len(profile.Syscalls) == 0:
		// Docker takes such a profile for "no seccomp".
		return errors.New("profile is empty")
	case profile.ListenerPath != "" || profile.ListenerMetadata != "":
		return errors.New("docker has no listenerPath")
	case versions.LessThan(apiVersion, wholeProfileAPI) && len(profile.Flags) > 0:
		return fmt.Errorf("docker drops flags %v before 23.0: update Docker", profile.Flags)
	case versions.LessThan(apiVersion, wholeProfileAPI) && !isDefaultErrno(profile.DefaultErrnoRet):
		return fmt.Errorf("docker drops defaultErrnoRet %d before 23.0: update Docker", *profile.DefaultErrnoRet)
	}
	return nil
}

func isDefaultErrno(errno *uint) bool { return errno == nil || *errno == errnoEPERM }
