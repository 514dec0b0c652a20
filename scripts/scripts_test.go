// Package scripts_test tries the scripts that every build depends on.
package scripts_test

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

const works, fails = "#!/bin/sh\nexit 0\n", "#!/bin/sh\nexit 1\n"

func TestBuildNamesWhatIsMissing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere there is nothing but Go to miss")
	}
	noHeaders := "#!/bin/sh\n[ \"$1\" = --version ]\n"
	tests := map[string]struct {
		programs    map[string]string
		environment []string
		arguments   []string
		missing     []string // at the beginning of a line
		setup       string   // the command that installs it, setup if empty
	}{
		"nothing":                {programs: map[string]string{"go": works, "gcc": works, "pkg-config": works}},
		"Go":                     {programs: map[string]string{"gcc": works, "pkg-config": works}, missing: []string{"Go 1"}},
		"a compiler":             {programs: map[string]string{"go": works, "pkg-config": works}, missing: []string{"gcc"}},
		"a compiler that starts": {programs: map[string]string{"go": works, "gcc": fails, "pkg-config": works}, missing: []string{"gcc"}},
		"headers of the C library": {
			programs: map[string]string{"go": works, "gcc": noHeaders, "pkg-config": works}, missing: []string{"libc6-dev"}},
		"headers of libseccomp": {
			programs: map[string]string{"go": works, "gcc": works, "pkg-config": noHeaders}, missing: []string{"libseccomp-dev"}},
		"pkg-config": {programs: map[string]string{"go": works, "gcc": works}, missing: []string{"pkg-config", "libseccomp-dev"}},
		"cgo": {
			programs:    map[string]string{"go": works, "gcc": works, "pkg-config": works},
			environment: []string{"CGO_ENABLED=0"}, missing: []string{"cgo"}},
		"all":                         {missing: []string{"Go 1", "gcc", "pkg-config", "libseccomp-dev"}},
		"the compiler that CC names":  {programs: map[string]string{"go": works, "gcc": works, "pkg-config": works}, environment: []string{"CC=clang"}, missing: []string{"gcc"}},
		"nothing, CC with a flag":     {programs: map[string]string{"go": works, "clang": works, "pkg-config": works}, environment: []string{"CC=clang -O2"}},
		"nothing, Go by another name": {programs: map[string]string{"go9": works, "gcc": works, "pkg-config": works}, environment: []string{"GO=go9"}},
		"nothing, for arm64": {
			programs:  map[string]string{"go": works, "gcc": works, "pkg-config": works, "aarch64-linux-gnu-gcc": works},
			arguments: []string{"arm64"}},
		"a compiler for arm64": {
			programs:  map[string]string{"go": works, "gcc": works, "pkg-config": works},
			arguments: []string{"arm64"}, missing: []string{"gcc-aarch64-linux-gnu"}, setup: "setup-cross"},
		"headers for arm64": {
			programs:  map[string]string{"go": works, "gcc": works, "pkg-config": works, "aarch64-linux-gnu-gcc": noHeaders},
			arguments: []string{"arm64"}, missing: []string{"libc6-dev-arm64-cross"}, setup: "setup-cross"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			said, err := checkBuild(t, test.programs, test.environment, test.arguments)
			if len(test.missing) == 0 {
				require.NoError(t, err, said)
				require.Empty(t, said)
				return
			}
			require.Error(t, err)
			for _, each := range test.missing {
				require.Contains(t, said, "\n  "+each)
			}
			require.Contains(t, said, "`make "+cmp.Or(test.setup, "setup")+"` as root installs these packages")
		})
	}
}

// checkBuild runs check-build.sh on a machine that has these programs only, besides
// what the script itself is written in.
func checkBuild(t *testing.T, programs map[string]string, environment, arguments []string) (said string, err error) {
	t.Helper()
	path := t.TempDir()
	for _, own := range []string{"bash", "uname"} {
		found, err := exec.LookPath(own)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(found, filepath.Join(path, own)))
	}
	for name, text := range programs {
		require.NoError(t, os.WriteFile(filepath.Join(path, name), []byte(text), 0o755))
	}
	command := exec.CommandContext(t.Context(), filepath.Join(path, "bash"), append([]string{"check-build.sh"}, arguments...)...)
	command.Env = append([]string{"PATH=" + path}, environment...)
	output, err := command.CombinedOutput()
	return string(output), err
}

func TestVersionIsTheTagOrTheCommit(t *testing.T) {
	tree := t.TempDir()
	scripts := filepath.Join(tree, "scripts")
	require.NoError(t, os.Mkdir(scripts, 0o755))
	text, err := os.ReadFile("version.sh")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(scripts, "version.sh"), text, 0o755))
	run := func(name string, arguments ...string) string {
		command := exec.CommandContext(t.Context(), name, arguments...)
		command.Dir = tree
		command.Env = append(os.Environ(), "HOME="+tree, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES="+filepath.Dir(tree),
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@localhost", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@localhost")
		output, err := command.CombinedOutput()
		require.NoError(t, err, "%s", output)
		return string(output)
	}

	require.Empty(t, run(filepath.Join(scripts, "version.sh")), "without git")
	run("git", "init", "--quiet")
	run("git", "add", ".")
	run("git", "commit", "--quiet", "--message", "first")
	require.Regexp(t, `^[0-9a-f]{7,}\n$`, run(filepath.Join(scripts, "version.sh")))
	run("git", "tag", "v0.1.0")
	require.Equal(t, "v0.1.0\n", run(filepath.Join(scripts, "version.sh")))
	run("git", "tag", "--force", "unrelated")
	require.NoError(t, os.WriteFile(filepath.Join(scripts, "version.sh"), append(text, '\n'), 0o755))
	require.Equal(t, "v0.1.0-dirty\n", run(filepath.Join(scripts, "version.sh")))
}
