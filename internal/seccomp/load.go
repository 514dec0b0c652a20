package seccomp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"hotcell/internal/strictjson"
)

// maxFile bounds a profile's size in bytes. A filter of BPF's greatest length,
// 4096 instructions, comes from a file of a quarter of it.
const maxFile = 1 << 20

// document is the file's form.
type document struct {
	Version       int        `json:"version"`
	Name          string     `json:"name"`
	Description   string     `json:"description"`
	DefaultAction Action     `json:"default_action"`
	DefaultErrno  Errno      `json:"default_errno,omitzero"`
	Architectures []Arch     `json:"architectures"`
	Syscalls      []fileRule `json:"syscalls"`
}

type fileRule struct {
	Names         []string  `json:"names"`
	Action        Action    `json:"action"`
	Errno         Errno     `json:"errno,omitzero"`
	Args          []fileArg `json:"args,omitzero"`
	Architectures []Arch    `json:"architectures,omitzero"`
	Reason        string    `json:"reason"`
}

type fileArg struct {
	Index int    `json:"index"`
	Mask  string `json:"mask,omitzero"`
	Value string `json:"value"`
}

// Load reads the profile called name from a file's bytes. It reports every fault
// at once, each with its place in the file. On error there is no profile: a
// caller must not go on without one.
func Load(name string, data []byte) (*Profile, error) {
	profile, err := load(name, data)
	if err != nil {
		return nil, fmt.Errorf("load seccomp profile %q: %w", name, err)
	}
	return profile, nil
}

func load(name string, data []byte) (*Profile, error) {
	var doc document
	if err := strictjson.DecodeAll(data, maxFile, &doc); err != nil {
		return nil, err
	}
	if err := refuseNull(data); err != nil {
		return nil, err
	}
	check := checker{doc: doc, seen: map[string]seenCall{}}
	check.header(name)
	for i, rule := range doc.Syscalls {
		check.rule("syscalls["+strconv.Itoa(i)+"]", rule)
	}
	if len(check.faults) > 0 {
		return nil, withLines(data, check.faults)
	}
	return build(doc), nil
}

// refuseNull finds null, which decoding takes for an absent name: "args": null
// would make a rule hold always.
func refuseNull(data []byte) error {
	decoder := strictjson.NewDecoder(bytes.NewReader(data))
	for {
		token, err := decoder.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read JSON: %w", err)
		}
		if token.Kind() == 'n' {
			return fmt.Errorf("line %d, %s: is null: leave the name out or give a value",
				lineOf(data, decoder.InputOffset()), decoder.StackPointer())
		}
	}
}

// build makes the profile of a document without faults.
func build(doc document) *Profile {
	profile := &Profile{
		name:        doc.Name,
		description: doc.Description,
		fallback:    Decision{Action: doc.DefaultAction, Errno: doc.DefaultErrno, Reason: "no rule allows it"},
		archs:       doc.Architectures,
	}
	for _, given := range doc.Syscalls {
		rule := Rule{
			Names: given.Names, Action: given.Action, Errno: given.Errno,
			Architectures: given.Architectures, Reason: given.Reason,
		}
		for _, arg := range given.Args {
			rule.Conditions = append(rule.Conditions, arg.condition())
		}
		profile.rules = append(profile.rules, rule)
	}
	profile.index()
	return profile
}

// condition is for an argument that has been checked.
func (a fileArg) condition() Condition {
	condition := Condition{Index: uint(a.Index), Mask: allBits}
	condition.Value, _ = parseWord(a.Value)
	if a.Mask != "" {
		condition.Mask, _ = parseWord(a.Mask)
	}
	return condition
}

// parseWord reads 64 bits in the one form that hex writes.
func parseWord(text string) (uint64, error) {
	value, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 64)
	if err != nil || hex(value) != text {
		return 0, fmt.Errorf("%q is not a number like \"0x1f\"", text)
	}
	return value, nil
}
