//go:build !linux

package main

import (
	"os"
	"syscall"
)

// ownEndings are endings that Linux does not have.
var ownEndings = []os.Signal{syscall.SIGEMT}
