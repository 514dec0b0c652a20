//go:build !linux

package main

// ownDescriptors keeps what the caller has left open from tools.
func ownDescriptors() error { return eachOnExec("/dev/fd") }
