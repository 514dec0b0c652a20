package seccomp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/net/bpf"
)

// verify sees that a compiled program decides as Evaluate does: for every call of the
// architecture and for the numbers beside all that the program compares, it is run in an
// interpreter with a set of arguments for each outcome of the comparisons; and it kills
// foreign architectures. A filter is a few hundred jumps made by another library: this
// takes some milliseconds and no trust. It is needed: where calls share the end of their
// rules, libseccomp 2.5 has a rule of two arguments compare the wrong one.
func (p *Profile) verify(program *Program) error {
	instructions, all := bpf.Disassemble(program.Instructions)
	if !all || slices.ContainsFunc(program.Instructions, loadsAskew) {
		return errors.New("verify program: it has instructions that the kernel refuses")
	}
	machine, err := bpf.NewVM(instructions)
	if err != nil {
		return fmt.Errorf("verify program: %w", err)
	}
	if err := killsForeign(program); err != nil {
		return fmt.Errorf("verify program: %w", err)
	}
	through := waysThrough(program.Instructions)
	for _, call := range probes(program) {
		all, err := p.arguments(through, call)
		if err != nil {
			return fmt.Errorf("verify program: call %d: %w", call.Number, err)
		}
		for _, call.Args = range all {
			got, err := machine.Run(call.data())
			if err != nil {
				return fmt.Errorf("verify program: %w", err)
			}
			if want := p.Evaluate(call); uint32(got) != returnValue(want) {
				return fmt.Errorf("verify program: call %d with %#x returns %#x, the profile says %s",
					call.Number, call.Args, uint32(got), want.Action)
			}
		}
	}
	return nil
}

// loadsAskew finds loads that are not of a whole word of struct seccomp_data.
func loadsAskew(i bpf.RawInstruction) bool {
	const dataBytes = 64
	return i.Op == loadWord && (i.K%4 != 0 || i.K >= dataBytes)
}

// Architecture tokens of linux/audit.h.
const (
	tokenAMD64 = 0xc000003e
	tokenARM64 = 0xc00000b7
)

func token(arch Arch) uint32 {
	if arch == ARM64 {
		return tokenARM64
	}
	return tokenAMD64
}

// probes returns the calls that a program may tell apart, without arguments.
func probes(program *Program) []Call {
	numbers := map[uint32]bool{0: true, 500: true, x32Bit: true, skipped: true}
	for _, number := range syscallNumbers()[program.Arch] {
		numbers[number] = true
	}
	for _, i := range program.Instructions {
		if i.Op == jumpEqual || i.Op == jumpGreater || i.Op == jumpAtLeast {
			numbers[i.K-1], numbers[i.K], numbers[i.K+1] = true, true, true
		}
	}
	for _, name := range program.Unknown {
		delete(numbers, syscallNumbers()[program.Arch][name])
	}
	probes := make([]Call, 0, len(numbers))
	for number := range numbers {
		probes = append(probes, Call{Arch: program.Arch, Number: number})
	}
	return probes
}

// killsForeign wants a program to begin as libseccomp has all begin: any architecture but
// the program's own is killed, whatever the call.
func killsForeign(program *Program) error {
	all := program.Instructions
	if len(all) < 3 || all[0] != (bpf.RawInstruction{Op: loadWord, K: 4}) || all[1].Op != jumpEqual || all[1].K != token(program.Arch) {
		return errors.New("it does not begin with the architecture")
	}
	answer := 2 + int(all[1].Jf)
	for all[answer].Op == jump {
		answer += 1 + int(all[answer].K)
	}
	if all[answer].Op != giveAnswer || all[answer].K != returnValue(Decision{Action: KillProcess}) {
		return errors.New("it does not kill a foreign architecture")
	}
	return nil
}

// data lays out struct seccomp_data for the interpreter, which loads words
// big-endian where the kernel loads them in its own order. The two words of an
// argument keep their little-endian places: low first.
func (c Call) data() []byte {
	data := binary.BigEndian.AppendUint32(nil, c.Number)
	data = binary.BigEndian.AppendUint32(data, token(c.Arch))
	data = append(data, make([]byte, 8)...) // instruction pointer
	for _, arg := range c.Args {
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
