package container

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	specs "github.com/opencontainers/runtime-spec/specs-go"

	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// Spec is a sandbox's isolation and nothing of the run. Two Specs with the same Key make
// sandboxes that are interchangeable but for what is Tightened.
type Spec struct {
	Image   digest.Digest
	Bundle  digest.Digest // or "" for none
	Runtime string        // crun, runc, runsc, … or "" for the engine's choice
	Command []string      // argument vector; Command[0] is an absolute path in the image
	// Environment is all that Command finds in its environment, as NAME=value, each name
	// once. Nothing of the host's, the image's or the engine's is added.
	Environment []string
	Seccomp     *specs.LinuxSeccomp // required: there is no unconfined sandbox
	// Limits of the sandbox. StdoutBytes, StderrBytes and CodeBytes are the runner's to keep, and
	// WallClock, from the beginning of Run: an engine that cannot be sure to be told of the end keeps
	// that, too, and somewhat later. Of a session it is all of it.
	Limits job.Limits
	// Tightened is what one request may have less of. Create applies it: see Enforced.
	Tightened Tightened
	// Optional names the controls whose absence on this host is accepted, those of
	// ExtraControls too. Create refuses a host that lacks any other.
	Optional []string
}

// Tightened holds what a control group keeps of job.Limits. 0 stands for the Spec's own
// limit. Create applies it, and PreparedSandbox.Tighten to a sandbox that is idle, before it
// is handed out; which cannot be for PIDs on gVisor:
// there they are the guest's RLIMIT_NPROC, which is set when the sandbox is made and which
// nothing outside reaches.
type Tightened struct{ MemoryBytes, PIDs, CPUMillis int64 }

// TightenedTo returns what of limits can be tightened.
func TightenedTo(limits job.Limits) Tightened {
	return Tightened{MemoryBytes: limits.MemoryBytes, PIDs: limits.PIDs, CPUMillis: limits.CPUMillis}
}

// Enforced returns the limits that the sandbox really gets.
func (s Spec) Enforced() job.Limits {
	limits := s.Limits
	limits.MemoryBytes = cmp.Or(s.Tightened.MemoryBytes, limits.MemoryBytes)
	limits.PIDs = cmp.Or(s.Tightened.PIDs, limits.PIDs)
	limits.CPUMillis = cmp.Or(s.Tightened.CPUMillis, limits.CPUMillis)
	return limits
}

// Tighten returns the Spec of a sandbox that has these limits, and whether any of them is
// less than this one's: a request names all its limits, and most have the Spec's own. It
// refuses to loosen.
func (s Spec) Tighten(tightened Tightened) (next Spec, less bool, err error) {
	next = s
	next.Tightened = tightened
	now, then := s.Enforced(), next.Enforced()
	return next, then != now, TightenedTo(then).validate(now)
}

// validate refuses to loosen.
func (t Tightened) validate(limits job.Limits) error {
	var faults []error
	for _, each := range []struct {
		name          string
		wanted, limit int64
	}{
		{"memory", t.MemoryBytes, limits.MemoryBytes}, {"pids", t.PIDs, limits.PIDs}, {"cpus", t.CPUMillis, limits.CPUMillis},
	} {
		if each.wanted < 0 || each.wanted > each.limit {
			faults = append(faults, fmt.Errorf("%s of %d does not tighten %d", each.name, each.wanted, each.limit))
		}
	}
	return errors.Join(faults...)
}

// What is the same in every sandbox.
const (
	UserID     = 65532 // uid and gid of the guard; owns nothing in the image ("nonroot" in distroless images)
	BundleDir  = "/bundle"
	OutputDir  = "/output"
	ScratchDir = "/tmp"
	Hostname   = "hotcell"
	// ScratchFiles caps the inodes of /tmp. The guard's own use is below 20.
	ScratchFiles = 1024
)

// variablePattern: Docker takes a name alone for a variable to hand on or to take away.
var variablePattern = regexp.MustCompile(`(?s)^[A-Z][A-Z0-9_]*=.*$`)

// Validate reports the first fault of each field.
func (s Spec) Validate() error {
	checks := []struct {
		ok    bool
		fault string
	}{
		{s.Image.Check() == nil, fmt.Sprintf("image %q is not a sha256 digest", s.Image)},
		{s.Bundle == "" || s.Bundle.Check() == nil, fmt.Sprintf("bundle %q is not a sha256 digest", s.Bundle)},
		{len(s.Command) > 0 && s.Command[0] != "" && s.Command[0][0] == '/', "command is not an absolute path"},
		{!slices.ContainsFunc(slices.Concat(s.Command, s.Environment, []string{s.Runtime}), isNoText), "command, environment or runtime has a NUL or is not valid UTF-8"},
		{s.variables()["PATH"] && s.variables()["HOME"], "environment lacks PATH or HOME, which a runtime or a daemon would make up"},
		{!slices.ContainsFunc(s.Environment, func(v string) bool { return !variablePattern.MatchString(v) }), "environment has something else than NAME=value"},
		{len(s.variables()) == len(s.Environment), "environment has a name twice"},
		{s.Seccomp != nil && len(s.Seccomp.Syscalls) > 0, "seccomp profile is missing"},
	}
	for _, check := range checks {
		if !check.ok {
			return fmt.Errorf("validate sandbox spec: %s", check.fault)
		}
	}
	for _, name := range s.Optional {
		if !slices.Contains(Controls(), name) {
			return fmt.Errorf("validate sandbox spec: unknown control %q", name)
		}
	}
	if err := errors.Join(s.Limits.Validate(), s.Tightened.validate(s.Limits)); err != nil {
		return fmt.Errorf("validate sandbox spec: %w", err)
	}
	return nil
}

// isNoText tells of what a runtime's configuration cannot say: JSON would make another text
// of it, and the Key that of another Spec.
func isNoText(text string) bool { return !utf8.ValidString(text) || strings.ContainsRune(text, 0) }

// variables returns the names in the environment, each once.
func (s Spec) variables() map[string]bool {
	names := map[string]bool{}
	for _, variable := range s.Environment {
		name, _, _ := strings.Cut(variable, "=")
		names[name] = true
	}
	return names
}

// Key is a digest of everything that distinguishes one idle sandbox from another on the
// same host, but for what Create has applied of Tightened: whoever hands out a sandbox that
// was there sees to that. Key cannot count the PIDs on gVisor alone, because a Runtime of ""
// may be gVisor. It leaves out what the runner keeps, too, and Optional, which changes no
// sandbox: whoever hands out one that was there asks Host.Admit for each request, as Create
// does.
func (s Spec) Key() digest.Digest {
	s.Limits.StdoutBytes, s.Limits.StderrBytes, s.Limits.CodeBytes = 0, 0, 0
	s.Tightened, s.Optional = Tightened{}, nil
	encoded, err := json.Marshal(s)
	if err != nil {
		panic(err) // Spec has no field that JSON cannot hold
	}
	return digest.Of(encoded)
}
