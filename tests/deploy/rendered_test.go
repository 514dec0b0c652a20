package deploy_test

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container/kubernetes"
	"hotcell/internal/seccomp"
	"hotcell/policies"
	"hotcell/tests/cluster"
)

var update = flag.Bool("update", false, "write what in deploy/ is made of other files")

// helm is Helm, which takes minutes to build once. It is asked where there is a cluster, too.
const helm = "helm.sh/helm/v4/cmd/helm@v4.3.2"

const (
	chart    = "../../deploy/chart"
	profiles = chart + "/profiles"
)

// TestProfilesAreThePolicies': each seccomp profile of a policy is there under the name that the
// engine asks nodes for, and no other is.
func TestProfilesAreThePolicies(t *testing.T) {
	wanted := map[string]string{}
	for _, name := range profileNames(t) {
		data, err := policies.Files.ReadFile("seccomp/" + name + ".json")
		require.NoError(t, err)
		profile, err := seccomp.Load(name, data)
		require.NoError(t, err)
		file, content, err := kubernetes.NodeProfile(profile.OCI())
		require.NoError(t, err)
		wanted[file] = string(content)
	}
	if *update {
		require.NoError(t, os.RemoveAll(profiles))
		for name, content := range wanted {
			path := filepath.Join(profiles, name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
		}
	}
	found := map[string]string{}
	for name, content := range files(t, profiles) {
		found[name] = string(content)
	}
	require.Equal(t, wanted, found, "go test ./tests/deploy -run 'Profiles|Rendered' -update")
}

// profileNames are those of what a container may start with.
func profileNames(t *testing.T) []string {
	t.Helper()
	var names []string
	found, err := fs.Glob(policies.Files, "seccomp/*.json")
	require.NoError(t, err)
	for _, path := range found {
		if name := strings.TrimSuffix(filepath.Base(path), ".json"); !strings.Contains(name, ".") {
			names = append(names, name)
		}
	}
	require.NotEmpty(t, names)
	return names
}

// files are all of a directory, by their paths in it.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		found[name], err = os.ReadFile(filepath.Join(dir, name))
		return err
	}))
	return found
}

// TestRenderedIsTheChart's: what kubectl applies was made of the chart as it is, and nobody has
// changed it since. Helm itself is asked by TestHelmRendersTheSame.
func TestRenderedIsTheChart(t *testing.T) {
	for path, set := range rendered {
		if *update {
			require.NoError(t, os.WriteFile(path, render(t, set), 0o644))
		}
		kept, err := os.ReadFile(path)
		require.NoError(t, err)
		head, body, _ := bytes.Cut(kept, []byte("\n"))
		require.Equal(t, heading(t, body), string(head), "%s: go test ./tests/deploy -run 'Profiles|Rendered' -update", path)
	}
}

func TestHelmRendersTheSame(t *testing.T) {
	cluster.Require(t)
	for path, set := range rendered {
		kept, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(render(t, set)), string(kept), path)
	}
	said, err := helmCommand(t, "lint", "--strict", chart)
	require.NoError(t, err, said)
	said, err = helmCommand(t, "template", "hotcell", chart, "--set", "quota.pod=3")
	require.Error(t, err, "a value that is none was taken")
	require.Contains(t, said, "pod")
}

// rendered are the files that are made of the chart, with the arguments for each.
var rendered = map[string][]string{
	"../../deploy/hotcell.yaml":     nil,
	"../../deploy/serve/serve.yaml": {"--set", "serve.enabled=true", "--show-only", "templates/serve.yaml"},
}

func render(t *testing.T, set []string) []byte {
	t.Helper()
	body, err := helmCommand(t, append([]string{"template", "hotcell", chart}, set...)...)
	require.NoError(t, err, body)
	return []byte(heading(t, []byte(body)) + "\n" + body)
}

func helmCommand(t *testing.T, arguments ...string) (string, error) {
	t.Helper()
	command := exec.Command("go", append([]string{"run", "-trimpath", helm}, arguments...)...)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	var written, said bytes.Buffer
	command.Stdout, command.Stderr = &written, &said
	if err := command.Run(); err != nil {
		return written.String() + said.String(), err
	}
	return written.String(), nil
}

// heading is the first line of a rendered file: it has the sum of the chart, and of the rest.
func heading(t *testing.T, body []byte) string {
	t.Helper()
	sum := sha256.New()
	found := files(t, chart)
	for _, name := range sorted(found) {
		_, _ = fmt.Fprintf(sum, "%s %d\n", name, len(found[name]))
		_, _ = sum.Write(found[name])
	}
	_, _ = io.Copy(sum, bytes.NewReader(body))
	return fmt.Sprintf("# Made of the chart by a test (go test ./tests/deploy -update), and not to be edited: %x", sum.Sum(nil))
}
