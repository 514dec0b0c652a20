//go:build !linux || !cgo

package seccomp

// LibraryVersion returns the version of the libseccomp that compiles filters here,
// or "" where there is none.
func LibraryVersion() string { return "" }
