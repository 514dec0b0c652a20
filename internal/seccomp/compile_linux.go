//go:build linux && cgo

package seccomp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	libseccomp "github.com/seccomp/libseccomp-golang"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Compile makes the BPF program for one of the profile's architectures through
// libseccomp, as the runtimes do, but kills the process, not the thread, on any
// other architecture. It loads nothing.
//
// The program is run in an interpreter and has decided as Evaluate does before it
// is returned; one that does not is an error, be it libseccomp's own.
//
// A rule that allows a call that this libseccomp does not know is an error: the
// runtimes would skip it silently.
func (p *Profile) Compile(arch Arch) (*Program, error) {
	program, err := p.compile(arch)
	if err != nil {
		return nil, fmt.Errorf("compile seccomp profile %q for %s: %w", p.name, arch, err)
	}
	return program, nil
}

func (p *Profile) compile(arch Arch) (program *Program, err error) {
	if !slices.Contains(p.archs, arch) {
		return nil, errors.New("the profile does not name this architecture")
	}
	filter, err := newFilter(arch, p.fallback)
	if err != nil {
		return nil, err
	}
	defer filter.Release()
	program = &Program{Arch: arch}
	for _, rule := range p.rules {
		if !rule.on(arch) {
			continue
		}
		unknown, err := addRule(filter, arch, rule)
		if err != nil {
			return nil, err
		}
		program.Unknown = append(program.Unknown, unknown...)
	}
	if program.Instructions, err = export(filter); err != nil {
		return nil, err
	}
	if err := p.verify(program); err != nil {
		return nil, err
	}
	return program, nil
}

// newFilter makes a filter for arch alone. libseccomp starts with the machine's
// own.
func newFilter(arch Arch, fallback Decision) (*libseccomp.ScmpFilter, error) {
	action, err := nativeAction(fallback.Action, fallback.Errno)
	if err != nil {
		return nil, err
	}
	filter, err := libseccomp.NewFilter(action)
	if err != nil {
		return nil, fmt.Errorf("create filter: %w", err)
	}
	if err := prepare(filter, arch); err != nil {
		filter.Release()
		return nil, err
	}
	return filter, nil
}

func prepare(filter *libseccomp.ScmpFilter, arch Arch) error {
	token, err := nativeArch(arch)
	if err != nil {
		return err
	}
	machine, err := libseccomp.GetNativeArch()
	if err != nil {
		return fmt.Errorf("ask libseccomp for the machine's architecture: %w", err)
	}
	if machine != token {
		if err := errors.Join(filter.AddArch(token), filter.RemoveArch(machine)); err != nil {
			return fmt.Errorf("set architecture: %w", err)
		}
	}
	if err := filter.SetBadArchAction(libseccomp.ActKillProcess); err != nil {
		return fmt.Errorf("set action for foreign architectures: %w", err)
	}
	return nil
}

// addRule adds one rule for each of its names that arch has.
func addRule(filter *libseccomp.ScmpFilter, arch Arch, rule Rule) (unknown []string, err error) {
	action, err := nativeAction(rule.Action, rule.Errno)
	if err != nil {
		return nil, err
	}
	conditions, err := nativeConditions(rule.Conditions)
	if err != nil {
		return nil, err
	}
	for _, name := range rule.Names {
		number, ok := Number(arch, name)
		if !ok {
			continue
		}
		call, err := resolve(arch, name, number)
		switch {
		case errors.Is(err, libseccomp.ErrSyscallDoesNotExist) && rule.Action != Allow:
			unknown = append(unknown, name)
			continue
		case err != nil:
			return nil, err
		}
		if err := addCall(filter, call, action, conditions); err != nil {
			return nil, fmt.Errorf("add rule for %q: %w", name, err)
		}
	}
	return unknown, nil
}

// resolve returns what libseccomp calls the named call: its number on this
// machine, or a negative one where only another architecture has it. That
// libseccomp and this package's table agree on arch is checked on the way.
func resolve(arch Arch, name string, number uint32) (libseccomp.ScmpSyscall, error) {
	token, err := nativeArch(arch)
	if err != nil {
		return 0, err
	}
	there, err := libseccomp.GetSyscallFromNameByArch(name, token)
	if err == nil && there >= 0 && uint32(there) != number {
		return 0, fmt.Errorf("resolve %q: libseccomp says %d, this program says %d", name, there, number)
	}
	if err != nil || there < 0 {
		major, minor, micro := libseccomp.GetLibraryVersion()
		return 0, fmt.Errorf("resolve %q: libseccomp %d.%d.%d is too old for it: %w",
			name, major, minor, micro, libseccomp.ErrSyscallDoesNotExist)
	}
	return libseccomp.GetSyscallFromName(name)
}

func addCall(
	filter *libseccomp.ScmpFilter, call libseccomp.ScmpSyscall,
	action libseccomp.ScmpAction, conditions []libseccomp.ScmpCondition,
) error {
	if len(conditions) == 0 {
		return filter.AddRule(call, action)
	}
	return filter.AddRuleConditional(call, action, conditions)
}

func nativeConditions(conditions []Condition) ([]libseccomp.ScmpCondition, error) {
	var native []libseccomp.ScmpCondition
	for _, c := range conditions {
		operator, values := libseccomp.CompareEqual, []uint64{c.Value}
		if c.Mask != allBits {
			operator, values = libseccomp.CompareMaskedEqual, []uint64{c.Mask, c.Value}
		}
		condition, err := libseccomp.MakeCondition(c.Index, operator, values...)
		if err != nil {
			return nil, fmt.Errorf("make condition %s: %w", c, err)
		}
		native = append(native, condition)
	}
	return native, nil
}

func nativeAction(action Action, errno Errno) (libseccomp.ScmpAction, error) {
	switch action {
	case Allow:
		return libseccomp.ActAllow, nil
	case Deny:
		return libseccomp.ActErrno.SetReturnCode(int16(errno.Number())), nil
	case KillProcess:
		return libseccomp.ActKillProcess, nil
	default:
		return libseccomp.ActInvalid, fmt.Errorf("unknown action %q", action)
	}
}

func nativeArch(arch Arch) (libseccomp.ScmpArch, error) {
	switch arch {
	case AMD64:
		return libseccomp.ArchAMD64, nil
	case ARM64:
		return libseccomp.ArchARM64, nil
	default:
		return libseccomp.ArchInvalid, fmt.Errorf("unknown architecture %q", arch)
	}
}

// export reads the program back through an anonymous file: libseccomp before 2.6
// writes to descriptors only.
func export(filter *libseccomp.ScmpFilter) (program []bpf.RawInstruction, err error) {
	fd, err := unix.MemfdCreate("seccomp", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("create anonymous file: %w", err)
	}
	file := os.NewFile(uintptr(fd), "seccomp")
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := filter.ExportBPF(file); err != nil {
		return nil, fmt.Errorf("export filter: %w", err)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read exported filter: %w", err)
	}
	encoded, err := io.ReadAll(file)
	if err != nil {
		return nil, fmt.Errorf("read exported filter: %w", err)
	}
	return decodeProgram(encoded, binary.NativeEndian)
}
