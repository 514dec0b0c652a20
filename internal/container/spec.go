package container

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	specs "github.com/opencontainers/runtime-spec/specs-go"

	"hotcell/internal/job"
)

// Spec is a sandbox's isolation and nothing of the run. Two Specs with the same
// Key make interchangeable sandboxes.
type Spec struct {
	Image   string              // digest, "sha256:…"
	Bundle  string              // digest, "sha256:…", or "" for none
	Runtime string              // crun, runc, runsc, … or "" for the engine's choice
	Command []string            // argument vector; Command[0] is an absolute path in the image
	Seccomp *specs.LinuxSeccomp // required: there is no unconfined sandbox
	Limits  job.Limits          // WallClock, StdoutBytes, StderrBytes and CodeBytes are the runner's to keep
	// Optional names the controls whose absence on this host is accepted, those of
	// ExtraControls too. Create refuses a host that lacks any other.
	Optional []string
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

var digestPattern = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// Validate reports the first fault of each field.
func (s Spec) Validate() error {
	checks := []struct {
		ok    bool
		fault string
	}{
		{digestPattern.MatchString(s.Image), fmt.Sprintf("image %q is not a sha256 digest", s.Image)},
		{s.Bundle == "" || digestPattern.MatchString(s.Bundle), fmt.Sprintf("bundle %q is not a sha256 digest", s.Bundle)},
		{len(s.Command) > 0 && s.Command[0] != "" && s.Command[0][0] == '/', "command is not an absolute path"},
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
	return s.Limits.Validate()
}

// Key is a digest of everything that distinguishes one idle sandbox from
// another.
func (s Spec) Key() string {
	limits := s.Limits
	limits.WallClock, limits.StdoutBytes, limits.StderrBytes, limits.CodeBytes = 0, 0, 0, 0
	s.Limits = limits
	encoded, err := json.Marshal(s)
	if err != nil {
		panic(err) // Spec has no field that JSON cannot hold
	}
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:])
}

// Environment returns the whole environment of a sandbox, in a fixed order.
// Nothing of the host's is in it.
func (s Spec) Environment() []string {
	threads := strconv.FormatInt(max(1, (s.Limits.CPUMillis+999)/1000), 10)
	return []string{
		"PATH=/usr/bin",
		"HOME=" + ScratchDir,
		"TMPDIR=" + ScratchDir,
		"LANG=C.UTF-8",
		"TZ=UTC",
		"PYTHONHASHSEED=0", // a run can be repeated: sets and dicts iterate alike
		"PYTHONDONTWRITEBYTECODE=1",
		"PYTHONUTF8=1",
		"MPLBACKEND=agg",
		"MPLCONFIGDIR=" + ScratchDir + "/matplotlib",
		// OpenBLAS and OpenMP start a thread per host core, which pids.max would
		// make look like an attack.
		"OPENBLAS_NUM_THREADS=" + threads,
		"OMP_NUM_THREADS=" + threads,
	}
}
