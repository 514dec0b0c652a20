package docker

import (
	"errors"
	"fmt"

	"github.com/moby/moby/client/pkg/versions"
	specs "github.com/opencontainers/runtime-spec/specs-go"

	"hotcell/internal/container"
)

// wholeProfileAPI is the first API (Docker 23.0) whose daemon passes
// defaultErrnoRet and flags on to the runtime. Docker 20.10 reads profiles into a
// structure without them (profiles/seccomp/seccomp.go), which leaves EPERM and no
// flags.
const wholeProfileAPI = "1.42"

// seccompOption returns the security option that carries profile to a daemon of
// the given API version. It refuses a profile that this daemon would not apply
// in full.
func seccompOption(profile *specs.LinuxSeccomp, apiVersion string) (string, error) {
	if err := checkSeccomp(profile, apiVersion); err != nil {
		return "", fmt.Errorf("convert seccomp profile: %w", err)
	}
	encoded, err := container.EncodeSeccomp(profile)
	return "seccomp=" + string(encoded), err
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
	case versions.LessThan(apiVersion, wholeProfileAPI) && !container.IsDefaultErrno(profile.DefaultErrnoRet):
		return fmt.Errorf("docker drops defaultErrnoRet %d before 23.0: update Docker", *profile.DefaultErrnoRet)
	}
	return nil
}
