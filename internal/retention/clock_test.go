package retention_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/retention"
)

func TestAClockThatLeapsIsDoubtedUntilTimeHasPassed(t *testing.T) {
	day := func(n float64) time.Time { return now.Add(time.Duration(n * 24 * float64(time.Hour))) }
	for name, test := range map[string]struct {
		events []float64 // days
		now    float64
		want   string // or "": no doubt
	}{
		"events each day":              {[]float64{-3, -2, -1, 0}, 0.5, ""},
		"no event at all":              {nil, 0, ""},
		"a first event":                {[]float64{-0.1}, 0, ""},
		"a week without a run":         {[]float64{-6.9}, 0, ""},
		"a clock a year ahead":         {[]float64{-2, -1, 0}, 365, "365 days, there is no event"},
		"a clock ahead that has run":   {[]float64{-1, 0, 365, 365.1}, 365.2, "365 days, there is no event"},
		"the same, and set right":      {[]float64{-1, 0, 365}, 1, "which is yet to come"},
		"a month's standstill":         {[]float64{-1, 0}, 30, "30 days, there is no event"},
		"a day after a standstill":     {[]float64{0, 30}, 31, "30 days, there is no event"},
		"a week and more after it":     {[]float64{0, 30, 33}, 37.5, ""},
		"two, of which one is settled": {[]float64{0, 30, 33, 38, 60}, 61, "22 days, there is no event"},
		"a clock that is a bit behind": {[]float64{-1, 0}, -0.5, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var clock retention.Clock
			for _, at := range test.events {
				clock.Note(day(at))
			}
			if test.want == "" {
				require.Empty(t, clock.Doubt(day(test.now)))
				return
			}
			require.Contains(t, clock.Doubt(day(test.now)), test.want)
		})
	}
}
