package output_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/output"
)

// scene is a hostile directory, a manifest of it and a place to stage it.
type scene struct {
	dir, staging string
	manifest     []output.Declared
	rules        output.Rules
	known        []output.Known
}

func newScene(t testing.TB) *scene {
	t.Helper()
	s := &scene{dir: t.TempDir(), staging: t.TempDir(), rules: output.Rules{
		MaxFiles: 50, MaxBytes: 1 << 20, MaxDepth: 4, MediaTypes: output.MediaTypes(),
	}}
	require.NoError(t, os.Chmod(s.staging, 0o700))
	return s
}

func (s *scene) path(name string) string { return filepath.Join(s.dir, name) }

// write puts a file there without telling the manifest.
func (s *scene) write(t testing.TB, name, content string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(s.path(name)), 0o755))
	require.NoError(t, os.WriteFile(s.path(name), []byte(content), 0o644))
}

// declare tells the manifest of a file that need not be there.
func (s *scene) declare(name, content string) {
	s.manifest = append(s.manifest, output.Declared{
		Path: name, Bytes: int64(len(content)), SHA256: digest.Of([]byte(content)).Hex(), Role: output.RoleFile,
	})
}

// put does both.
func (s *scene) put(t testing.TB, name, content string) {
	t.Helper()
	s.write(t, name, content)
	s.declare(name, content)
}

func (s *scene) verify(t testing.TB) (*output.Verified, []job.Violation, error) {
	t.Helper()
	root, err := os.OpenRoot(s.dir)
	require.NoError(t, err)
	defer root.Close()
	return output.Verify(t.Context(), output.Options{Dir: root, Manifest: s.manifest, Rules: s.rules, Known: s.known, Staging: s.staging})
}

// accept wants the output to be verified.
func (s *scene) accept(t testing.TB) *output.Verified {
	t.Helper()
	verified, found, err := s.verify(t)
	require.NoError(t, err)
	require.Empty(t, found)
	require.NotNil(t, verified)
	t.Cleanup(func() { require.NoError(t, verified.Close()) })
	return verified
}

// refuse wants violations, and nothing left in the staging directory.
func (s *scene) refuse(t testing.TB) []job.Violation {
	t.Helper()
	verified, found, err := s.verify(t)
	require.NoError(t, err)
	require.Nil(t, verified)
	require.NotEmpty(t, found)
	require.Empty(t, tree(t, s.staging))
	return found
}

func rulesOf(found []job.Violation) []string {
	var names []string
	for _, violation := range found {
		names = append(names, violation.Rule)
	}
	return names
}

// tree maps the files below a directory to their content, directories to "/".
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	content := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			content[name] = "/"
			return nil
		}
		data, err := os.ReadFile(path)
		content[name] = string(data)
		return err
	}))
	return content
}

func needRoot(t testing.TB) {
	t.Helper()
	if os.Geteuid() == 0 {
		return
	}
	if os.Getenv("HOTCELL_REQUIRE_ALL") == "1" {
		t.Fatal("this test needs root")
	}
	t.Skip("this test needs root")
}
