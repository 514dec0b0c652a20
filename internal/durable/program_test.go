package durable_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/durable"
)

// program is a script in a directory of its own, whose interpreter is beside it.
func program(t *testing.T) (dir, path string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "tools")
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, os.Symlink("/bin/sh", filepath.Join(dir, "sh")))
	path = filepath.Join(dir, "lookup")
	require.NoError(t, os.WriteFile(path, []byte("#! "+filepath.Join(dir, "sh")+" -e\ncat\n"), 0o755))
	return dir, path
}

func TestAProgramThatOnlyAnAdministratorWritesIsTrusted(t *testing.T) {
	dir, path := program(t)
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink("../tools/lookup", link))
	for _, one := range []string{path, link, "/bin/true"} {
		require.NoError(t, durable.TrustedProgram(one), one)
	}
}

func TestAProgramThatOthersCouldExchangeIsRefused(t *testing.T) {
	foreign := os.Geteuid() + 1
	for says, harm := range map[string]func(t *testing.T, dir, path string){
		"run `chmod go-w": func(t *testing.T, _, path string) { require.NoError(t, os.Chmod(path, 0o757)) },
		"lookup is writable by its group or by others": func(t *testing.T, _, path string) { require.NoError(t, os.Chmod(path, 0o775)) },
		"tools is writable by its group or by others":  func(t *testing.T, dir, _ string) { require.NoError(t, os.Chmod(dir, 0o1777)) },
		"001 is above it and can be written by everybody": func(t *testing.T, dir, _ string) {
			require.NoError(t, os.Chmod(filepath.Dir(dir), 0o777))
		},
		"run `chown root": func(t *testing.T, _, path string) { require.NoError(t, os.Chown(path, foreign, -1)) },
		"sh: it belongs to another user, and is a link": func(t *testing.T, dir, _ string) {
			require.NoError(t, os.Lchown(filepath.Join(dir, "sh"), foreign, -1))
		},
		"open is writable by its group or by others": func(t *testing.T, dir, _ string) { // the interpreter
			open := filepath.Join(dir, "open")
			require.NoError(t, os.WriteFile(open, []byte("\x7fELF"), 0o777))
			require.NoError(t, os.Chmod(open, 0o777))
			require.NoError(t, os.Remove(filepath.Join(dir, "sh")))
			require.NoError(t, os.Symlink("open", filepath.Join(dir, "sh")))
		},
		"an absolute path": func(t *testing.T, _, path string) { require.NoError(t, os.WriteFile(path, []byte("#!sh\n"), 0o755)) },
		"too many levels": func(t *testing.T, dir, _ string) {
			require.NoError(t, os.Remove(filepath.Join(dir, "sh")))
			require.NoError(t, os.Symlink("sh", filepath.Join(dir, "sh")))
		},
		"no such file": func(t *testing.T, _, path string) { require.NoError(t, os.Remove(path)) },
		"not a regular file": func(t *testing.T, _, path string) {
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.Mkdir(path, 0o755))
		},
	} {
		t.Run(says, func(t *testing.T) {
			if os.Geteuid() != 0 {
				t.Skip("needs root, to give files away")
			}
			dir, path := program(t)
			harm(t, dir, path)
			require.ErrorContains(t, durable.TrustedProgram(path), says)
		})
	}
	require.ErrorContains(t, durable.TrustedProgram("bin/true"), "an absolute path")
}
