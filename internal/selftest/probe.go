package selftest

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"runtime"
	"slices"
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
	Source   string       // the file as it is
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

// RunsHere tells whether the processor has what the probe tries.
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

// LoadProbes reads every .py file in the root of fsys, in the order of their
// names. All faults are reported at once, each with its file and line. A file that
// is not a probe has no place there.
func LoadProbes(fsys fs.FS) ([]Probe, error) {
	files, err := fs.Glob(fsys, "*.py")
	if err != nil {
		return nil, fmt.Errorf("list probes: %w", err)
	}
	if len(files) == 0 {
		return nil, errors.New("load probes: there is no .py file")
	}
	var probes []Probe
	var faults []error
	for _, file := range files {
		probe, err := loadProbe(fsys, file)
		if err == nil {
			err = probe.distinct(probes)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("load probe: %w", err))
			continue
		}
		probes = append(probes, probe)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return probes, nil
}

// maxProbe bounds a probe's file, in bytes.
const maxProbe = 64 << 10

var probeName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

func loadProbe(fsys fs.FS, file string) (Probe, error) {
	probe := Probe{Name: strings.TrimSuffix(path.Base(file), ".py"), Runs: 1}
	if !probeName.MatchString(probe.Name) {
		return Probe{}, fmt.Errorf("%s: a probe's name has lower-case letters, digits and underscores only", file)
	}
	info, err := fs.Stat(fsys, file)
	if err != nil {
		return Probe{}, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxProbe {
		return Probe{}, fmt.Errorf("%s: is not a regular file of at most %d bytes", file, maxProbe)
	}
	source, err := fs.ReadFile(fsys, file)
	if err != nil {
		return Probe{}, err
	}
	probe.Source = string(source)
	if err := probe.readHeader(file); err != nil {
		return Probe{}, err
	}
	return probe, nil
}

// distinct refuses a second probe of one title: two reports that read alike.
func (p Probe) distinct(others []Probe) error {
	for _, other := range others {
		if other.Title == p.Title {
			return fmt.Errorf("%s.py:1: its title is that of %s.py: %q", p.Name, other.Name, p.Title)
		}
	}
	return nil
}

// readHeader takes the doc string apart: the title, an empty line, one field a
// line.
func (p *Probe) readHeader(file string) error {
	text, found := strings.CutPrefix(p.Source, `"""`)
	header, _, closed := strings.Cut(text, `"""`)
	if !found || !closed {
		return fmt.Errorf(`%s:1: does not begin with a doc string in """`, file)
	}
	lines := strings.Split(header, "\n")
	p.Title = lines[0]
	if p.Title == "" || strings.TrimSpace(p.Title) != p.Title {
		return fmt.Errorf("%s:1: the doc string's first line does not say what the probe tries", file)
	}
	seen := map[string]bool{}
	for index, line := range lines[1:] {
		if line == "" {
			continue
		}
		key, value, _ := strings.Cut(line, ": ")
		if seen[key] {
			return fmt.Errorf("%s:%d: %s is there twice", file, index+2, key)
		}
		seen[key] = true
		if err := p.set(key, value); err != nil {
			return fmt.Errorf("%s:%d: %w", file, index+2, err)
		}
	}
	return p.complete(file, seen)
}

func (p *Probe) set(key, value string) error {
	switch key {
	case "Threats":
		p.Threats = strings.Fields(value)
		return threatsKnown(p.Threats)
	case "Contract":
		p.Contract = Contract(value)
		if !slices.Contains(Contracts(), p.Contract) {
			return fmt.Errorf("Contract is %q: write one of %v", value, Contracts())
		}
	case "Held by":
		p.SeccompOnly, p.LockOnly = value == "seccomp alone", value == "the lock alone"
		if !p.SeccompOnly && !p.LockOnly {
			return fmt.Errorf(`"Held by" is %q: write "seccomp alone" or "the lock alone", or leave the line out`, value)
		}
	case "Unproven":
		p.Unproven = value
		if value == "" {
			return errors.New(`"Unproven" gives no reason`)
		}
	case "Processor":
		p.Processor = value
		if value != "x86_64" && value != "aarch64" {
			return fmt.Errorf(`"Processor" is %q: write x86_64 or aarch64, or leave the line out`, value)
		}
	case "Runs":
		p.Runs = 2
		if value != "2" {
			return fmt.Errorf(`"Runs" is %q: write 2 or leave the line out`, value)
		}
	case "Ends":
		return p.setEnds(strings.Fields(value))
	default:
		return fmt.Errorf("unknown field %q: write Threats, Contract, Ends, Runs, Held by, Processor or Unproven, a colon and a value", key)
	}
	return nil
}

// endings are the statuses that mean that a run was ended for what it did.
func endings() []job.Status {
	return []job.Status{job.TimedOut, job.OutOfMemory, job.Killed, job.LimitExceeded, job.OutputRejected}
}

func (p *Probe) setEnds(names []string) error {
	for _, name := range names {
		if !slices.Contains(endings(), job.Status(name)) {
			return fmt.Errorf("field Ends has %q: write statuses of %v", name, endings())
		}
		p.Ends = append(p.Ends, job.Status(name))
	}
	if len(p.Ends) == 0 {
		return fmt.Errorf("field Ends is empty: write statuses of %v, or leave the line out", endings())
	}
	return nil
}

var threatID = regexp.MustCompile(`^([A-Z][0-9]{1,2}|CVE-[0-9]{4}-[0-9]{4,})$`)

func threatsKnown(ids []string) error {
	if len(ids) == 0 {
		return errors.New("field Threats is empty: write ids such as C5 or CVE-2022-0492")
	}
	for _, id := range ids {
		if !threatID.MatchString(id) {
			return fmt.Errorf("field Threats has %q: write ids such as C5 or CVE-2022-0492", id)
		}
	}
	return nil
}

func (p *Probe) complete(file string, seen map[string]bool) error {
	for _, field := range []string{"Threats", "Contract"} {
		if !seen[field] {
			return fmt.Errorf("%s:1: the doc string lacks the line %s: …", file, field)
		}
	}
	return nil
}
