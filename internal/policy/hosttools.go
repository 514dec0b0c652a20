package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/goccy/go-yaml"

	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/strictyaml"
)

// HostTools are the tools that the administrator of a host has registered for callers who may
// bring none: in a file that only they can write, which is read with each use.
type HostTools struct {
	File string // a tools.yaml, which need not exist; "" for none
}

// toolsFile is tools.yaml.
type toolsFile struct {
	Version int        `yaml:"version"`
	Tools   []hostTool `yaml:"tools"`
}

// hostTool is a tool as a policy's registry has it, with the policies whose scripts may call it.
type hostTool struct {
	Name     string         `yaml:"name"`
	Command  []string       `yaml:"command"`
	Schema   map[string]any `yaml:"schema"`
	Policies []string       `yaml:"policies"`
}

// Of are those for one policy, which allows them. One that is registered for a policy which
// does not is a *SiteError.
func (h HostTools) Of(p Policy) ([]job.Tool, error) {
	file, err := h.read()
	if err != nil {
		return nil, err
	}
	var found Tools
	for _, one := range file.Tools {
		if !slices.Contains(one.Policies, p.Name) {
			continue
		}
		if err := one.fits(p.Tools); err != nil {
			return nil, &SiteError{h.File + ": " + one.Name, fmt.Errorf("policy %s: %w", p.Name, err)}
		}
		found.Registry = append(found.Registry, Tool{one.Name, one.Command, one.Schema})
	}
	programs, err := found.Programs()
	if err != nil {
		return nil, &SiteError{h.File, err}
	}
	return programs, nil
}

// Check reads the file, and refuses one that names a policy which is not among those known.
func (h HostTools) Check(known []string) error {
	file, err := h.read()
	if err != nil {
		return err
	}
	for _, one := range file.Tools {
		for _, name := range one.Policies {
			if !slices.Contains(known, name) {
				return &SiteError{h.File + ": " + one.Name, fmt.Errorf("there is no policy %q", name)}
			}
		}
	}
	return nil
}

func (t hostTool) fits(tools *Tools) error {
	switch {
	case tools == nil:
		return errors.New("it has no tools section: leave it out of the tool's policies, or choose another")
	case slices.ContainsFunc(tools.Registry, func(own Tool) bool { return own.Name == t.Name }):
		return errors.New("it brings a tool of this name: choose another name")
	case !slices.Contains(tools.Allowed, t.Name) && !slices.Contains(tools.Allowed, "*"):
		return errors.New("its tools.allowed does not have this tool")
	default:
		return nil
	}
}

func (h HostTools) read() (file toolsFile, err error) {
	if h.File == "" {
		return file, nil
	}
	data, _, err := durable.ReadTrusted(h.File, strictyaml.MaxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return file, nil
	}
	if err != nil {
		return file, &SiteError{h.File, err}
	}
	document, faults := strictyaml.Parse(data)
	if faults != nil {
		return file, &SiteError{h.File, errors.New(faults[0].String())}
	}
	if err := yaml.NodeToValue(document, &file, yaml.Strict()); err != nil {
		return file, &SiteError{h.File, errors.New(strictyaml.FaultOf(err).String())}
	}
	if file.Version != 1 {
		return file, &SiteError{h.File, errors.New("want version: 1, and tools: a list of name, command, schema and policies")}
	}
	for index, one := range file.Tools {
		if err := one.check(file.Tools[:index]); err != nil {
			return file, &SiteError{fmt.Sprintf("%s: tool %d", h.File, index+1), err}
		}
	}
	return file, nil
}

// check is what does not depend on a policy.
func (t hostTool) check(before []hostTool) error {
	same := func(other hostTool) bool { return other.Name == t.Name }
	switch {
	case t.Name == "":
		return errors.New("it has no name")
	case slices.ContainsFunc(before, same):
		return fmt.Errorf("there are two tools called %.64q: list the policies of both at one", t.Name)
	case len(t.Command) == 0 || !filepath.IsAbs(t.Command[0]):
		return errors.New("its command is a list, whose first element is an absolute path: no search path is used")
	case len(t.Policies) == 0:
		return errors.New("it names no policies whose scripts may call it")
	}
	if err := compileSchema(t.Schema); t.Schema != nil && err != nil {
		return fmt.Errorf("its schema is not a JSON Schema: %w", err)
	}
	return nil
}
