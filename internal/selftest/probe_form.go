package selftest

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/selftest/header"
)

// LoadProbes reads every .py file in the root of fsys, in the order of their
// names. All faults are reported at once, each with its file and line. A file that
// is not a probe has no place there, nor has a second one of the same title: their
// reports would read alike.
func LoadProbes(fsys fs.FS) ([]Probe, error) {
	return kind[Probe]{"probe", "*.py", parseProbe, func(p Probe) string { return fmt.Sprintf("title %q", p.Title) }}.load(fsys)
}

func parseProbe(file, text string) (Probe, error) {
	head, err := header.Parse(file, text)
	if err != nil {
		return Probe{}, err
	}
	probe := Probe{Name: nameOf(file), Title: head.Title, Source: head.Body, Runs: 1}
	err = head.Read(
		header.Field{Name: "Threats", Required: true, Set: probe.setThreats},
		header.Field{Name: "Contract", Required: true, Set: probe.setContract},
		header.Field{Name: "Ends", Set: probe.setEnds},
		header.Flag("Runs", "2", func() { probe.Runs = 2 }),
		header.Field{Name: "Held by", Set: probe.setHolder},
		header.Field{Name: "Control", Set: probe.setControl},
		header.Field{Name: "Processor", Set: probe.setProcessor},
		header.Field{Name: "Unproven", Set: func(reason string) error { probe.Unproven = reason; return nil }},
	)
	return probe, err
}

var threatID = regexp.MustCompile(`^([A-Z][0-9]{1,2}|CVE-[0-9]{4}-[0-9]{4,})$`)

func (p *Probe) setThreats(value string) error {
	p.Threats = strings.Fields(value)
	if slices.ContainsFunc(p.Threats, func(id string) bool { return !threatID.MatchString(id) }) {
		return errors.New("write ids such as C5 or CVE-2022-0492")
	}
	return nil
}

func (p *Probe) setContract(value string) error {
	p.Contract = Contract(value)
	if !slices.Contains(Contracts(), p.Contract) {
		return fmt.Errorf("write one of %v", Contracts())
	}
	return nil
}

// endings are the statuses that mean that a run was ended for what it did.
func endings() []job.Status {
	return []job.Status{job.TimedOut, job.OutOfMemory, job.Killed, job.LimitExceeded, job.OutputRejected}
}

func (p *Probe) setEnds(value string) error {
	for name := range strings.FieldsSeq(value) {
		p.Ends = append(p.Ends, job.Status(name))
	}
	if slices.ContainsFunc(p.Ends, func(end job.Status) bool { return !slices.Contains(endings(), end) }) {
		return fmt.Errorf("write statuses of %v, or leave the line out", endings())
	}
	return nil
}

func (p *Probe) setHolder(value string) error {
	p.SeccompOnly, p.LockOnly = value == "seccomp alone", value == "the lock alone"
	if !p.SeccompOnly && !p.LockOnly {
		return errors.New("write seccomp alone or the lock alone, or leave the line out")
	}
	return nil
}

func (p *Probe) setControl(value string) error {
	p.Control = value
	if !slices.Contains(container.Controls(), value) {
		return fmt.Errorf("write one of %v, or leave the line out", container.Controls())
	}
	return nil
}

func (p *Probe) setProcessor(value string) error {
	p.Processor = value
	if value != "x86_64" && value != "aarch64" {
		return errors.New("write x86_64 or aarch64, or leave the line out")
	}
	return nil
}
