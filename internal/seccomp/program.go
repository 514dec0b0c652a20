package seccomp

import "golang.org/x/net/bpf"

// Program is a profile compiled for one architecture.
type Program struct {
	Arch         Arch
	Instructions []bpf.RawInstruction // what seccomp(2) takes as sock_filter
	// Unknown names the calls of denying rules that this libseccomp does not
	// know. The default action answers them.
	Unknown []string
}
