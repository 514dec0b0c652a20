package security

import (
	"embed"
	"fmt"
	"io/fs"

	"hotcell/internal/selftest"
)

//go:embed guard/attempts/*/*.py
var guard embed.FS

// Attempts returns the scripts that try to get past the guard, by class and name.
func Attempts() ([]selftest.Attempt, error) {
	files, err := fs.Sub(guard, "guard/attempts")
	if err != nil {
		return nil, fmt.Errorf("open attempts on the guard: %w", err)
	}
	return selftest.LoadAttempts(files)
}
