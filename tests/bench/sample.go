package main

import (
	"math"
	"slices"
)

// sample is what was measured of one thing, in milliseconds.
type sample []float64

// quantile is the least value that so much of the sample does not exceed: the nearest
// rank, so that each figure is one that was measured. NaN for an empty sample.
func (s sample) quantile(q float64) float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(s))
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}

func (s sample) p50() float64 { return s.quantile(0.5) }
func (s sample) p99() float64 { return s.quantile(0.99) }
