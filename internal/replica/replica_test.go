package replica_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/replica"
)

// interpreter is a program that says it is Python 3.13, and then does what a test says; "$R"
// is where the report is wanted.
func interpreter(t *testing.T, does string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "python3.13")
	text := "#!/bin/sh\ncase \"$1\" in -I) echo 3.13.5; exit;; esac\nwhile [ \"$1\" != --report ]; do shift; done\nR=$2\n" + does + "\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o700))
	return path
}

const report = `{"outcome":"completed","error":null,"limit":"","violations":[],"result":null,"charts":[],"files":[],"warnings":[],"truncated":{"stdout":false,"stderr":false},"stdout":"","stderr":""}`

func TestWhatComesBackIsNotBelieved(t *testing.T) {
	for name, one := range map[string]struct{ does, wrong string }{
		"a report":             {"echo '" + report + "' > \"$R\"", ""},
		"none":                 {"true", "no such file"},
		"a link":               {"echo '" + report + "' > \"$R.x\"; ln -s \"$R.x\" \"$R\"", "invalid argument"},
		"a pipe":               {"mkfifo \"$R\"", "invalid argument"},
		"no JSON":              {"echo fine > \"$R\"", "report"},
		"another shape":        {`echo '{"outcome":"completed","more":1}' > "$R"`, "the name is unknown"},
		"an outcome that lies": {`echo '{"outcome":"raised"}' > "$R"`, "does not fit"},
		"an end without one":   {"echo oh >&2; exit 125", "ended with code 125 and no report: oh"},
		"a signal":             {"kill -9 $$", "ended with code -1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			desk, err := replica.NewDesk()
			require.NoError(t, err)
			_, err = desk.Run(t.Context(), replica.Options{Python: interpreter(t, one.does), Script: "/nothing.py", Output: "/nothing"})
			require.NoError(t, desk.Close())
			left, readErr := os.ReadDir(os.Getenv("TMPDIR"))
			require.NoError(t, readErr)
			require.Empty(t, left)
			if one.wrong == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, one.wrong)
		})
	}
}

func TestARefusalIsTold(t *testing.T) {
	desk, err := replica.NewDesk()
	require.NoError(t, err)
	defer desk.Close()
	_, err = desk.Run(t.Context(), replica.Options{Python: interpreter(t, "echo notice >&2; echo 'replicate: not the run' >&2; exit 2")})
	var refused *replica.RefusedError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "not the run", refused.Reason)
}

func TestFindTakesTheRightVersionOnly(t *testing.T) {
	dir := t.TempDir()
	write := func(name, says string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+says+"\n"), 0o700))
	}
	t.Setenv("PATH", dir)
	_, err := replica.Find(t.Context(), "")
	require.ErrorContains(t, err, "python3.13: not in the search path; python3: not in the search path")
	write("python3.13", "exit 1") // as a shim of a version that is not installed
	write("python3", "echo 3.12.9")
	_, err = replica.Find(t.Context(), "")
	require.ErrorContains(t, err, "python3.13: it does not run as a Python; "+dir+"/python3 is Python 3.12.9")
	for _, other := range []string{"3.13.0", "3.13", "3.14.5", "3.13.x", "3.130.5"} {
		write("python3", "echo "+other)
		_, err = replica.Find(t.Context(), "")
		require.ErrorContains(t, err, "is Python "+other)
	}
	write("python3", "echo 3.13.7")
	found, err := replica.Find(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "python3"), found)
	_, err = replica.Find(t.Context(), filepath.Join(dir, "python3.13"))
	require.Error(t, err)
}
