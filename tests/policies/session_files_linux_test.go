package policies_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// swaps is a script whose threads never leave the output as it was: a file's content and size,
// a name that is one file and then another, directories that change their names.
const swaps = `
import os, threading

def rewrite():
    number = 0
    while True:
        number += 1
        with open(os.path.join(OUTPUT, 'counter.csv'), 'w') as file:
            file.write('a,b\n' + f'{number},{number}\n' * (number % 100))

def swap():
    number = 0
    while True:
        number += 1
        try:
            with open(os.path.join(OUTPUT, 'next.csv'), 'w') as file:
                file.write(f'a,b\n{number},{number}\n')
            os.replace(os.path.join(OUTPUT, 'next.csv'), os.path.join(OUTPUT, 'swapped.csv'))
        except OSError:
            pass

def move():
    os.makedirs(os.path.join(OUTPUT, 'here'), exist_ok=True)
    with open(os.path.join(OUTPUT, 'here', 'inner.csv'), 'w') as file:
        file.write('a\n1\n')
    while True:
        os.rename(os.path.join(OUTPUT, 'here'), os.path.join(OUTPUT, 'there'))
        os.rename(os.path.join(OUTPUT, 'there'), os.path.join(OUTPUT, 'here'))

threading.Thread(target=WAY, daemon=True).start()
`

// Whatever threads do when their step has ended: what is released is what the guard has listed,
// of one moment, and nothing is seen to change while it is read.
func TestThreadsOfAScriptDoNotRaceWithWhoReadsItsFiles(t *testing.T) {
	for _, runtime := range []string{"crun", "runc"} {
		for _, way := range []string{"rewrite", "swap", "move"} {
			t.Run(runtime+"/"+way, func(t *testing.T) {
				codes := []string{strings.Replace(swaps, "WAY", way, 1)}
				for number := range 10 {
					codes = append(codes, fmt.Sprintf("import time\ntime.sleep(0.0%d)", number))
				}
				all := steps(t, newWorkspace(t), "study-analysis", codes, "--runtime", runtime, "--inline-files", "64KiB")
				require.Len(t, all, len(codes)+1)
				for _, result := range all {
					requireOneMoment(t, result)
				}
			})
		}
	}
}

func requireOneMoment(t *testing.T, result job.Result) {
	t.Helper()
	for _, file := range result.Files {
		require.NotNil(t, file.Content, describe(result))
		content, err := base64.StdEncoding.DecodeString(*file.Content)
		require.NoError(t, err)
		require.Equal(t, file.SHA256, digest.Of(content).Hex())
		for line := range strings.Lines(strings.TrimPrefix(string(content), "a,b\n")) {
			left, right, two := strings.Cut(strings.TrimSpace(line), ",")
			require.True(t, !two || left == right, "%q is torn", line)
		}
	}
	for _, violation := range result.Violations { // what differs from the guard's list is refused
		require.NotEqual(t, "output.changed", violation.Rule, describe(result))
	}
	for _, warning := range result.Warnings {
		require.NotEqual(t, "output.not_held", warning.Rule, describe(result))
	}
	// The guard may have met a name that went while it made its list.
	require.Contains(t, []job.Status{job.Succeeded, job.OutputRejected, job.Failed}, result.Status, describe(result))
}
