package containertest

import (
	specs "github.com/opencontainers/runtime-spec/specs-go"
)

// WeakSeccomp allows everything but two calls, so that a refusal in the suite is
// never this layer's where another one is on trial. sethostname(2) kills: nothing
// in a sandbox calls it but Crash.
func WeakSeccomp() *specs.LinuxSeccomp {
	denied := uint(1) // EPERM
	return &specs.LinuxSeccomp{
		DefaultAction: specs.ActAllow,
		Syscalls: []specs.LinuxSyscall{
			{Names: []string{"sethostname"}, Action: specs.ActKillProcess},
			{Names: []string{"setdomainname"}, Action: specs.ActErrno, ErrnoRet: &denied},
		},
	}
}
