package doctor

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"golang.org/x/mod/semver"

	"hotcell/internal/container"
)

// Advisory is one known flaw of a component.
type Advisory struct {
	ID        string     `yaml:"id"`
	Component string     `yaml:"component"`
	Title     string     `yaml:"title"`
	Affected  []Interval `yaml:"affected"`
	// Here says what of Hotcell stands in the way of the flaw.
	Here string `yaml:"here"`
}

// Interval of versions: From is in it, Before is not. From is "" for all before.
type Interval struct {
	From   string `yaml:"from"`
	Before string `yaml:"before"`
}

//go:embed advisories.yaml
var advisoriesFile []byte

// knownAdvisories returns the flaws that this version of the runner knows of.
func knownAdvisories() ([]Advisory, error) { return parseAdvisories(advisoriesFile) }

func parseAdvisories(text []byte) ([]Advisory, error) {
	var all []Advisory
	if err := yaml.UnmarshalWithOptions(text, &all, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("read advisories: %w", err)
	}
	var faults []error
	for _, advisory := range all {
		faults = append(faults, advisory.check())
	}
	if err := errors.Join(faults...); err != nil {
		return nil, fmt.Errorf("read advisories: %w", err)
	}
	return all, nil
}

func (a Advisory) check() error {
	if a.ID == "" || a.Component == "" || a.Title == "" || a.Here == "" || len(a.Affected) == 0 {
		return fmt.Errorf("advisory %q lacks a field", a.ID)
	}
	for _, interval := range a.Affected {
		before, known := canonical(interval.Before)
		from, fromKnown := canonical(interval.From)
		if !known || interval.From != "" && (!fromKnown || semver.Compare(from, before) >= 0) {
			return fmt.Errorf("advisory %s: %q to %q is not an interval of versions", a.ID, interval.From, interval.Before)
		}
	}
	return nil
}

// affects says whether upstream's release of that version has the flaw. known is
// false for a version that cannot be read.
func (a Advisory) affects(version string) (affected, known bool) {
	number, known := canonical(version)
	if !known {
		return false, false
	}
	return slices.ContainsFunc(a.Affected, func(interval Interval) bool {
		from, bounded := canonical(interval.From)
		before, _ := canonical(interval.Before)
		return (!bounded || semver.Compare(number, from) >= 0) && semver.Compare(number, before) < 0
	}), true
}

// fixedIn lists the first versions without the flaw.
func (a Advisory) fixedIn() []string {
	fixed := make([]string, len(a.Affected))
	for index, interval := range a.Affected {
		fixed[index] = interval.Before
	}
	return fixed
}

// versionPattern finds the upstream part of what programs call themselves:
// "1.1.5+ds1", "1.0.0-rc95", "20.10.24+dfsg1", "6.18.44-fc-v445", "go1.26.8",
// "1.6.20~ds1-1+deb12u3".
var versionPattern = regexp.MustCompile(`^(?:go|v)?([0-9]+)\.([0-9]+)(?:\.([0-9]+))?(-rc\.?[0-9]+)?`)

// canonical turns a version into one that semver compares. Leading zeros, as in
// Docker's 19.03, are dropped.
func canonical(version string) (string, bool) {
	parts := versionPattern.FindStringSubmatch(version)
	if parts == nil {
		return "", false
	}
	number := func(text string) string {
		if text = strings.TrimLeft(text, "0"); text == "" {
			return "0"
		}
		return text
	}
	made := "v" + number(parts[1]) + "." + number(parts[2]) + "." + number(parts[3]) + parts[4]
	return made, semver.IsValid(made)
}

// packaged says whether a distribution has built this version, which then may have
// more fixes than its number tells.
func packaged(version string) bool {
	return regexp.MustCompile(`[+~]|-[0-9]*(ubuntu|deb|generic|amd64|arm64|el[0-9]|fc[0-9])`).MatchString(version)
}

// Finding is an advisory that a component of this host falls under.
type Finding struct {
	ID        string   `json:"id"`
	Component string   `json:"component"`
	Version   string   `json:"version"`
	Title     string   `json:"title"`
	FixedIn   []string `json:"fixed_in"`
	Here      string   `json:"here"`
	// Packaged says that the version is a distribution's, which may have backported
	// the fix.
	Packaged bool `json:"packaged"`
}

func findings(components []container.Component, advisories []Advisory) []Finding {
	found := []Finding{}
	for _, component := range components {
		for _, advisory := range advisories {
			if advisory.Component != component.Name {
				continue
			}
			if affected, _ := advisory.affects(component.Version); affected {
				found = append(found, Finding{
					ID: advisory.ID, Component: component.Name, Version: component.Version, Title: advisory.Title,
					FixedIn: advisory.fixedIn(), Here: advisory.Here, Packaged: packaged(component.Version),
				})
			}
		}
	}
	return found
}

// Covered returns the components of which advisories are kept.
func Covered() []string {
	return []string{"containerd", "crun", "docker", "go", "libseccomp", "linux", "runc"}
}
