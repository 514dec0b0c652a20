package selftest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"

	"hotcell/internal/job"
	"hotcell/internal/seccomp"
)

// Contract is the promise that a probe tries to break.
type Contract string

// The contracts.
const (
	Confidentiality Contract = "confidentiality" // user code learns nothing but its bundle
	Integrity       Contract = "integrity"       // user code changes nothing but its output
	Availability    Contract = "availability"    // every run ends within its limits, and the next one starts clean
)

// Contracts lists every contract, in the order in which they are shown.
func Contracts() []Contract { return []Contract{Confidentiality, Integrity, Availability} }

// Probe is one program that tries to get out of a sandbox and says itself whether
// it did. It is one Python file; see docs/selftest.md for its form.
type Probe struct {
	Name     string       // of its file, without .py
	Title    string       // the first line of its doc string: what it tries
	Source   string       // the program without its header
	Threats  []string     // ids of docs/threat-model.md, and CVE numbers
	Contract Contract     // what it breaks when it succeeds
	Ends     []job.Status // how a run of it may end, besides its saying that it was held
	// Runs is how many times to run it, one after the other: 1, but for a probe that
	// looks for what an earlier run has left. The last one counts.
	Runs int
	// SeccompOnly says that nothing but seccomp holds it.
	SeccompOnly bool
	// LockOnly says that nothing holds it but what the guard does last before user
	// code: PR_SET_DUMPABLE 0 and the second, narrower filter.
	LockOnly bool
	// Control is the one that alone holds it, or "" for more than one.
	Control string
	// Processor is the only one that has what the probe tries, as uname(2) calls it;
	// "" for every one.
	Processor string
	// Unproven says why it cannot be shown to work on every host; "" when it can.
	Unproven string
}

// Facts is what a probe is told of the host that it attacks: that nothing of it
// can be reached must not depend on its place being unknown.
type Facts struct {
	Secret   string `json:"secret"`   // path of a file that begins with SecretPrefix
	TCPPort  int    `json:"tcp_port"` // something listens there on 127.0.0.1
	Abstract string `json:"abstract"` // name of an abstract socket, something listens there
	ShmID    int    `json:"shm_id"`   // SysV segment that begins with SecretPrefix
	Victim   string `json:"victim"`   // text in the environment of a process of the host
	// Limits are those of the run. A probe of availability asks for more.
	Limits job.Limits `json:"limits"`
}

// SecretPrefix begins every secret that is laid out for the probes, by which they
// know one.
const SecretPrefix = "hotcell-secret:"

//go:embed prelude.py
var prelude string

// Script returns the program to run: an ordinary script, which needs no arguments.
func (p Probe) Script(facts Facts) ([]byte, error) {
	name, err := json.Marshal(p.Name)
	if err != nil {
		return nil, fmt.Errorf("encode name of probe: %w", err)
	}
	host, err := json.Marshal(facts) // #nosec G117 -- the secret is a path, laid out for the probe to look for
	if err != nil {
		return nil, fmt.Errorf("encode facts for probe %s: %w", p.Name, err)
	}
	// Twice: a JSON string is also a literal of Python.
	literal, err := json.Marshal(string(host))
	if err != nil {
		return nil, fmt.Errorf("encode facts for probe %s: %w", p.Name, err)
	}
	calls, err := callNumbers()
	if err != nil {
		return nil, fmt.Errorf("encode system calls for probe %s: %w", p.Name, err)
	}
	start := strings.NewReplacer(`"@name@"`, string(name), `"@host@"`, string(literal), `"@calls@"`, calls).Replace(prelude)
	return []byte(start + p.Source), nil
}

// machine is what uname(2) calls this program's processor, and the sandboxes': the
// image store refuses any other image.
func machine() string {
	switch runtime.GOARCH {
	case "amd64":
		return "x86_64"
	case "arm64":
		return "aarch64"
	default:
		return runtime.GOARCH
	}
}

// RunsHere reports whether the processor has what the probe tries.
func (p Probe) RunsHere() bool { return p.Processor == "" || p.Processor == machine() }

// callNumbers returns a literal of Python.
func callNumbers() (string, error) {
	arch, ok := seccomp.Native(runtime.GOARCH)
	if !ok {
		return "", fmt.Errorf("no table for %s", runtime.GOARCH)
	}
	numbers := map[string]uint32{}
	for _, name := range seccomp.Names(arch) {
		numbers[name], _ = seccomp.Number(arch, name)
	}
	table, err := json.Marshal(map[string]any{machine(): numbers})
	if err != nil {
		return "", err
	}
	literal, err := json.Marshal(string(table)) // twice: a JSON string is also a literal of Python
	return string(literal), err
}

// Claim is what a probe says of itself.
type Claim string

// The claims.
const (
	ClaimEscaped Claim = "escaped" // it got what it tried to get
	ClaimHeld    Claim = "held"    // it was refused, or there was nothing to find
	ClaimNone    Claim = ""        // it said neither: killed, still running, or defective
)

// Claim reads what the probe printed. That it escaped is believed wherever it
// stands, that it was held only as the first word.
func (p Probe) Claim(stdout string) Claim {
	for line := range strings.Lines(stdout) {
		if strings.Contains(line, "ESCAPED:"+p.Name+" ") || strings.TrimSpace(line) == "ESCAPED:"+p.Name {
			return ClaimEscaped
		}
	}
	if strings.HasPrefix(stdout, "HELD:"+p.Name+":") {
		return ClaimHeld
	}
	return ClaimNone
}
