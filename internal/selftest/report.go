package selftest

import (
	"slices"
	"time"

	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// Mode is one of the two ways in which an attack is run.
type Mode string

// The modes, in the order in which they are shown.
const (
	GuardOff Mode = "guard_off" // what holds is the container alone
	GuardOn  Mode = "guard_on"  // as a user's script
)

// Suite groups cases: a contract, or the attempts on the guard.
type Suite string

// GuardSuite holds the scripts that try to get past the guard.
const GuardSuite Suite = "guard"

// suites lists every suite, in the order in which they are shown.
func suites() []Suite {
	var all []Suite
	for _, contract := range Contracts() {
		all = append(all, Suite(contract))
	}
	return append(all, GuardSuite)
}

// Verdict is what became of one attack in one mode.
type Verdict string

// The verdicts.
const (
	Held      Verdict = "held"      // it was refused, or there was nothing to find
	Killed    Verdict = "killed"    // by seccomp
	Ended     Verdict = "ended"     // by a limit, as the attack says that it may be
	Rejected  Verdict = "rejected"  // by the guard, before it ran or while it ran
	Absent    Verdict = "absent"    // it got what one control alone holds, which this host lacks, as the policy allows
	Escaped   Verdict = "escaped"   // something got out
	Defective Verdict = "defective" // none of these: the attack itself proves nothing
)

// Good reports whether the verdict shows that containment held.
func (v Verdict) Good() bool {
	return slices.Contains([]Verdict{Held, Killed, Ended, Rejected, Absent}, v)
}

// Outcome is one attack in one mode.
type Outcome struct {
	Attack  string     `json:"attack"` // its name
	Title   string     `json:"title"`
	Suite   Suite      `json:"suite"`
	Threats []string   `json:"threats"`
	Mode    Mode       `json:"mode"`
	Verdict Verdict    `json:"verdict"`
	Status  job.Status `json:"status"` // of the run
	// Detail says why. What of it comes out of the sandbox is hostile.
	Detail string `json:"detail"`
	WallMS int64  `json:"wall_ms"`
}

// Canary is something of the host's that must be as it was before.
type Canary struct {
	Name   string `json:"name"`
	Intact bool   `json:"intact"`
	Detail string `json:"detail,omitempty"` // what is wrong
}

// Report is one self-test of one host.
type Report struct {
	Policy       string        `json:"policy"`
	PolicySHA256 digest.Hex    `json:"policy_sha256"`
	Image        digest.Digest `json:"image"`
	Engine       string        `json:"engine"`
	Runtime      string        `json:"runtime"`
	Kernel       string        `json:"kernel"`
	Controls     []job.Control `json:"controls"`
	// Optional names the controls that the policy lets a host lack.
	Optional  []string  `json:"optional_controls"`
	StartedAt time.Time `json:"started_at"`
	WallMS    int64     `json:"wall_ms"`
	Outcomes  []Outcome `json:"outcomes"` // by suite, mode and name
	Canaries  []Canary  `json:"canaries"`
}

// Contained reports whether nothing got out and every attack proved something.
func (r Report) Contained() bool {
	bad := func(outcome Outcome) bool { return !outcome.Verdict.Good() }
	broken := func(canary Canary) bool { return !canary.Intact }
	return len(r.Outcomes) > 0 && !slices.ContainsFunc(r.Outcomes, bad) && !slices.ContainsFunc(r.Canaries, broken)
}

// Bad returns the outcomes that show that containment did not hold, or nothing.
func (r Report) Bad() []Outcome {
	var bad []Outcome
	for _, outcome := range r.Outcomes {
		if !outcome.Verdict.Good() {
			bad = append(bad, outcome)
		}
	}
	return bad
}

// Lost returns the canaries that are not as they were.
func (r Report) Lost() []Canary {
	var lost []Canary
	for _, canary := range r.Canaries {
		if !canary.Intact {
			lost = append(lost, canary)
		}
	}
	return lost
}

// Row counts the outcomes of one suite in one mode.
type Row struct {
	Suite   Suite           `json:"suite"`
	Mode    Mode            `json:"mode"`
	Attacks int             `json:"attacks"`
	By      map[Verdict]int `json:"by_verdict"`
}

// Rows counts by suite and mode, without those that have no outcome.
func (r Report) Rows() []Row {
	var rows []Row
	for _, suite := range suites() {
		for _, mode := range []Mode{GuardOff, GuardOn} {
			row := Row{Suite: suite, Mode: mode, By: map[Verdict]int{}}
			for _, outcome := range r.Outcomes {
				if outcome.Suite == suite && outcome.Mode == mode {
					row.Attacks++
					row.By[outcome.Verdict]++
				}
			}
			if row.Attacks > 0 {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// intact is a canary with what is wrong with it, or "".
func intact(name, fault string) Canary { return Canary{name, fault == "", fault} }
