package panics_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/panics"
)

func TestCatchReturnsWhatItsWorkReturns(t *testing.T) {
	failure := errors.New("no")
	require.NoError(t, panics.Catch("testing", func() error { return nil }))
	require.Equal(t, failure, panics.Catch("testing", func() error { return failure }))
}

type patient struct{ name string }

func (p patient) Error() string  { return p.name }
func (p patient) String() string { return p.name }

func TestCatchTellsThePlaceAndNeverTheValue(t *testing.T) {
	const secret = "patient 4711"
	for name, throw := range map[string]func(){
		"a string":         func() { panic(secret) },
		"an error":         func() { panic(errors.New(secret)) },
		"a value":          func() { panic(patient{secret}) },
		"a nil pointer":    func() { var p *patient; _ = p.name },
		"a missing key":    func() { var list []int; _ = list[len(secret)] },
		"a nil panic":      func() { panic(nil) },
		"within a library": func() { _ = strings.Repeat(secret, -1) },
	} {
		t.Run(name, func(t *testing.T) {
			err := panics.Catch("testing", func() error { throw(); return nil })
			_, ok := errors.AsType[*panics.Error](err)
			require.True(t, ok, "%v", err)
			require.Contains(t, err.Error(), "while testing")
			require.Contains(t, err.Error(), "panics_test.go:")
			require.NotContains(t, err.Error(), "4711")
			require.Less(t, len(err.Error()), 1500)
		})
	}
}
