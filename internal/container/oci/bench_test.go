//go:build linux

package oci

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

// BenchmarkSandbox compares the runtimes within one run; what a sandbox itself
// takes is the time of a small program.
func BenchmarkSandbox(b *testing.B) {
	for _, runtime := range runtimes() {
		b.Run(runtime, func(b *testing.B) {
			engine, err := New(newHost(b, runtime).options())
			require.NoError(b, err)
			_, err = engine.Probe(b.Context(), "")
			require.NoError(b, err)
			var created, ran, destroyed time.Duration
			for b.Loop() {
				spec := spec()
				spec.Command = []string{"/usr/bin/dpkg", "--help"}
				begun := time.Now()
				sandbox, err := engine.Create(b.Context(), container.NewID(), spec)
				require.NoError(b, err)
				created += time.Since(begun)
				begun = time.Now()
				exit, err := sandbox.Run(b.Context(), container.Streams{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard})
				require.NoError(b, err)
				require.Zero(b, exit.Code)
				ran += time.Since(begun)
				begun = time.Now()
				require.NoError(b, sandbox.Destroy(b.Context()))
				destroyed += time.Since(begun)
			}
			for name, total := range map[string]time.Duration{"create": created, "run": ran, "destroy": destroyed} {
				b.ReportMetric(float64(total.Microseconds())/1000/float64(b.N), name+"-ms/op")
			}
		})
	}
}
