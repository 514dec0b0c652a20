package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/access/token"
	"hotcell/internal/durable"
)

// What everybody may write, as a volume, gets directories for one user, again and again.
func TestAVolumeGetsDirectoriesOfOneUser(t *testing.T) {
	volume := filepath.Join(t.TempDir(), "volume")
	require.NoError(t, os.Mkdir(volume, 0o700))
	require.NoError(t, os.Chmod(volume, 0o777|fs.ModeSetgid))
	engine, tokens := filepath.Join(volume, "engine"), filepath.Join(volume, "tokens")
	file := filepath.Join(tokens, "tokens.json")
	require.NoError(t, os.Mkdir(engine, 0o700))
	require.NoError(t, os.Chmod(engine, 0o770)) // as a volume's group has it
	require.NoError(t, prepareVolume(t.Context(), []string{engine, tokens}, prepareFlags{tokens: file}))
	for _, dir := range []string{engine, tokens} {
		info, err := os.Stat(dir)
		require.NoError(t, err)
		require.Equal(t, fs.FileMode(0o700), info.Mode().Perm())
	}
	require.NoError(t, os.Chmod(volume, 0o700)) // as the container sees it that has a directory of it
	known, err := token.List(file)
	require.NoError(t, err)
	require.Empty(t, known)
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode())

	require.NoError(t, os.WriteFile(file, []byte("kept"), 0o600))
	require.NoError(t, prepareVolume(t.Context(), []string{engine, tokens}, prepareFlags{tokens: file}))
	kept, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "kept", string(kept))
}

// Who takes the place of an engine that still has runs waits for it.
func TestAVolumeIsReadyOnceNobodyHoldsIt(t *testing.T) {
	engine := filepath.Join(t.TempDir(), "engine")
	lock := filepath.Join(engine, "engine.lock")
	asked := prepareFlags{after: []string{lock}}
	require.NoError(t, prepareVolume(t.Context(), []string{engine}, asked))
	held, err := durable.Lock(t.Context(), lock)
	require.NoError(t, err)
	over := errors.New("over")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(over)
	require.ErrorIs(t, prepareVolume(ctx, []string{engine}, asked), over)
	ended := make(chan error, 1)
	go func() { ended <- prepareVolume(t.Context(), []string{engine}, asked) }()
	require.NoError(t, held.Close())
	require.NoError(t, <-ended)
}

func TestAVolumeWithWhatIsNotOursIsRefused(t *testing.T) {
	volume := t.TempDir()
	elsewhere := t.TempDir()
	link, file := filepath.Join(volume, "link"), filepath.Join(volume, "file")
	require.NoError(t, os.Symlink(elsewhere, link))
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, dir := range []string{link, file, filepath.Join(volume, "missing", "engine")} {
		require.Error(t, prepareVolume(t.Context(), []string{dir}, prepareFlags{}), dir)
	}
	if os.Geteuid() == 0 {
		foreign := filepath.Join(volume, "foreign")
		require.NoError(t, os.Mkdir(foreign, 0o700))
		require.NoError(t, os.Chown(foreign, 65532, 65532))
		require.Error(t, prepareVolume(t.Context(), []string{foreign}, prepareFlags{}))
	}
}
