package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/records"
	"hotcell/internal/strictjson"
)

// What somebody has sent is bounded before it is decoded, whatever there is too much of.
func TestAProofHasNoMoreThanItsEventsHave(t *testing.T) {
	full := proof{Size: 1 << 40}
	for range 5 {
		one := eventProof{Seq: 1}
		for range 64 {
			one.Inclusion = append(one.Inclusion, strings.Repeat("A", 43)+"=")
		}
		full.Events = append(full.Events, one)
	}
	text, err := strictjson.Form{Indent: "  "}.Encode(full)
	require.NoError(t, err)
	require.NoError(t, boundProof(text, 5), "the longest that there are")
	require.Error(t, boundProof(text, 4))
	empty, err := strictjson.Form{}.Encode(proof{Events: []eventProof{}})
	require.NoError(t, err)
	require.NoError(t, boundProof(empty, 0))
	for name, text := range map[string]string{
		"objects": `{"size":48,"events":[` + strings.Repeat("{},", 1000) + "{}]}",
		"hashes":  `{"size":48,"events":[{"seq":1,"index":0,"inclusion":[` + strings.Repeat(`"",`, 1000) + `""]}]}`,
		"nulls":   `{"size":48,"events":[` + strings.Repeat("null,", 1000) + "null]}",
		"arrays":  `{"size":48,"events":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + "}",
	} {
		require.ErrorContains(t, boundProof([]byte(text), 5), "proof.json has more in it than the proofs of 5 events", name)
	}
}

// However many faults somebody makes, a person is told some, and where the rest is.
func TestAMillionFaultsAreNotAMillionLines(t *testing.T) {
	var told bytes.Buffer
	a := &app{stdout: &told}
	require.Equal(t, exitError(1), a.showVerification(records.Verification{Faults: make([]records.Fault, 1<<20)}, evidence{}))
	require.Equal(t, maxFaultsTold+2, strings.Count(told.String(), "\n"))
	require.Contains(t, told.String(), "and 1047576 more: --json has them all")
	require.Contains(t, told.String(), "1048576 faults")
}
