package runner

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/records"
)

// Who keeps requests until their turn asks before: what is larger than the policy takes is refused
// then, and the chain says so. What its guard would say of it is not asked.
func TestWhatIsTooLargeIsRefusedBeforeItIsKept(t *testing.T) {
	for name, change := range map[string]func(*job.Request){
		"code": func(r *job.Request) { r.Code = bytes.Repeat([]byte("#"), 8<<20) },
		"inputs": func(r *job.Request) {
			r.Inputs = append(append([]byte(`{"a":"`), bytes.Repeat([]byte("x"), 1<<10)...), `"}`...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, honest(t), withPolicy(func(p *policy.Policy) { p.Guard.Inputs, p.Limits.Inputs = "data", 1<<10 }))
			ask := b.askAs(request())
			change(&ask.Request)
			err := b.resolve(t, ask)
			require.ErrorIs(t, err, ErrInput)
			require.ErrorContains(t, err, ", the policy allows ")
			all := b.told(t)
			require.Len(t, all, 1)
			require.Equal(t, records.KindRefused, all[0].Kind)
		})
	}
	b := newBench(t, honest(t), nil)
	ask := b.askAs(request())
	ask.Request.Code = []byte("\x00") // a verdict, which a run has
	require.NoError(t, b.resolve(t, ask))
}

// A script that is refused for its size is not kept because of that: its hash and its size are.
func TestARecordKeepsNoCodeThatIsTooLarge(t *testing.T) {
	b := newBench(t, honest(t), nil)
	asked := request()
	asked.Code = bytes.Repeat([]byte("#"), 8<<20)
	response, err := b.run(t.Context(), asked, "")
	require.NoError(t, err)
	require.Equal(t, job.LimitCode, response.Result.Limit)
	require.Empty(t, response.CodeFile)
	require.NotEmpty(t, response.Result.Provenance.CodeSHA256)
	entries, err := os.ReadDir(response.RecordDir)
	require.NoError(t, err)
	for _, entry := range entries {
		info, err := entry.Info()
		require.NoError(t, err)
		require.Less(t, info.Size(), int64(100_000), entry.Name())
	}
	asked = request()
	response, err = b.run(t.Context(), asked, "")
	require.NoError(t, err)
	require.NotEmpty(t, response.CodeFile, "what ran is kept")
	kept, err := b.records.Bytes(t.Context(), response.Result.RunID)
	require.NoError(t, err)
	require.Positive(t, kept)
	require.Equal(t, kept, response.RecordBytes, "and is told with what it takes")
}
