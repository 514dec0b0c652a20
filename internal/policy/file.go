package policy

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"hotcell/internal/durable"
	"hotcell/internal/strictyaml"
)

// ErrNotAFile is wrapped by LoadFile for a path that is no policy's file.
var ErrNotAFile = errors.New("not a policy file")

// LoadFile reads a policy from a path, to look at it: its file must be called
// NAME.yaml. Runs take their policies from a Catalog only, which also asks who
// could have written them.
func LoadFile(path string) (Entry, error) {
	name, found := strings.CutSuffix(filepath.Base(path), ".yaml")
	if !found {
		return Entry{}, fmt.Errorf("%w: %s does not end in .yaml", ErrNotAFile, path)
	}
	file, err := durable.Open(path)
	if err != nil {
		return Entry{}, fmt.Errorf("%w: %w", ErrNotAFile, err)
	}
	defer file.Close()
	source, err := io.ReadAll(io.LimitReader(file, strictyaml.MaxBytes+1)) // load refuses the byte too many
	if err != nil {
		return Entry{}, fmt.Errorf("%w: %w", ErrNotAFile, err)
	}
	policy, err := load(name, source)
	return Entry{Policy: policy, Origin: path, Source: source}, err
}
