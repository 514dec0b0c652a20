package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAQuantileIsAFigureThatWasMeasured(t *testing.T) {
	var hundred sample
	for n := range 100 {
		hundred = append(hundred, float64(100-n))
	}
	for _, c := range []struct {
		name       string
		of         sample
		q, expects float64
	}{
		{"the middle of three", sample{3, 1, 2}, 0.5, 2},
		{"the lower one of two", sample{2, 1}, 0.5, 1},
		{"the only one", sample{7}, 0.99, 7},
		{"the greatest of few", sample{1, 5, 3}, 0.99, 5},
		{"the last but one of a hundred", hundred, 0.99, 99},
		{"the greatest", hundred, 1, 100},
		{"the least", hundred, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) { require.InDelta(t, c.expects, c.of.quantile(c.q), 0) })
	}
	require.InDelta(t, 2, sample{3, 1, 2}.p50(), 0)
	require.True(t, math.IsNaN(sample{}.p50()), "nothing was measured")
	require.InDelta(t, 100, hundred[0], 0, "the sample is left in its order")
}
