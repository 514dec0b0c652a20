//go:build !linux

package main

import (
	"context"
	"errors"
	"time"

	"hotcell/internal/container"
	"hotcell/internal/doctor"
)

// ociEngine needs Linux's namespaces and cgroups.
func (a *app) ociEngine(string, time.Duration) (container.Engine, error) {
	return nil, errors.New("the oci engine needs Linux: use --engine docker")
}

// placeSettings has nothing to name: control groups are Linux's.
func placeSettings(context.Context) []doctor.Setting { return nil }
