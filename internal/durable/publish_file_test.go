package durable_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/durable"
)

// A file gets its name whole or not at all, and in no other's place.
func TestPublishFileReplacesNothing(t *testing.T) {
	for name, occupy := range map[string]func(target string) error{
		"nothing":            nil,
		"a file":             func(target string) error { return os.WriteFile(target, nil, 0o600) },
		"a link to nothing":  func(target string) error { return os.Symlink("none", target) },
		"an empty directory": func(target string) error { return os.Mkdir(target, 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			target := filepath.Join(dir, "target")
			delivery, err := durable.NewDelivery(target)
			require.NoError(t, err)
			require.NoError(t, durable.WriteFile(delivery.Root(), "target", []byte("x")))
			require.NoFileExists(t, target)
			if occupy != nil {
				require.NoError(t, occupy(target))
			}
			err = delivery.PublishFile("target")
			require.NoError(t, delivery.Discard())
			require.Equal(t, []string{"target"}, names(t, dir))
			if occupy != nil {
				require.ErrorIs(t, err, os.ErrExist)
				return
			}
			require.NoError(t, err)
			text, err := os.ReadFile(target)
			require.NoError(t, err)
			require.Equal(t, "x", string(text))
		})
	}
}
