//go:build !linux

package image

import "context"

func canBuild(string) error { return ErrCannotBuild }

func (s *Store) makeBase(context.Context, BuildOptions, string, string, string) (base, error) {
	return base{}, ErrCannotBuild
}

func (s *Store) guardLayer(context.Context, BuildOptions, guardSources, string, base) (guardLayer, error) {
	return guardLayer{}, ErrCannotBuild
}
