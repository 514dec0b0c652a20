//go:build !linux

package docker

import "errors"

func limitOpenFiles(int, string, int64) error {
	return errors.New("here, Podman runs in a virtual machine, whose processes cannot be checked: use Docker")
}

func (s *sandbox) watch(daemon daemon) {
	s.fittings.watchedBy(newStats(s.engine.api, daemon))
}

func limitsSwap() bool { return false }
