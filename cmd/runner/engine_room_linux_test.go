package main

import (
	"os"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"hotcell/internal/admission"
	"hotcell/internal/container/kubernetes"
	"hotcell/internal/container/pool"
)

// TestThisMachineDecidesNothingOfACluster: how many runs there are at a time is the user's word, or
// a number of its own where sandboxes are pods.
func TestThisMachineDecidesNothingOfACluster(t *testing.T) {
	a := &app{}
	for _, engine := range []string{"oci", kubernetes.Name} {
		room, err := a.room(engine, 3000)
		require.NoError(t, err)
		require.Equal(t, admission.For(3000), room, engine)
	}
	room, err := a.room(kubernetes.Name, 0)
	require.NoError(t, err)
	require.Equal(t, admission.For(clusterRuns), room)
	held, err := roomForTemplates(kubernetes.Name)
	require.NoError(t, err)
	require.Zero(t, held, "their memory is the nodes'")

	memory, err := machineMemory()
	require.NoError(t, err)
	room, err = a.room("oci", 0)
	require.NoError(t, err)
	require.LessOrEqual(t, int64(room.Places)<<30, max(memory, 1<<30))
	held, err = roomForTemplates("oci")
	require.NoError(t, err)
	require.Equal(t, memory/shareOfTemplates, held)
}

// TestWhatRunsAtATimeFitsTheQuota of deploy/, with what a pool keeps ready beside it.
func TestWhatRunsAtATimeFitsTheQuota(t *testing.T) {
	text, err := os.ReadFile("../../deploy/chart/values.yaml")
	require.NoError(t, err)
	var values struct {
		Quota struct {
			Pods int `yaml:"pods"`
		} `yaml:"quota"`
	}
	require.NoError(t, yaml.Unmarshal(text, &values))
	const idle = 4 // of each template
	require.LessOrEqual(t, clusterRuns+idle*pool.DefaultTemplates, values.Quota.Pods)
}
