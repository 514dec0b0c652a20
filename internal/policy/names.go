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

// knownNames are the names that a policy can deny to any effect, and those that the
// guard refuses whatever a policy says. Copies of the guard's tables and of what the
// image has, held equal by tests: a misspelt name would deny nothing, in silence.
type knownNames struct {
	Builtins        []string `yaml:"builtins"`         // that a script has
	FloorBuiltins   []string `yaml:"floor_builtins"`   // that no script has
	FloorAttributes []string `yaml:"floor_attributes"` // that no script can read
	// Attributes are the public names of modules, classes and objects of the image's
	// packages, sorted: names/attributes.txt.
	Attributes []string `yaml:"-"`
}

var loadedNames = sync.OnceValues(func() (knownNames, error) {
	var names knownNames
	data, err := policies.Files.ReadFile("names/names.yaml")
	if err == nil {
		err = yaml.UnmarshalWithOptions(data, &names, yaml.Strict(), yaml.DisallowUnknownField())
	}
	attributes, attributesErr := policies.Files.ReadFile("names/attributes.txt")
	names.Attributes = strings.Fields(string(attributes))
	err = errors.Join(err, attributesErr)
	if err == nil && (len(names.Builtins) == 0 || len(names.FloorBuiltins) == 0 || len(names.FloorAttributes) == 0 || len(names.Attributes) == 0) {
		err = errors.New("it has none")
	}
	if err != nil {
		return knownNames{}, fmt.Errorf("read the names that a policy can deny: %w", err)
	}
	return names, nil
})

// builtinFault says why denying a builtin would do nothing, or "".
func (k knownNames) builtinFault(name string) string {
	switch {
	case slices.Contains(k.FloorBuiltins, name):
		return floorHasIt(name)
	case slices.Contains(k.Builtins, name):
		return ""
	}
	return fmt.Sprintf("%s is no builtin that a script has%s", name, suggestion(name, k.Builtins))
}

// attributeFault is builtinFault for attributes.
func (k knownNames) attributeFault(name string) string {
	if strings.HasPrefix(name, "_") {
		return fmt.Sprintf("%s is private or special, which the guard decides by the object: leave it out", name)
	}
	if slices.Contains(k.FloorAttributes, name) || slices.Contains(k.FloorAttributes, strings.Trim(name, "_")) {
		return floorHasIt(name)
	}
	if _, known := slices.BinarySearch(k.Attributes, name); known {
		return ""
	}
	return fmt.Sprintf("%s is no attribute of anything in the image's packages%s", name, suggestion(name, k.Attributes))
}

func floorHasIt(name string) string {
	return fmt.Sprintf("%s is below the guard's floor, which refuses it already: leave it out", name)
}

// suggestion names the nearest known name, if one is near.
func suggestion(name string, known []string) string {
	const far = 3
	best, least := "", far
	for _, candidate := range known {
		if abs(len(candidate)-len(name)) >= least {
			continue
		}
		if steps := distance(strings.ToLower(name), strings.ToLower(candidate)); steps < least {
			best, least = candidate, steps
		}
	}
	if best == "" {
		return ": it would deny nothing"
	}
	return ": is " + best + " meant?"
}

func abs(n int) int { return max(n, -n) }

// distance is Levenshtein's.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for i := range row {
		row[i] = i
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substituted := diagonal
			if a[i] != b[j] {
				substituted++
			}
			diagonal = row[j+1]
			row[j+1] = min(substituted, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
