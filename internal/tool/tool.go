// Package tool is the programs of the host that a script may call by name.
//
// It decides which tools a script has, whether a call is carried out, and what of a
// tool's answer goes back. It does not decide how calls travel (internal/wire) or
// what a run that calls too often becomes (internal/runner, its caller). Make a Set
// for a request, and Calls for each script.
//
// A tool runs outside the sandbox with the runner's own rights, so that it is
// trusted, and what a script passes to it is hostile: parameters go to its standard
// input as JSON and nowhere else, never to an argument, an environment variable or
// a shell.
package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// Options says which tools there are and what bounds them.
type Options struct {
	Registry []job.Tool // the policy's own
	Brought  []job.Tool // the caller's
	// Allowed names the tools that may be called; Everyone allows all of Brought.
	Allowed []string
	// MaxCalls of one script, refused ones included.
	MaxCalls int64
	Timeout  time.Duration // of one call
	// ParamsBytes and AnswerBytes bound the JSON of one call.
	ParamsBytes, AnswerBytes int64
	// Stderr gets what tools print there, cut after 64 KiB of each call; nil for
	// nobody. It is never shown to the script.
	Stderr io.Writer
}

// Everyone in Options.Allowed stands for every tool that the caller brings.
const Everyone = "*"

// Set is the tools of one request. It may be used concurrently.
type Set struct {
	options Options
	tools   map[string]*entry
}

// entry is one tool that may be called.
type entry struct {
	job.Tool
	checker *checker // nil: any object will do
}

// namePattern takes the names that MCP servers and workflow engines give, which need not be identifiers.
var namePattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.:/-]{0,63}$`)

// New checks every tool and reports all faults at once.
func New(options Options) (*Set, error) {
	set := &Set{options: options, tools: map[string]*entry{}}
	var faults []error
	for _, each := range options.Registry {
		if slices.Contains(options.Allowed, each.Name) {
			faults = append(faults, set.add(each, "the policy"))
		}
	}
	for _, each := range options.Brought {
		faults = append(faults, set.bring(each))
	}
	if len(set.tools) > 0 && (options.Timeout <= 0 || options.ParamsBytes <= 0 || options.AnswerBytes <= 0 || options.MaxCalls <= 0) {
		faults = append(faults, errors.New("tools need limits on calls, time, parameters and answers"))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return set, nil
}

// bring adds a tool of the caller's, which never stands in for one of the policy's.
func (s *Set) bring(brought job.Tool) error {
	switch {
	case slices.ContainsFunc(s.options.Registry, func(own job.Tool) bool { return own.Name == brought.Name }):
		return fmt.Errorf("tool %s: the policy brings a tool of this name: choose another name", brought.Name)
	case !slices.Contains(s.options.Allowed, brought.Name) && !slices.Contains(s.options.Allowed, Everyone):
		return fmt.Errorf("tool %.64q is not allowed by the policy: it allows %s", brought.Name, orNone(s.options.Allowed))
	default:
		return s.add(brought, "the request")
	}
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (s *Set) add(added job.Tool, from string) error {
	if !namePattern.MatchString(added.Name) {
		return fmt.Errorf("tool %.64q: the name must have at most 64 ASCII letters, digits and characters of _ - . : /, and begin with a letter or _", added.Name)
	}
	if s.tools[added.Name] != nil {
		return fmt.Errorf("tool %s: %s brings it twice", added.Name, from)
	}
	checker, err := compileSchema(added.Schema)
	if err == nil {
		err = checkCommand(added.Command)
	}
	if err != nil {
		return fmt.Errorf("tool %s: %w", added.Name, err)
	}
	added.Command = slices.Clone(added.Command)
	s.tools[added.Name] = &entry{Tool: added, checker: checker}
	return nil
}

// FrameOverhead is what the frame of a call, or of its answer, holds beside the
// payload, in bytes: an id, and a name or a message, which this package bounds.
const FrameOverhead = 4 << 10

// Frames bounds the frames in which calls and their answers travel, in bytes. A script
// without tools may still call: for the answer that there is no such tool.
func (s *Set) Frames() (call, answer int64) {
	return s.options.ParamsBytes + FrameOverhead, s.options.AnswerBytes + FrameOverhead
}

// Names lists the tools that may be called, sorted.
func (s *Set) Names() []string {
	names := make([]string, 0, len(s.tools))
	for name := range s.tools {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Parameters says, for each tool that has a schema, what a script may give it by place:
// the names that its schema requires, in the schema's order.
func (s *Set) Parameters() map[string][]string {
	parameters := map[string][]string{}
	for name, one := range s.tools {
		if one.Schema != nil {
			parameters[name] = required(one.Schema)
		}
	}
	return parameters
}

// required is never nil. A schema that says nothing of it, or not in this form, requires
// nothing: it has been compiled, and its words are the host's.
func required(schema json.RawMessage) []string {
	names := []string{}
	if given, ok := strictjson.Members(schema)["required"]; ok && strictjson.Decode(given, len(given), &names) != nil {
		return []string{}
	}
	return names
}

// Begin starts the count of one script's calls. Each call gets an empty directory
// below dir, which is removed with it.
func (s *Set) Begin(dir string) *Calls { return &Calls{set: s, dir: dir} }

// null is the result of a call that failed.
var null = json.RawMessage("null")
