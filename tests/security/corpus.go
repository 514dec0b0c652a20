// Package security is the corpus of attacks: programs that try to get out of a
// sandbox, and scripts that try to get past the guard. Its tests run the first on
// every engine with the guard off, and show that each works where nothing holds
// it; `runner selftest` runs them as a user's runs.
package security

import (
	"embed"
	"fmt"
	"io/fs"

	"hotcell/internal/selftest"
)

//go:embed container/*.py
var container embed.FS

// Corpus returns the containment probes, in the order of their names.
func Corpus() ([]selftest.Probe, error) {
	files, err := fs.Sub(container, "container")
	if err != nil {
		return nil, fmt.Errorf("open containment probes: %w", err)
	}
	return selftest.LoadProbes(files)
}
