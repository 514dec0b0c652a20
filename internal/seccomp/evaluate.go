package seccomp

import "slices"

// Call is one system call as the kernel shows it to a filter (struct
// seccomp_data): registers, 64 bits wide whatever the parameter's type.
type Call struct {
	Arch   Arch
	Number uint32
	Args   [6]uint64
}

// x32Bit marks a call of the x32 ABI, which shares x86_64's architecture token.
const x32Bit = 0x40000000

// skipped is the number that a tracer sets to make the kernel skip a call. On
// x86_64 libseccomp lets it reach the rules, where it has none.
const skipped = ^uint32(0)

// Evaluate says what Compile's program does with a call, and why. It is pure.
//
// A runtime differs in three ways: see OCI about foreign architectures; runc
// answers numbers above the profile's highest with ENOSYS in place of the
// default EPERM; and a killing rule whose name the host's libseccomp does not
// know gives way to the default action.
func (p *Profile) Evaluate(call Call) Decision {
	if !slices.Contains(p.archs, call.Arch) {
		return Decision{Action: KillProcess, Reason: "foreign architecture"}
	}
	if call.Arch == AMD64 && call.Number >= x32Bit && call.Number != skipped {
		return Decision{Action: KillProcess, Reason: "x32 call"}
	}
	decision := p.fallback
	for _, rule := range p.byName[callName(call.Arch, call.Number)] {
		if !rule.on(call.Arch) {
			continue
		}
		if rule.holds(call.Args) {
			return Decision{Action: rule.Action, Errno: rule.Errno, Reason: rule.Reason}
		}
		decision.Reason = "no rule for it holds with these arguments"
	}
	return decision
}

func (r Rule) holds(args [6]uint64) bool {
	for _, c := range r.Conditions {
		if !c.holds(args) {
			return false
		}
	}
	return true
}

// callName returns "" for a number that the table does not have.
func callName(arch Arch, number uint32) string {
	return syscallNames()[arch][number]
}

// Counts says how the system calls of one architecture fare.
type Counts struct {
	Known       int // calls in this package's table
	Allowed     int // always
	Conditional int // allowed with some arguments
	Denied      int // fail with an errno, by rule or by default
	Killed      int
}

// Count counts the calls of arch by what the profile does with them.
func (p *Profile) Count(arch Arch) Counts {
	counts := Counts{Known: len(syscallNumbers()[arch])}
	for name := range syscallNumbers()[arch] {
		switch action, conditional := p.Outcome(arch, name); {
		case action == Allow && conditional:
			counts.Conditional++
		case action == Allow:
			counts.Allowed++
		case action == KillProcess:
			counts.Killed++
		default:
			counts.Denied++
		}
	}
	return counts
}

// Outcome returns what the rules for a call, which agree in their action, do with
// it on arch. Conditional means with some arguments only; the default answers the
// others.
func (p *Profile) Outcome(arch Arch, name string) (action Action, conditional bool) {
	for _, rule := range p.byName[name] {
		if rule.on(arch) {
			return rule.Action, rule.Conditions != nil
		}
	}
	return p.fallback.Action, false
}
