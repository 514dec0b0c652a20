//go:build !linux

package token

import "syscall"

func changed(stat *syscall.Stat_t) int64 { return stat.Ctimespec.Nano() }
