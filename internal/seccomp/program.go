package seccomp

import (
	"encoding/binary"

	"golang.org/x/net/bpf"
)

// Program is a profile compiled for one architecture, and checked against it.
type Program struct {
	Arch         Arch
	Instructions []bpf.RawInstruction // what seccomp(2) takes as sock_filter
	// Unknown names the calls of denying rules that this libseccomp does not
	// know. The default action answers them.
	Unknown []string
}

// Bytes returns the instructions as an array of struct sock_filter, eight bytes
// each, in the byte order of both architectures.
func (p *Program) Bytes() []byte {
	var encoded []byte
	for _, i := range p.Instructions {
		encoded = binary.LittleEndian.AppendUint16(encoded, i.Op)
		encoded = append(encoded, i.Jt, i.Jf)
		encoded = binary.LittleEndian.AppendUint32(encoded, i.K)
	}
	return encoded
}
