package main

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/durable"
	"hotcell/internal/serveconfig"
	"hotcell/internal/service"
	"hotcell/internal/service/store"
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

// TestAnEngineThatIsMissingIsToldWithItsCommand: as all else that --check finds.
func TestAnEngineThatIsMissingIsToldWithItsCommand(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "e.sock")
	want := "engine: none listens at " + socket + ": start it as root by `runner engine --front-socket " + socket + " --front-user " + durable.ThisUser() + "`"
	require.ErrorContains(t, engineFault(t.Context(), socket), want)
	died, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket})
	require.NoError(t, err)
	died.SetUnlinkOnClose(false)
	require.NoError(t, died.Close())
	require.ErrorContains(t, engineFault(t.Context(), socket), want)
}

// TestAServiceThatRunsIsToldApart: its directory and its addresses are no mistake of the file.
func TestAServiceThatRunsIsToldApart(t *testing.T) {
	dir := t.TempDir()
	config := serveconfig.Config{Version: 1, Data: filepath.Join(dir, "data"), Listen: []serveconfig.Listen{{TCP: "127.0.0.1:0"}}}
	require.Equal(t, serveconfig.Faults{}, hostFaults(t.Context(), config))
	runs, err := store.Open(config.Data)
	require.NoError(t, err)
	found := hostFaults(t.Context(), config)
	require.NoError(t, found.Lasts)
	require.ErrorIs(t, found.Passes, service.ErrInUse)
	require.ErrorContains(t, found.Passes, "data: "+config.Data)
	require.NoError(t, runs.Close())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x"), nil, 0o600))
	require.NoError(t, os.Chmod(dir, 0o755))
	config.Data = dir
	require.ErrorContains(t, hostFaults(t.Context(), config).Lasts, "data: directory "+dir+" is open to others")
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
