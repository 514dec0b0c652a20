package seccomp

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// formatVersion is the file format's, described in the package comment.
const formatVersion = 1

var namePattern = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*(\.(user|template))?$`)

// checker collects the faults of a document.
type checker struct {
	doc    document
	seen   map[string]seenCall
	faults []fault
}

// fault is what is wrong at a place of the document, written like
// "syscalls[2].args[0].mask".
type fault struct{ place, problem string }

// seenCall is what the rules so far say about one call.
type seenCall struct {
	action Action
	errno  Errno
	args   []string // conditions in a comparable form; "" for none
}

func (c *checker) fault(place, format string, args ...any) {
	c.faults = append(c.faults, fault{place, fmt.Sprintf(format, args...)})
}

func (c *checker) header(name string) {
	if c.doc.Version != formatVersion {
		c.fault("version", "%d is unknown: this program reads version %d", c.doc.Version, formatVersion)
	}
	if c.doc.Name != name || !namePattern.MatchString(name) {
		c.fault("name", "%q must be the file's name without .json, in lower-case words joined by hyphens, with .user behind them for stage 2 and .template for templates", c.doc.Name)
	}
	if strings.TrimSpace(c.doc.Description) == "" {
		c.fault("description", "is empty: say for whom and for which stage")
	}
	if len(c.doc.Syscalls) == 0 {
		c.fault("syscalls", "is empty: nothing could run")
	}
	c.defaultAction()
	c.architectures()
}

// defaultAction holds the errno to EPERM: Docker 20.10 drops default_errno, and
// runc then uses EPERM.
func (c *checker) defaultAction() {
	switch c.doc.DefaultAction {
	case Deny:
		if c.doc.DefaultErrno != EPERM {
			c.fault("default_errno", "%q is not EPERM, the one default that every runtime keeps", c.doc.DefaultErrno)
		}
	case KillProcess:
		if c.doc.DefaultErrno != "" {
			c.fault("default_errno", "belongs to %s only", Deny)
		}
	default:
		c.fault("default_action", "%q does not deny: use %s or %s", c.doc.DefaultAction, Deny, KillProcess)
	}
}

func (c *checker) architectures() {
	if len(c.doc.Architectures) == 0 {
		c.fault("architectures", "is empty: name those that the profile was written for")
	}
	for i, arch := range c.doc.Architectures {
		place := fmt.Sprintf("architectures[%d]", i)
		if arch != AMD64 && arch != ARM64 {
			c.fault(place, "%q is unknown: use %s or %s", arch, AMD64, ARM64)
		}
		if slices.Contains(c.doc.Architectures[:i], arch) {
			c.fault(place, "%q appears twice", arch)
		}
	}
}

func (c *checker) rule(place string, rule fileRule) {
	if len(rule.Names) == 0 {
		c.fault(place+".names", "is empty")
	}
	if strings.TrimSpace(rule.Reason) == "" {
		c.fault(place+".reason", "is empty: say why")
	}
	c.action(place, rule)
	c.ruleArchitectures(place+".architectures", rule)
	c.args(place+".args", rule)
	for i, name := range rule.Names {
		c.name(fmt.Sprintf("%s.names[%d]", place, i), name, rule)
	}
}

func (c *checker) action(place string, rule fileRule) {
	switch rule.Action {
	case Deny:
		if rule.Errno.Number() == 0 {
			c.fault(place+".errno", "%q is not EPERM, EACCES, ENOTTY or ENOSYS", rule.Errno)
		}
	case Allow, KillProcess:
		if rule.Errno != "" {
			c.fault(place+".errno", "belongs to %s only", Deny)
		}
	default:
		c.fault(place+".action", "%q is not %s, %s or %s", rule.Action, Allow, Deny, KillProcess)
	}
	// libseccomp refuses such a rule and runc drops it.
	if rule.Action == c.doc.DefaultAction && rule.Errno == c.doc.DefaultErrno {
		c.fault(place+".action", "is the default: leave the rule out")
	}
}

// ruleArchitectures keeps a limitation to architectures a true one.
func (c *checker) ruleArchitectures(place string, rule fileRule) {
	if rule.Architectures == nil {
		return
	}
	if len(rule.Architectures) == 0 || len(rule.Architectures) >= len(c.doc.Architectures) {
		c.fault(place, "must name some of the profile's architectures and not all: leave it out for all")
	}
	for i, arch := range rule.Architectures {
		if !slices.Contains(c.doc.Architectures, arch) || slices.Contains(rule.Architectures[:i], arch) {
			c.fault(fmt.Sprintf("%s[%d]", place, i), "%q is not one of the profile's architectures, or appears twice", arch)
		}
	}
}

func (c *checker) args(place string, rule fileRule) {
	if rule.Args != nil && len(rule.Args) == 0 {
		c.fault(place, "is empty: leave it out for a rule that always holds")
	}
	used := map[int]bool{}
	for i, arg := range rule.Args {
		inner := fmt.Sprintf("%s[%d]", place, i)
		if used[arg.Index] {
			c.fault(inner+".index", "%d appears twice: runc would take the conditions for alternatives", arg.Index)
		}
		used[arg.Index] = true
		c.arg(inner, arg, rule.Names)
	}
}

func (c *checker) arg(place string, arg fileArg, names []string) {
	if arg.Index < 0 || arg.Index > 5 {
		c.fault(place+".index", "%d is not 0 to 5", arg.Index)
		return
	}
	value, err := parseWord(arg.Value)
	if err != nil {
		c.fault(place+".value", "%v", err)
	}
	mask, err := parseMask(arg.Mask)
	if err != nil {
		c.fault(place+".mask", "%v", err)
		return
	}
	if value&^mask != 0 {
		c.fault(place+".value", "%s has bits that the mask clears: it never holds", arg.Value)
	}
	for _, name := range names {
		c.width(place, name, uint(arg.Index), mask)
	}
}

// parseMask takes an absent mask for all bits. One that keeps no bit would make a
// condition of nothing.
func parseMask(text string) (uint64, error) {
	if text == "" {
		return allBits, nil
	}
	mask, err := parseWord(text)
	if err == nil && mask == 0 {
		err = errors.New("keeps no bit: the condition always holds")
	}
	return mask, err
}

// width holds a comparison to the bits that the kernel reads. Bits above them are
// the caller's to choose: comparing them refuses honest callers, whose registers
// may hold anything there, and an inequality would be satisfied by them.
func (c *checker) width(place, name string, index uint, mask uint64) {
	bits, ok := argumentBits(name, index)
	switch {
	case !ok:
		c.fault(place+".index", "argument %d of %q cannot be compared: its width is not known here", index, name)
	case bits == 32 && mask>>32 != 0:
		c.fault(place+".mask", "argument %d of %q has 32 bits: use a mask of at most 0xffffffff", index, name)
	}
}

func (c *checker) name(place, name string, rule fileRule) {
	if !c.known(name, rule.Architectures) {
		c.fault(place, "unknown system call %q", name)
		return
	}
	given := fmt.Sprint(rule.Args)
	if rule.Args == nil {
		given = ""
	}
	seen, again := c.seen[name]
	switch {
	case !again:
		seen = seenCall{action: rule.Action, errno: rule.Errno}
	case seen.action != rule.Action || seen.errno != rule.Errno:
		c.fault(place, "%q has another action in an earlier rule", name)
	case slices.Contains(seen.args, given):
		c.fault(place, "%q appears twice", name)
	case given == "" || slices.Contains(seen.args, ""):
		c.fault(place, "%q has a rule with args and one without", name)
	}
	seen.args = append(seen.args, given)
	c.seen[name] = seen
}

// known asks for the architectures that the profile names: a call may be missing
// on some of them, not on all. It may be missing on none that the rule names.
func (c *checker) known(name string, named []Arch) bool {
	for _, arch := range named {
		if _, ok := Number(arch, name); !ok {
			return false
		}
	}
	return slices.ContainsFunc(c.doc.Architectures, func(arch Arch) bool {
		_, ok := Number(arch, name)
		return ok
	})
}
