package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"hotcell/policies"
)

// ImportProfile is a named set of imports, a file of policies/imports.
type ImportProfile struct {
	Description string   `yaml:"description"`
	Includes    []string `yaml:"includes"` // other profiles, joined with Imports
	Imports     []string `yaml:"imports"`

	source []byte
}

// importProfile reads one profile of the binary's.
func importProfile(name string) (ImportProfile, error) {
	var profile ImportProfile
	data, err := policies.Files.ReadFile("imports/" + name + ".yaml")
	if err == nil {
		err = yaml.UnmarshalWithOptions(data, &profile, yaml.Strict(), yaml.DisallowUnknownField())
	}
	if err != nil {
		return ImportProfile{}, fmt.Errorf("read import profile %s: %w", name, err)
	}
	profile.source = data
	return profile, nil
}

// importProfiles reads profiles and what they include, by name.
func importProfiles(names []string) (map[string]ImportProfile, error) {
	found := map[string]ImportProfile{}
	for pending := slices.Clone(names); len(pending) > 0; pending = pending[1:] {
		if _, known := found[pending[0]]; known {
			continue
		}
		profile, err := importProfile(pending[0])
		if err != nil {
			return nil, err
		}
		found[pending[0]] = profile
		pending = append(pending, profile.Includes...)
	}
	return found, nil
}

// joinImports returns what a policy's profiles and its own list allow together,
// sorted, each name once.
func joinImports(profiles map[string]ImportProfile, own []string) []string {
	all := slices.Clone(own)
	for _, profile := range profiles {
		all = append(all, profile.Imports...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// importFloor is what no policy can allow: a copy of the guard's own tables. Each
// list holds modules with all below them, but Exceptions, which holds themselves.
type importFloor struct {
	Denied           []string `yaml:"denied"`            // first parts of dotted names
	DeniedSubmodules []string `yaml:"denied_submodules"` // of packages that are not denied
	Exceptions       []string `yaml:"exceptions"`
}

var loadedFloor = sync.OnceValues(func() (importFloor, error) {
	var floor importFloor
	data, err := policies.Files.ReadFile("imports/floor.yaml")
	if err == nil {
		err = yaml.UnmarshalWithOptions(data, &floor, yaml.Strict(), yaml.DisallowUnknownField())
	}
	if err == nil && (len(floor.Denied) == 0 || len(floor.DeniedSubmodules) == 0) {
		err = errors.New("it denies nothing")
	}
	if err != nil {
		return importFloor{}, fmt.Errorf("read the floor of imports: %w", err)
	}
	return floor, nil
})

// denies reports whether the guard would refuse a module whatever a policy says.
func (f importFloor) denies(module string) bool {
	if slices.Contains(f.Exceptions, module) {
		return false
	}
	first, _, _ := strings.Cut(module, ".")
	return slices.Contains(f.Denied, first) || slices.ContainsFunc(f.DeniedSubmodules, func(denied string) bool {
		return module == denied || strings.HasPrefix(module, denied+".")
	})
}
