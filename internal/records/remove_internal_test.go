package records

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

// The path of no run is that of all.
func TestNoPartOfNoRunHasAPlace(t *testing.T) {
	for _, part := range []string{PartRecord, PartQuarantine, PartCode, ""} {
		name, err := partName(Record{Code: "x"}, job.ID{}, part)
		require.ErrorContains(t, err, "no run without an id")
		require.Empty(t, name)
	}
}
