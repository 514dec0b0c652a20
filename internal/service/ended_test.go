package service_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/service"
)

func TestWhoHearsOfAnEndHearsWhichSpanItBelongsTo(t *testing.T) {
	heard := make(chan string, 1)
	s := open(t, service.Options{Engine: newFake(t, 2), Ended: func(_ api.Run, _ *job.Trace, parent string) { heard <- parent }})
	asked := asks("ok")
	asked.Trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	_, _, err := s.Create(t.Context(), anna, asked)
	require.NoError(t, err)
	require.Equal(t, asked.Trace, <-heard)
}

// TestAPanicIsTheEndOfTheService: what is in its memory can be wrong then, and what is on the disk
// is right.
func TestAPanicIsTheEndOfTheService(t *testing.T) {
	s := open(t, service.Options{Engine: newFake(t, 2), Ended: func(api.Run, *job.Trace, string) { panic("a fault of ours") }})
	select {
	case <-s.Failed():
		require.Fail(t, "it failed before anything was asked")
	default:
	}
	create(t, s, anna, "ok")
	<-s.Failed()
}
