package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/image"
)

func TestDoctorTellsImagesApartAndNamesAnOldOne(t *testing.T) {
	now := time.Now()
	old := image.Image{Name: "python-analysis", Digest: "sha256:" + strings.Repeat("7", 64), Recipe: "another"}
	setting := imageSetting(old, now, now)
	require.Equal(t, "image python-analysis", setting.Name)
	require.Equal(t, "made by another version of the runner: run `runner image build`", setting.Advice)

	old.Name = ""
	setting = imageSetting(old, now, now)
	require.Equal(t, "image sha256:777777777777", setting.Name)
	require.Empty(t, setting.Advice, "nothing runs it by name")
	require.NotEmpty(t, imageSetting(old, now.Add(-2*staleImage), now).Advice)
}
