package seccomp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/net/bpf"
)

// verify runs a compiled program in an interpreter and compares what it decides
// with Evaluate, for every call of the architecture, for the arguments at the
// borders of every condition, for numbers that no call has and for foreign
// architectures. A filter is a few hundred jumps made by another library: this
// takes a millisecond and no trust.
func (p *Profile) verify(program *Program) error {
	instructions, all := bpf.Disassemble(program.Instructions)
	if !all || slices.ContainsFunc(program.Instructions, loadsAskew) {
		return errors.New("verify program: it has instructions that the kernel refuses")
	}
	machine, err := bpf.NewVM(instructions)
	if err != nil {
		return fmt.Errorf("verify program: %w", err)
	}
	for _, probe := range p.probes(program) {
		got, err := machine.Run(probe.data())
		if err != nil {
			return fmt.Errorf("verify program: %w", err)
		}
		if want := p.Evaluate(probe.Call); uint32(got) != returnValue(want) {
			return fmt.Errorf("verify program: call %d with %#x returns %#x, the profile says %s",
				probe.Number, probe.Args, uint32(got), want.Action)
		}
	}
	return nil
}

// loadsAskew finds loads that are not of a whole word of struct seccomp_data.
func loadsAskew(i bpf.RawInstruction) bool {
	const loadWord, dataBytes = 0x20, 64
	return i.Op == loadWord && (i.K%4 != 0 || i.K >= dataBytes)
}

// probe is a call and the architecture token under which a filter sees it.
type probe struct {
	Call
	token uint32
}

// Architecture tokens of linux/audit.h.
const (
	tokenAMD64 = 0xc000003e
	tokenARM64 = 0xc00000b7
	tokenI386  = 0x40000003
)

func token(arch Arch) uint32 {
	if arch == ARM64 {
		return tokenARM64
	}
	return tokenAMD64
}

func (p *Profile) probes(program *Program) []probe {
	probes := []probe{
		{token: tokenI386},
		{token: tokenAMD64 ^ tokenARM64 ^ token(program.Arch)}, // the other one of ours
		{token: 0},
	}
	numbers := []uint32{500, 0x3fffffff, x32Bit, x32Bit | 1, ^uint32(1), skipped}
	for name, number := range syscallNumbers()[program.Arch] {
		if !slices.Contains(program.Unknown, name) {
			numbers = append(numbers, number)
		}
	}
	for _, number := range numbers {
		for _, args := range p.borders(callName(program.Arch, number)) {
			call := Call{Arch: program.Arch, Number: number, Args: args}
			probes = append(probes, probe{call, token(program.Arch)})
		}
	}
	return probes
}

// borders returns arguments that meet each condition of a call, that just miss it,
// and that differ from it in nothing but bits that it must not look at.
func (p *Profile) borders(name string) [][6]uint64 {
	ones := [6]uint64{allBits, allBits, allBits, allBits, allBits, allBits}
	borders := [][6]uint64{{}, ones}
	for _, rule := range p.byName[name] {
		var met [6]uint64
		for _, c := range rule.Conditions {
			met[c.Index] = c.Value
		}
		borders = append(borders, met)
		for _, c := range rule.Conditions {
			for _, value := range []uint64{c.Value ^ lowestBit(c.Mask), c.Value ^ 1<<32, c.Value | ^c.Mask, ^c.Value} {
				missed := met
				missed[c.Index] = value
				borders = append(borders, missed)
			}
		}
	}
	return borders
}

func lowestBit(mask uint64) uint64 { return mask & -mask }

// data lays out struct seccomp_data for the interpreter, which loads words
// big-endian where the kernel loads them in its own order. The two words of an
// argument keep their little-endian places: low first.
func (p probe) data() []byte {
	data := binary.BigEndian.AppendUint32(nil, p.Number)
	data = binary.BigEndian.AppendUint32(data, p.token)
	data = append(data, make([]byte, 8)...) // instruction pointer
	for _, arg := range p.Args {
		data = binary.BigEndian.AppendUint32(data, uint32(arg))
		data = binary.BigEndian.AppendUint32(data, uint32(arg>>32))
	}
	return data
}

// returnValue is what a filter returns for a decision (linux/seccomp.h).
func returnValue(decision Decision) uint32 {
	switch decision.Action {
	case Allow:
		return 0x7fff0000
	case Deny:
		return 0x00050000 | uint32(decision.Errno.Number())
	default:
		return 0x80000000
	}
}

// Precompiled takes a program that was compiled elsewhere, an array of struct
// sock_filter, and holds it to the profile as Compile does with its own.
func (p *Profile) Precompiled(arch Arch, encoded []byte) (*Program, error) {
	if !slices.Contains(p.archs, arch) {
		return nil, fmt.Errorf("seccomp profile %q does not name architecture %s", p.name, arch)
	}
	instructions, err := decodeProgram(encoded, binary.LittleEndian)
	if err != nil {
		return nil, err
	}
	program := &Program{Arch: arch, Instructions: instructions}
	for _, rule := range p.rules {
		for _, name := range rule.Names {
			if _, ok := Number(arch, name); ok && rule.Action != Allow && newerThanLibseccomp(name) {
				program.Unknown = append(program.Unknown, name)
			}
		}
	}
	if err := p.verify(program); err != nil {
		return nil, fmt.Errorf("seccomp profile %q for %s: %w", p.name, arch, err)
	}
	return program, nil
}

// newerThanLibseccomp names the calls of denying rules that libseccomp 2.5, with
// which the binary's programs are made, does not know: the default denies them.
func newerThanLibseccomp(name string) bool {
	return slices.Contains([]string{"statmount", "listmount", "open_tree_attr"}, name)
}

// maxInstructions is the kernel's BPF_MAXINSNS.
const maxInstructions = 4096

// decodeProgram reads an array of struct sock_filter.
func decodeProgram(encoded []byte, order binary.ByteOrder) ([]bpf.RawInstruction, error) {
	const size = 8 // u16 code, u8 jt, u8 jf, u32 k
	count := len(encoded) / size
	if count == 0 || count > maxInstructions || len(encoded)%size != 0 {
		return nil, fmt.Errorf("read filter: %d bytes are not 1 to %d instructions", len(encoded), maxInstructions)
	}
	program := make([]bpf.RawInstruction, count)
	for i := range program {
		at := encoded[i*size:]
		program[i] = bpf.RawInstruction{Op: order.Uint16(at), Jt: at[2], Jf: at[3], K: order.Uint32(at[4:])}
	}
	return program, nil
}
