package main

import (
	"math"
	"os"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/resource"

	"hotcell/internal/admission"
	"hotcell/internal/container/kubernetes"
	"hotcell/internal/container/pool"
	"hotcell/internal/policy"
	"hotcell/policies"
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
			Pods   int    `yaml:"pods"`
			CPU    string `yaml:"cpu"`
			Memory string `yaml:"memory"`
		} `yaml:"quota"`
	}
	require.NoError(t, yaml.Unmarshal(text, &values))
	const idle = 4 // of each template
	const most = clusterRuns + idle*pool.DefaultTemplates
	require.LessOrEqual(t, most, values.Quota.Pods)
	var memory, millis int64 // of the built-in policy that has most
	catalog := policy.NewCatalog(policies.Files, "")
	names, err := catalog.Names()
	require.NoError(t, err)
	for _, name := range names {
		one, err := catalog.Get(name)
		require.NoError(t, err)
		memory, millis = max(memory, int64(one.Limits.Memory)), max(millis, int64(math.Round(one.Limits.CPUs*1000)))
	}
	memoryQuota, err := resource.ParseQuantity(values.Quota.Memory)
	require.NoError(t, err)
	cpuQuota, err := resource.ParseQuantity(values.Quota.CPU)
	require.NoError(t, err)
	require.LessOrEqual(t, most*(memory+kubernetes.KeeperMemory), memoryQuota.Value())
	require.LessOrEqual(t, most*(millis+kubernetes.KeeperCPU), cpuQuota.MilliValue())
}
