//go:build !linux || !cgo

package seccomp

import "errors"

// Compile needs libseccomp. Here it always returns an error; Load, OCI and
// Evaluate work on every host.
func (p *Profile) Compile(Arch) (*Program, error) {
	return nil, errors.New("compile seccomp profile: this program was built without libseccomp (it needs Linux, cgo and libseccomp-dev)")
}
