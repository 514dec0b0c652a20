//go:build !linux

package image

import (
	"context"

	"hotcell/internal/digest"
)

func canBuild(string) error { return errCannotBuild }

func (s *Store) makeBase(context.Context, BuildOptions, digest.Hex, string, string) (base, error) {
	return base{}, errCannotBuild
}

func (s *Store) guardLayer(context.Context, BuildOptions, guardSources, string, base) (guardLayer, error) {
	return guardLayer{}, errCannotBuild
}
