package container

import (
	"fmt"

	"hotcell/internal/job"
)

// LandlockControl tells of Landlock where all that the ABI bounds is in force, or would
// be; lacking says why there is none.
func LandlockControl(abi int, lacking error) job.Control {
	if lacking != nil {
		return job.Control{Name: ControlLandlock, Detail: lacking.Error()}
	}
	return job.Control{Name: ControlLandlock, Active: true, Detail: fmt.Sprintf("ABI %d", abi)}
}
