//go:build linux

package docker

import (
	"path"
	"testing"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
)

func TestBehaviour(t *testing.T) {
	bothPlaces(t, func(t *testing.T, h harness) {
		containertest.Run(t, containertest.Harness{
			New: func(*testing.T) container.Engine { return h.Engine },
			Spec: func(*testing.T) container.Spec {
				spec := h.spec("")
				spec.Bundle = testBundle
				return spec
			},
			Bundle:    containertest.File{Path: path.Join(container.BundleDir, bundleManifest), Content: testManifest},
			Processes: containertest.HostProcesses,
			Kill:      containertest.HostKill,
			Leftovers: containertest.HostLeftovers,
		})
	})
}
