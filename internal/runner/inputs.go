package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"hotcell/internal/strictjson"
	"hotcell/internal/wire"
)

// inputDepth is far above what a script asks for, and far below where Python's
// reader gives up.
const inputDepth = 128

// checkInputs refuses inputs that the policy does not take, or that two readers
// could take for different values. Their size is for refuse.
func (e *execution) checkInputs() error {
	inputs, takes := e.request.Inputs, e.terms.Policy.Guard.Inputs
	if inputs == nil {
		return nil
	}
	if takes != wire.InputsData && takes != wire.InputsContext && takes != wire.InputsNames {
		return input(fmt.Errorf("policy %s takes no inputs: run without --inputs, or choose a policy whose guard.inputs is data, context or names", e.terms.Policy.Name))
	}
	if int64(len(inputs)) > e.terms.InputBytes {
		return nil
	}
	if err := strictjson.CheckValue(inputs, inputDepth); err != nil {
		return input(fmt.Errorf("inputs: %w", err))
	}
	if !strictjson.IsObject(inputs) {
		return input(errors.New(`inputs must be a JSON object, such as {"year": 2020}`))
	}
	if takes == wire.InputsContext {
		return input(checkContext(strictjson.Members(inputs)))
	}
	return nil
}

// sections are the parts of a script's context; each of them is an object.
var sections = []string{"inputs", "steps", "config", "workflow"}

func checkContext(given map[string]json.RawMessage) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(sections, name) {
			return fmt.Errorf("inputs have the key %.40q: the policy's context has %s only", name, strings.Join(sections, ", "))
		}
		if !strictjson.IsObject(given[name]) {
			return fmt.Errorf("%s of the inputs must be a JSON object", name)
		}
	}
	return nil
}

// checkBound refuses inputs and tools whose names the script cannot have as variables of
// their own, where the policy binds each by its name. tables are the bundle's.
func (e *execution) checkBound(tables []string) error {
	guard := e.terms.Policy.Guard
	if guard.Inputs != wire.InputsNames {
		return nil
	}
	taken := map[string]string{}
	for name := range guard.Preloaded {
		taken[name] = "what the policy preloads"
	}
	for _, name := range tables {
		taken[name] = "a table"
	}
	var faults []error
	for _, name := range e.tools.Names() {
		faults = append(faults, bind(taken, "tool", name))
	}
	if int64(len(e.request.Inputs)) <= e.terms.InputBytes {
		for _, name := range slices.Sorted(maps.Keys(strictjson.Members(e.request.Inputs))) {
			faults = append(faults, bind(taken, "input", name))
		}
	}
	return input(errors.Join(faults...))
}

// variablePattern is what a script's variable may be called by a request.
var variablePattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,63}$`)

func bind(taken map[string]string, what, name string) error {
	switch {
	case !variablePattern.MatchString(name) || wire.IsReserved(name):
		return fmt.Errorf("%s %.64q: it becomes a variable of the script, so its name must be of letters, digits and underscores, begin with a letter, and be no word of Python's or of every run's", what, name)
	case taken[name] != "":
		return fmt.Errorf("%s %q has the name of %s: choose another name", what, name, taken[name])
	}
	taken[name] = "another " + what
	return nil
}
