package source

import "syscall"

// endsWithParent leaves no child that goes on reading when this process is killed.
func endsWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
