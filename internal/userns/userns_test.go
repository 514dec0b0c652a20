package userns

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOnlyTheUsersOwnRangesCount(t *testing.T) {
	content := []byte("root:1:65536\nute:100000:65536\n# ute:1:2\n1000:300000:10\nuteb:400000:10\nute:x:10\nute:5:0\nute:-1:10\nute:500000:10:1\n  ute:600000:5  \nute:4294967296:1\n")
	require.Equal(t, []idRange{{100000, 65536}, {300000, 10}, {600000, 5}}, owned(content, "ute", "1000"))
	require.Empty(t, owned(content, "", "7"), "a user without a name has no line without a name")
	require.Empty(t, owned([]byte(":1:65536\n"), "", "7"))
}

func TestTheUserIsRootAndAllOthersAreHisSubordinates(t *testing.T) {
	arguments, err := mapping(1000, []idRange{{100000, 65536}})
	require.NoError(t, err)
	require.Equal(t, []string{"0", "1000", "1", "1", "100000", "65535"}, arguments)
}

func TestSeveralRangesFollowOneAnother(t *testing.T) {
	arguments, err := mapping(1000, []idRange{{100000, 1000}, {200000, 65536}, {400000, 5}})
	require.NoError(t, err)
	require.Equal(t, []string{"0", "1000", "1", "1", "100000", "1000", "1001", "200000", "64535"}, arguments)
}

func TestTooFewSubordinateIDsAreRefused(t *testing.T) {
	for _, ranges := range [][]idRange{nil, {{100000, 65534}}} {
		_, err := mapping(1000, ranges)
		require.ErrorContains(t, err, "subordinate ids instead of 65535")
	}
}
