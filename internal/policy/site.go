package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"hotcell/internal/durable"
	"hotcell/internal/strictyaml"
)

// Site is what the administrator of a host has tightened of policies: in a file, for
// everybody, and in the environment of a process, for what that process runs. Both are
// read with each policy. Neither can loosen anything, and what is not understood is
// refused by its name.
type Site struct {
	File    string   // a limits.yaml, which need not exist
	Environ []string // NAME=value; those that begin with LimitPrefix
}

// LimitPrefix begins the names of variables that tighten a policy: then comes the policy's
// name and the limit's, in capitals, with "_" for "-".
const LimitPrefix = "HOTCELL_LIMIT_"

// Limited reports whether an environment tightens anything.
func Limited(environ []string) bool {
	return slices.ContainsFunc(environ, func(one string) bool { return strings.HasPrefix(one, LimitPrefix) })
}

// SiteError is returned for a setting of the administrator's that cannot be followed. It
// is ErrInvalid.
type SiteError struct {
	Setting string // a variable, or a file and its key
	Err     error
}

// Error implements error.
func (e *SiteError) Error() string { return e.Setting + ": " + e.Err.Error() }

// Unwrap returns ErrInvalid and the cause.
func (e *SiteError) Unwrap() []error { return []error{ErrInvalid, e.Err} }

// setting is one value for one policy.
type setting struct{ name, policy, key, value string }

// tightened is a policy within the host's settings. known are the names of all policies:
// a setting for another one is misspelt.
func (s Site) tightened(p Policy, known []string) (Policy, error) {
	settings, err := s.settings(known)
	if err != nil {
		return Policy{}, err
	}
	own, faults := p.Clone(), []error{}
	for _, one := range settings {
		if one.policy != p.Name {
			continue
		}
		knob, ok := findKnob(one.key)
		if !ok { // settings has refused it
			return Policy{}, &SiteError{one.name, errors.New("there is no such limit")}
		}
		if err := knob.tighten(own, &p, one.value); err != nil {
			faults = append(faults, &SiteError{one.name, err})
		}
	}
	if err := errors.Join(faults...); err != nil {
		return Policy{}, err
	}
	return p, nil
}

func (s Site) settings(known []string) ([]setting, error) {
	ofFile, err := s.ofFile(known)
	if err != nil {
		return nil, err
	}
	ofEnvironment, err := s.ofEnvironment(known)
	return append(ofFile, ofEnvironment...), err
}

func (s Site) ofEnvironment(known []string) ([]setting, error) {
	var found []setting
	var faults []error
	for _, one := range s.Environ {
		name, value, _ := strings.Cut(one, "=")
		rest, ours := strings.CutPrefix(name, LimitPrefix)
		if !ours {
			continue
		}
		policy, key := splitLimit(rest, known)
		if policy == "" {
			faults = append(faults, &SiteError{name, fmt.Errorf("want %s, a policy's name and a limit's in capitals, for example %sSTUDY_ANALYSIS_WALL_CLOCK; limits are %s", LimitPrefix, LimitPrefix, knobKeys())})
			continue
		}
		found = append(found, setting{name, policy, key, value})
	}
	return found, errors.Join(faults...)
}

// splitLimit finds the policy and the limit that a variable's name ends in.
func splitLimit(rest string, known []string) (policy, key string) {
	for _, name := range known {
		prefix := strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + "_"
		if limit, ok := strings.CutPrefix(rest, prefix); ok {
			if knob, ok := findKnob(strings.ToLower(limit)); ok && strings.ToUpper(knob.key) == limit {
				return name, knob.key
			}
		}
	}
	return "", ""
}

// limitsFile is limits.yaml: for each policy its limits, as policies write them.
type limitsFile struct {
	Version  int                       `yaml:"version"`
	Policies map[string]map[string]any `yaml:"policies"`
}

func (s Site) ofFile(known []string) ([]setting, error) {
	data, err := s.readFile()
	if err != nil || data == nil {
		return nil, err
	}
	document, faults := strictyaml.Parse(data)
	if faults != nil {
		return nil, &SiteError{s.File, errors.New(faults[0].String())}
	}
	var file limitsFile
	if err := yaml.NodeToValue(document, &file, yaml.Strict()); err != nil {
		return nil, &SiteError{s.File, errors.New(strictyaml.FaultOf(err).String())}
	}
	if file.Version != 1 || file.Policies == nil {
		return nil, &SiteError{s.File, errors.New("want version: 1, and below policies: the limits of each")}
	}
	var found []setting
	for _, policy := range slices.Sorted(maps.Keys(file.Policies)) {
		if !slices.Contains(known, policy) {
			return nil, &SiteError{s.File + ": " + policy, fmt.Errorf("there is no such policy: known are %s", strings.Join(known, ", "))}
		}
		for _, key := range slices.Sorted(maps.Keys(file.Policies[policy])) {
			one := setting{name: s.File + ": " + policy + "." + key, policy: policy, key: key}
			if _, ok := findKnob(key); !ok {
				return nil, &SiteError{one.name, fmt.Errorf("there is no such limit: known are %s", knobKeys())}
			}
			switch value := file.Policies[policy][key].(type) {
			case string:
				one.value = value
			case uint64, int64, int:
				one.value = fmt.Sprint(value)
			default:
				return nil, &SiteError{one.name, errors.New("want a text or a whole number")}
			}
			found = append(found, one)
		}
	}
	return found, nil
}

// readFile returns nil where there is no file. Whoever could write it could not loosen
// anything, but keep everybody from running: it is held to what policies are held to.
func (s Site) readFile() ([]byte, error) {
	if s.File == "" {
		return nil, nil
	}
	data, _, err := durable.ReadTrusted(s.File, strictyaml.MaxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &SiteError{s.File, err}
	}
	return data, nil
}
