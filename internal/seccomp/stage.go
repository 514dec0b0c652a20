package seccomp

import "strings"

// What marks the second stage of a profile, and what its templates have, in its name and
// its file's.
const (
	userSuffix     = ".user"
	templateSuffix = ".template"
)

// UserCode returns the name of the profile that holds while user code runs, put
// over the named one by the guard. Every profile that a policy names has one.
func UserCode(name string) string { return name + userSuffix }

// Template returns the name of the profile of the processes that sandboxes are forked
// from. Whatever the named one allows it allows too: what is forked loads that one over it.
func Template(name string) string { return name + templateSuffix }

// Stage returns 1 for a profile that a runtime loads and 2 for one that the guard
// loads.
func (p *Profile) Stage() int {
	if strings.HasSuffix(p.name, userSuffix) {
		return 2
	}
	return 1
}

// Default returns what becomes of a call that no rule names.
func (p *Profile) Default() Decision { return p.fallback }
