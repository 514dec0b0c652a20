//go:build !linux

package image

import (
	"context"
	"errors"

	"hotcell/internal/digest"
)

var errCannotBuild = errors.New("building needs Linux: elsewhere use images/python-analysis/Dockerfile, or build on a Linux machine")

func canBuild(string) error { return errCannotBuild }

func (s *Store) makeBase(context.Context, BuildOptions, digest.Hex, string, string) (base, error) {
	return base{}, errCannotBuild
}

func (s *Store) guardLayer(context.Context, BuildOptions, guardSources, string, base) (guardLayer, error) {
	return guardLayer{}, errCannotBuild
}
