package seccomp

import "strings"

// userSuffix marks the second stage of a profile in its name and its file's.
const userSuffix = ".user"

// UserCode returns the name of the profile that holds while user code runs, put
// over the named one by the guard. Every profile that a policy names has one.
func UserCode(name string) string { return name + userSuffix }

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
