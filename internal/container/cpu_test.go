package container

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

func TestAProcessorIsToldByWhatChangesNumbers(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want job.CPU
	}{
		"x86": {
			"processor\t: 0\nmodel name\t: Example CPU @ 2.00GHz\nflags\t\t: fpu sse4_2 avx2 avx512f fma aes\n\nprocessor\t: 1\nmodel name\t: Other\n",
			job.CPU{Model: "Example CPU @ 2.00GHz", Features: []string{"avx2", "avx512f", "fma", "sse4_2"}},
		},
		"ARM":     {"processor\t: 0\nFeatures\t: fp asimd sve aes\nCPU part\t: 0xd0c\n", job.CPU{Model: "0xd0c", Features: []string{"asimd", "sve"}}},
		"nothing": {"", job.CPU{Features: []string{}}},
		"noise":   {"\x00:\nflags", job.CPU{Features: []string{}}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, test.want, ParseCPU(strings.NewReader(test.text))) })
	}
}
