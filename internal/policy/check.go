package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"hotcell/internal/strictyaml"
	"hotcell/internal/wire"
)

// checker finds what the schema cannot say: what contradicts itself, and what the
// guard or the protocol would refuse.
type checker struct {
	policy   Policy
	document ast.Node
	floor    importFloor
	known    knownNames
	faults   []Fault
}

func (c *checker) add(at strictyaml.Place, format string, args ...any) {
	message := fmt.Sprintf("%s: %s", at, fmt.Sprintf(format, args...))
	c.faults = append(c.faults, Fault{Line: strictyaml.LineOf(c.document, at), Message: message})
}

func (c *checker) run() []Fault {
	c.sizes()
	c.modules()
	c.names()
	c.denied()
	c.tools()
	c.session()
	return c.faults
}

func (c *checker) sizes() {
	c.atMost(strictyaml.Place{"limits", "report"}, c.policy.Limits.Report, wire.MaxReport)
	c.atMost(strictyaml.Place{"limits", "inputs"}, c.policy.Limits.Inputs, wire.MaxInputs)
	if tools := c.policy.Tools; tools != nil {
		c.atMost(strictyaml.Place{"tools", "params"}, tools.Params, wire.MaxCall)
		c.atMost(strictyaml.Place{"tools", "answer"}, tools.Answer, wire.MaxReply)
	}
}

func (c *checker) atMost(at strictyaml.Place, size, most Size) {
	if size > most {
		c.add(at, "%s is above %s, the most that host and guard can exchange", size, most)
	}
}

// modules refuses what the guard would leave out in silence: its floor. A policy
// that seems to allow a module must not be one that does not.
func (c *checker) modules() {
	guard := c.policy.Guard
	for index, module := range guard.Imports {
		c.module(strictyaml.Place{"guard", "imports", strconv.Itoa(index)}, module)
	}
	for _, name := range slices.Sorted(maps.Keys(guard.Preloaded)) {
		module, _, _ := strings.Cut(guard.Preloaded[name], ":")
		c.module(strictyaml.Place{"guard", "preloaded", name}, module)
	}
}

func (c *checker) module(at strictyaml.Place, module string) {
	if c.floor.denies(module) {
		c.add(at, "%s is below the guard's floor, which no policy can lower: leave it out", module)
	}
}

// names refuses what no variable of a script can be called, and two variables of one name.
func (c *checker) names() {
	guard := c.policy.Guard
	for _, name := range slices.Sorted(maps.Keys(guard.Preloaded)) {
		at := strictyaml.Place{"guard", "preloaded", name}
		c.variable(at, name)
		if slices.Contains(guard.RequiredTables, name) {
			c.add(at, "a required table has the same name")
		}
	}
	for index, name := range guard.RequiredTables {
		c.variable(strictyaml.Place{"guard", "required_tables", strconv.Itoa(index)}, name)
	}
}

func (c *checker) variable(at strictyaml.Place, name string) {
	if wire.IsReserved(name) {
		c.add(at, "%s is a word of Python or of every run: choose another name", name)
	}
}

// denied refuses names whose denial does nothing: misspelt ones above all.
func (c *checker) denied() {
	guard := c.policy.Guard
	for key, names := range map[string][]string{"denied_builtins": guard.DeniedBuiltins, "denied_attributes": guard.DeniedAttributes} {
		fault := c.known.builtinFault
		if key == "denied_attributes" {
			fault = c.known.attributeFault
		}
		for index, name := range names {
			if len(c.faults) > strictyaml.MaxFaults {
				return
			}
			if words := fault(name); words != "" {
				c.add(strictyaml.Place{"guard", key, strconv.Itoa(index)}, "%s", words)
			}
		}
	}
}

func (c *checker) tools() {
	tools := c.policy.Tools
	if tools == nil {
		return
	}
	if inputs := c.policy.Guard.Inputs; inputs != wire.InputsContext && inputs != wire.InputsNames {
		c.add(strictyaml.Place{"tools"}, "tools are called through context, or by their names: set guard.inputs to context or to names")
	}
	names := map[string]bool{}
	for index, tool := range tools.Registry {
		at := strictyaml.Place{"tools", "registry", strconv.Itoa(index)}
		if names[tool.Name] {
			c.add(at, "there are two tools called %s", tool.Name)
		}
		names[tool.Name] = true
		c.registered(at, tool)
	}
}

func (c *checker) registered(at strictyaml.Place, tool Tool) {
	if !slices.Contains(c.policy.Tools.Allowed, tool.Name) {
		c.add(at, "%s is not in tools.allowed, so nobody could call it", tool.Name)
	}
	if len(tool.Command) > 0 && tool.Command[0][0] != '/' {
		c.add(append(at, "command"), "%s is not an absolute path: no search path is used", tool.Command[0])
	}
	if err := compileSchema(tool.Schema); err != nil {
		c.add(append(at, "schema"), "it is not a JSON Schema: %s", err)
	}
}

// compileSchema goes through JSON, as the schema does when parameters are checked.
func compileSchema(schema map[string]any) error {
	text, err := json.Marshal(schema)
	if err != nil {
		return err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(jsonschema.SchemeURLLoader{}) // a schema must not make the host read files or URLs
	if err := compiler.AddResource("parameters.json", document); err != nil {
		return err
	}
	_, err = compiler.Compile("parameters.json")
	return err
}

func (c *checker) session() {
	session := c.policy.Session
	if session == nil {
		return
	}
	if session.Idle > session.WallClock {
		c.add(strictyaml.Place{"session", "idle"}, "%s is longer than the whole session, session.wall_clock of %s", session.Idle, session.WallClock)
	}
	if one := c.policy.Limits.CPUTime; session.CPUTime != 0 && session.CPUTime < one {
		c.add(strictyaml.Place{"session", "cpu_time"}, "%s for all scripts together is less than one run may have, limits.cpu_time of %s", session.CPUTime, one)
	}
}
