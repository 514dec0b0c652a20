package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	if takes != wire.InputsData && takes != wire.InputsContext {
		return input(fmt.Errorf("policy %s takes no inputs: run without --inputs, or choose a policy whose guard.inputs is data or context", e.terms.Policy.Name))
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
