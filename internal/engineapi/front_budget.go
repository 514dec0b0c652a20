package engineapi

import (
	"fmt"

	"hotcell/api"
	"hotcell/internal/admission"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

const (
	// heldBytes is what all that a front has sent may have together: what is being read, which counts
	// three times, what waits, and what runs. It is above the largest request.
	heldBytes = 512 << 20
	// maxMembers is above what any line of a front has. A list of names takes far more memory
	// than it has bytes.
	maxMembers = 64 << 10
	// maxNames is what a request's names may have together.
	maxNames = 256 << 10
	// maxCode is above the largest script that a policy of ours takes, and what the command reads.
	maxCode = 16 << 20
)

// errSpent is for what there is no memory for just now.
var errSpent = fmt.Errorf("%w: those that are there have too many bytes together: try again later", admission.ErrFull)

// CheckBounds refuses what is larger than any policy takes, before it is looked up, kept, or sent on.
func CheckBounds(request job.Request) error {
	if len(request.Code) > maxCode {
		return fmt.Errorf("%w: a script has at most %d bytes", runner.ErrInput, maxCode)
	}
	names := len(request.Policy) + len(request.Bundle) + len(request.ScriptName) + len(request.Runtime)
	for _, list := range [][]string{request.Imports, request.Tables} {
		if len(list) > api.MaxListed {
			return fmt.Errorf("%w: a list of names has at most %d", runner.ErrInput, api.MaxListed)
		}
		for _, name := range list {
			names += len(name)
		}
	}
	if names > maxNames {
		return fmt.Errorf("%w: the names of a request have at most %d bytes together", runner.ErrInput, maxNames)
	}
	return nil
}
