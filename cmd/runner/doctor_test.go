package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/image"
)

func TestDoctorTellsImagesApartAndNamesAnOldOne(t *testing.T) {
	now := time.Now()
	old := image.Image{Name: "python-analysis", Digest: digest.Of([]byte("image")), Recipe: "another"}
	setting := imageSetting(old, now, now)
	require.Equal(t, "image python-analysis", setting.Name)
	require.Equal(t, "made by another version of the runner: run `runner image build`", setting.Advice)

	old.Name = ""
	setting = imageSetting(old, now, now)
	require.Equal(t, "image "+old.Digest.Short(), setting.Name)
	require.Empty(t, setting.Advice, "nothing runs it by name")
	require.NotEmpty(t, imageSetting(old, now.Add(-2*staleImage), now).Advice)
}
