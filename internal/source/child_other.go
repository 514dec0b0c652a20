//go:build !linux

package source

import "syscall"

func endsWithParent() *syscall.SysProcAttr { return nil }
