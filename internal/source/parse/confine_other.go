//go:build !linux || !cgo

package parse

import "errors"

func confine() error { return errors.New("this runner was built without libseccomp") }
