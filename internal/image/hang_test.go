package image

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Whoever can write the store must not be able to keep a command that looks waiting: each of the
// store's own files in turn is a pipe, and then a link to a device without an end.
func TestAFileThatIsNoneIsNotWaitedFor(t *testing.T) {
	for _, name := range []string{indexFile, layoutFile, filepath.Join(sealsDir, "x.json"), filepath.Join(basesDir, "x.json"), filepath.Join(blobsDir, "x")} {
		for what, put := range map[string]func(path string) error{
			"a pipe":                func(path string) error { return unix.Mkfifo(path, 0o600) },
			"a device":              func(path string) error { return os.Symlink("/dev/zero", path) },
			"a file without an end": sparse,
		} {
			t.Run(what+" at "+name, func(t *testing.T) {
				dir := t.TempDir()
				store, err := OpenStore(dir)
				require.NoError(t, err)
				_ = os.Remove(filepath.Join(dir, name))
				require.NoError(t, put(filepath.Join(dir, name)))
				done := make(chan error, 1)
				go func() {
					_, again := OpenStore(dir)
					_, listed := store.List(t.Context())
					_, needed := store.needed(nil)
					for _, err := range []error{again, listed, needed} {
						if err != nil {
							done <- err
							return
						}
					}
					done <- nil
				}()
				select {
				case err := <-done:
					if filepath.Dir(name) == "." {
						require.ErrorContains(t, err, name)
					}
				case <-time.After(20 * time.Second):
					require.FailNow(t, "it waits")
				}
			})
		}
	}
}

func sparse(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return file.Truncate(1 << 40)
}
