package main

import (
	"os"
	"syscall"
)

// ownEndings are endings that other systems do not have.
var ownEndings = []os.Signal{syscall.SIGSTKFLT}
