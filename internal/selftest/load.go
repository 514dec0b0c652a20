package selftest

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"hotcell/attacks"
)

// Attacks are what a self-test tries: the container by probes, the guard by attempts.
type Attacks struct {
	Probes   []Probe   // by name
	Attempts []Attempt // by class and name
}

// BuiltIn returns the attacks that the binary carries.
func BuiltIn() (Attacks, error) {
	probes, err := fs.Sub(attacks.Files, "probes")
	if err != nil {
		return Attacks{}, fmt.Errorf("open built-in probes: %w", err)
	}
	attempts, err := fs.Sub(attacks.Files, "attempts")
	if err != nil {
		return Attacks{}, fmt.Errorf("open built-in attempts: %w", err)
	}
	var all Attacks
	if all.Probes, err = LoadProbes(probes); err != nil {
		return Attacks{}, err
	}
	all.Attempts, err = LoadAttempts(attempts)
	return all, err
}

// kind is one kind of attack, as files.
type kind[A any] struct {
	name    string
	pattern string // of its files' paths
	parse   func(file, text string) (A, error)
	// distinct is what no two of the kind have in common.
	distinct func(A) string
}

// load reads every file of the kind in fsys, in the order of their paths. All faults
// are reported at once, each with its file.
func (k kind[A]) load(fsys fs.FS) ([]A, error) {
	files, err := fs.Glob(fsys, k.pattern)
	if err != nil {
		return nil, fmt.Errorf("list %ss: %w", k.name, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("load %ss: there is no .py file", k.name)
	}
	var all []A
	var faults []error
	first := map[string]string{}
	for _, file := range files {
		one, err := k.read(fsys, file)
		if err == nil && first[k.distinct(one)] != "" {
			err = fmt.Errorf("%s:1: its %s is that of %s", file, k.distinct(one), first[k.distinct(one)])
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("load %s: %w", k.name, err))
			continue
		}
		first[k.distinct(one)] = file
		all = append(all, one)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return all, nil
}

// maxAttack bounds an attack's file, in bytes.
const maxAttack = 64 << 10

var attackName = regexp.MustCompile(`^[a-z][a-z0-9_]*\.py$`)

func (k kind[A]) read(fsys fs.FS, file string) (none A, err error) {
	if !attackName.MatchString(path.Base(file)) {
		return none, fmt.Errorf("%s: its name must have lower-case letters, digits and underscores only", file)
	}
	info, err := fs.Stat(fsys, file)
	if err != nil {
		return none, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxAttack {
		return none, fmt.Errorf("%s: is not a regular file of at most %d bytes", file, maxAttack)
	}
	text, err := fs.ReadFile(fsys, file)
	if err != nil {
		return none, err
	}
	return k.parse(file, string(text))
}

// nameOf is an attack's: that of its file.
func nameOf(file string) string { return strings.TrimSuffix(path.Base(file), ".py") }
