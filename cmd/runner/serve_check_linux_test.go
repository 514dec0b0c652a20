package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAMistakeInTheConfigurationIsOneOfUse: by its exit code a unit does not start the service again.
func TestAMistakeInTheConfigurationIsOneOfUse(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "serve.yaml")
	text := "version: 1\nengine: " + dir + "/none.sock\ndata: " + dir + "/data\nlisten: [{unix: " + dir + "/missing/a.sock}]\nauthentication: {unix: {users: [no-such-user]}}\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	for _, args := range [][]string{{"serve", "--config", file}, {"serve", "--check", "--config", file}, {"serve", "--check", "--config", file + ".none"}} {
		var stdout, stderr bytes.Buffer
		a := &app{stdout: &stdout, stderr: &stderr}
		root := a.rootCommand()
		root.SetArgs(args)
		err := root.ExecuteContext(t.Context())
		require.ErrorAs(t, err, &usageError{}, "%v", args)
		require.Empty(t, stdout.String())
		require.NoDirExists(t, filepath.Join(dir, "data"))
	}
}

func TestTheFrontsSocketIsNamedByAnAbsolutePath(t *testing.T) {
	for _, path := range []string{"run/x", "/run/../x.sock", "x.sock"} {
		var stderr bytes.Buffer
		a := &app{stdout: &stderr, stderr: &stderr}
		root := a.rootCommand()
		root.SetArgs([]string{"engine", "--front-socket", path, "--front-user", "nobody"})
		err := root.ExecuteContext(t.Context())
		require.ErrorAs(t, err, &usageError{})
		require.ErrorContains(t, err, "--front-socket must be an absolute path")
	}
	require.Equal(t, ", and for nobody at /run/x.sock", frontFlags{"/run/x.sock", "nobody"}.String())
	require.Empty(t, frontFlags{}.String())
}
