package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
)

// TestFetchEndsAsItsHelpSays: the exit codes, and no secret of the URL in what is said.
func TestFetchEndsAsItsHelpSays(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/x.csv" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte("a,b\n1,2\n"))
	}))
	t.Cleanup(server.Close)
	right, wrong := digest.Of([]byte("a,b\n1,2\n")).Hex(), digest.Of([]byte("other")).Hex()
	at := strings.Replace(server.URL, "http://", "http://user:secret@", 1)
	for name, test := range map[string]struct {
		url    string
		sha256 digest.Hex
		code   int
	}{
		"the file":      {at + "/x.csv?token=secret", right, 0},
		"other content": {at + "/x.csv?token=secret", wrong, 1},
		"no such file":  {at + "/y.csv?token=secret", right, 2},
		"no URL":        {"ftp://user:secret@host/x.csv?secret", right, 2},
		"no host":       {"https:///x.csv?secret", right, 2},
	} {
		for _, asJSON := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				dir := t.TempDir()
				code, out := ended(t, asJSON, "bundle", "fetch", test.url, dir, "--sha256", string(test.sha256))
				require.Equal(t, test.code, code, out)
				require.NotContains(t, out, "secret")
				require.NoFileExists(t, filepath.Join(dir, "x.csv.part"))
				if asJSON {
					require.True(t, json.Valid([]byte(out)), out)
				}
			})
		}
	}
	dir := t.TempDir()
	code, out := ended(t, false, "bundle", "fetch", at+"/x.csv", dir, "--sha256", string(right))
	require.Zero(t, code, out)
	code, out = ended(t, false, "bundle", "fetch", at+"/x.csv", dir, "--sha256", string(right))
	require.Equal(t, 2, code)
	require.Contains(t, out, "x.csv is there already: remove it, or fetch into another directory")
}

// ended runs a command, and returns its exit code and all that it says.
func ended(t *testing.T, asJSON bool, args ...string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	a := &app{stdout: &out, stderr: &out, json: asJSON}
	if asJSON {
		args = append(args, "--json")
	}
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetErr(&out)
	err := root.ExecuteContext(context.WithoutCancel(t.Context()))
	return a.exitCode(err), out.String()
}
