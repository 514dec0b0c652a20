package security_test

import (
	"os"
	"testing"

	"hotcell/internal/container"
)

// target is an engine under attack.
type target struct {
	name string
	// open returns the engine, and a Spec with the shipped seccomp profile and
	// limits that leave Python room. The driver sets Command.
	open func(t *testing.T) (container.Engine, container.Spec)
}

// targets returns every engine that this host should have.
func targets() []target {
	return nil
}

// rootfsVariable names a root file system with a Python at /usr/bin/python3.
const rootfsVariable = "HOTCELL_TEST_ROOTFS"

func testRootfs(t *testing.T) string {
	t.Helper()
	dir := os.Getenv(rootfsVariable)
	if dir == "" {
		lacking(t, "set "+rootfsVariable+" to a root file system with Python")
	}
	return dir
}
