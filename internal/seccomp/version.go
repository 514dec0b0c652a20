//go:build linux && cgo

package seccomp

import (
	"fmt"

	libseccomp "github.com/seccomp/libseccomp-golang"
)

// LibraryVersion returns the version of the libseccomp that compiles filters here,
// or "" where there is none.
func LibraryVersion() string {
	major, minor, micro := libseccomp.GetLibraryVersion()
	return fmt.Sprintf("%d.%d.%d", major, minor, micro)
}
