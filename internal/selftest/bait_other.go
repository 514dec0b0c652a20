//go:build !linux

package selftest

import (
	"context"
	"errors"
)

// Bait is what lies on the host for the probes to find.
type Bait struct{}

// layBait refuses: containers run in a virtual machine here, where this host's files
// and processes are not, so that bait would prove nothing.
func layBait(context.Context) (*Bait, error) {
	return nil, errors.New("the self-test needs Linux: here containers run in a virtual machine, which has none of this host's files and processes")
}

// Facts is what the probes are told of the bait.
func (*Bait) Facts() Facts { return Facts{} }

// Token is the secret itself.
func (*Bait) Token() string { return "" }

// Reached counts the connections that came in.
func (*Bait) Reached() int64 { return 0 }

// Remove takes the bait away.
func (*Bait) Remove() error { return nil }

// Canaries looks whether everything is as it was laid.
func (*Bait) Canaries() []Canary { return nil }

func leftovers([]string) []Canary { return nil }
