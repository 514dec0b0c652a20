//go:build !linux

package main

import (
	"errors"

	"hotcell/internal/container"
)

// ociEngine needs Linux's namespaces and cgroups.
func (a *app) ociEngine(string) (container.Engine, error) {
	return nil, errors.New("the oci engine needs Linux: use --engine docker")
}
