package seccomp

import (
	"fmt"
	"slices"

	specs "github.com/opencontainers/runtime-spec/specs-go"
)

// Profile is a checked profile. Only Load makes one. It is immutable and may be
// used concurrently.
type Profile struct {
	name        string
	description string
	fallback    Decision // what becomes of a call that no rule names
	archs       []Arch
	rules       []Rule
	byName      map[string][]Rule
}

// index prepares the look-up by name.
func (p *Profile) index() {
	p.byName = map[string][]Rule{}
	for _, rule := range p.rules {
		for _, name := range rule.Names {
			p.byName[name] = append(p.byName[name], rule)
		}
	}
}

// For returns the profile narrowed to one of its architectures: any other is
// killed.
func (p *Profile) For(arch Arch) (*Profile, error) {
	if !slices.Contains(p.archs, arch) {
		return nil, fmt.Errorf("seccomp profile %q does not name architecture %s", p.name, arch)
	}
	narrow := *p
	narrow.archs, narrow.rules = []Arch{arch}, nil
	for _, rule := range p.rules {
		if rule.on(arch) {
			rule.Architectures = nil
			narrow.rules = append(narrow.rules, rule)
		}
	}
	narrow.index()
	return &narrow, nil
}

// Rule is one entry of a profile.
type Rule struct {
	Names      []string
	Action     Action
	Errno      Errno       // only with Deny
	Conditions []Condition // all must hold; none means always
	// Architectures are those that the rule is for; none means all of the profile's.
	Architectures []Arch
	Reason        string
}

// on reports whether the rule is for arch.
func (r Rule) on(arch Arch) bool {
	return r.Architectures == nil || slices.Contains(r.Architectures, arch)
}

// Decision is what becomes of one system call.
type Decision struct {
	Action Action
	Errno  Errno  // only with Deny
	Reason string // the rule's, or why no rule was asked
}

// Name returns the profile's name, which is its file's without ".json".
func (p *Profile) Name() string { return p.name }

// Description tells for whom and for which stage the profile is.
func (p *Profile) Description() string { return p.description }

// Architectures returns those that the profile has rules for. Any other is
// killed.
func (p *Profile) Architectures() []Arch { return slices.Clone(p.archs) }

// Rules returns the rules in the file's order. The caller must not change what
// they hold.
func (p *Profile) Rules() []Rule { return slices.Clone(p.rules) }

// OCI returns the profile in the runtime-spec's form, which crun, runc and the
// Docker API take. Each call makes a new value, which is the caller's.
//
// That form cannot limit a rule to an architecture: such rules are left out, so
// that more is denied, never less. For makes a profile without them.
//
// The runtimes choose what becomes of an architecture that is not listed: with
// libseccomp's default, which runc 1.1 to 1.5 and crun 1.8 keep, the calling
// thread is killed.
func (p *Profile) OCI() *specs.LinuxSeccomp {
	profile := &specs.LinuxSeccomp{
		DefaultAction:   specs.LinuxSeccompAction(p.fallback.Action),
		DefaultErrnoRet: errnoReturn(p.fallback.Errno),
	}
	for _, arch := range p.archs {
		profile.Architectures = append(profile.Architectures, specs.Arch(arch))
	}
	for _, rule := range p.rules {
		if rule.Architectures != nil {
			continue
		}
		profile.Syscalls = append(profile.Syscalls, specs.LinuxSyscall{
			Names:    slices.Clone(rule.Names),
			Action:   specs.LinuxSeccompAction(rule.Action),
			ErrnoRet: errnoReturn(rule.Errno),
			Args:     ociArgs(rule.Conditions),
		})
	}
	return profile
}

func errnoReturn(errno Errno) *uint {
	if errno == "" {
		return nil
	}
	return new(uint(errno.Number()))
}

func ociArgs(conditions []Condition) []specs.LinuxSeccompArg {
	var args []specs.LinuxSeccompArg
	for _, c := range conditions {
		arg := specs.LinuxSeccompArg{Index: c.Index, Value: c.Value, Op: specs.OpEqualTo}
		if c.Mask != allBits {
			// The runtime-spec calls the mask value and the value valueTwo.
			arg.Value, arg.ValueTwo, arg.Op = c.Mask, c.Value, specs.OpMaskedEqual
		}
		args = append(args, arg)
	}
	return args
}
