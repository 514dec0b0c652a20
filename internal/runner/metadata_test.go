package runner

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/policy"
	"hotcell/internal/wire"
)

// described is a picture, and the same one with a text in it.
func described(t *testing.T) (plain, with string) {
	t.Helper()
	var buffer bytes.Buffer
	require.NoError(t, png.Encode(&buffer, image.NewGray(image.Rect(0, 0, 4, 4))))
	plain = buffer.String()
	const header = 8 + 25
	text := append(binary.BigEndian.AppendUint32(nil, 11), "tEXtkey\x00patient"...)
	text = binary.BigEndian.AppendUint32(text, crc32.ChecksumIEEE(text[4:]))
	return plain, plain[:header] + string(text) + plain[header:]
}

func TestWhatAPictureSaysDoesNotLeave(t *testing.T) {
	plain, with := described(t)
	play := func(_ context.Context, g guard) container.Exit {
		g.begin()
		g.report("completed", `,"files":[`+g.write(t, "a.png", with)+`]`)
		return container.Exit{}
	}
	for choice, removes := range map[policy.PictureMetadata]bool{policy.PictureMetadataRemove: true, "": true, policy.PictureMetadataRefuse: false} {
		b := newBench(t, play, withPolicy(func(p *policy.Policy) { p.Output.PictureMetadata = choice }))
		out := filepath.Join(t.TempDir(), "out")
		response, err := b.run(t.Context(), request(), out)
		require.NoError(t, err)
		require.Equal(t, job.Succeeded, response.Result.Status, "%+v", response.Result)
		if !removes {
			require.Empty(t, response.Result.Files) // it stays behind, as a file that cannot leave
			require.Equal(t, output.RuleDropped, response.Result.Warnings[0].Rule)
			continue
		}
		require.Len(t, response.Result.Files, 1)
		file := response.Result.Files[0]
		require.True(t, file.MetadataRemoved)
		require.Equal(t, digest.Of([]byte(plain)).Hex(), file.SHA256)
		released, err := os.ReadFile(filepath.Join(out, "a.png"))
		require.NoError(t, err)
		require.Equal(t, plain, string(released))
	}
}

// TestAPictureIsReleasedOnceInASession: it is known by what the script wrote, and not by what
// was released.
func TestAPictureIsReleasedOnceInASession(t *testing.T) {
	_, with := described(t)
	b := newBench(t, serving(func(_ context.Context, g guard, _ string) *container.Exit {
		g.send(wire.TypeReady, "")
		g.report("completed", `,"files":[`+g.write(t, "a.png", with)+`]`)
		return nil
	}), withPolicy(withManySteps))
	s := openSession(t, b, "")
	for _, want := range [][]string{{"a.png"}, {}, {}} {
		response, err := s.Step(t.Context(), Script{Code: []byte("draw"), Name: "step.py"})
		require.NoError(t, err)
		require.Equal(t, job.Succeeded, response.Result.Status, "%+v", response.Result)
		require.Equal(t, want, paths(response.Result.Files))
	}
	response, err := s.Close(t.Context())
	require.NoError(t, err)
	require.Len(t, response.Result.Files, 1)
	require.True(t, response.Result.Files[0].MetadataRemoved)
}
