package integration_test

import (
	"bufio"
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/image"
	"hotcell/internal/image/imagetest"
)

// visitor is the uid of a user who exists in the tests' mount namespaces alone, with
// an account and subordinate ids that no file of this host has.
const visitor = 61234

// beVisitor becomes the visitor, with the files of /etc below "$1" over the host's.
// setpriv is util-linux's, as unshare is.
const beVisitor = `
etc=$1; shift
for file in passwd group subuid subgid; do [ -e "/etc/$file" ] || exit 99; mount --bind "$etc/$file" "/etc/$file"; done
exec setpriv --reuid 61234 --regid 61234 --clear-groups -- "$@"`

// home is the visitor's home and what his /etc says of him.
type home struct{ dir, etc string }

func newHome(t *testing.T, subordinate string) home {
	t.Helper()
	for _, program := range []string{"newuidmap", "newgidmap", "setpriv", "unshare"} {
		if _, err := exec.LookPath(program); err != nil {
			imagetest.Lacking(t, "needs "+program)
		}
	}
	top := t.TempDir()
	for dir := top; strings.HasPrefix(dir, os.TempDir()+"/"); dir = filepath.Dir(dir) {
		require.NoError(t, os.Chmod(dir, 0o755)) // or the visitor does not get there
	}
	made := home{dir: filepath.Join(top, "home"), etc: filepath.Join(top, "etc")}
	require.NoError(t, os.Mkdir(made.dir, 0o700))
	require.NoError(t, os.Chown(made.dir, visitor, visitor))
	require.NoError(t, os.Mkdir(made.etc, 0o755))
	for name, content := range map[string]string{
		"passwd": "root:x:0:0::/root:/bin/sh\n_apt:x:42:65534::/nonexistent:/bin/false\nvisitor:x:61234:61234::" + made.dir + ":/bin/sh\n",
		"group":  "root:x:0:\nnogroup:x:65534:\nvisitor:x:61234:\n",
		"subuid": subordinate, "subgid": subordinate,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(made.etc, name), []byte(content), 0o644))
	}
	return made
}

// command runs the runner as the visitor.
func (h home) command(t *testing.T, arguments ...string) *exec.Cmd {
	t.Helper()
	program := filepath.Join(filepath.Dir(h.dir), "runner") // where the visitor gets to it
	content, err := os.ReadFile(runnerPath)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(program, content, 0o755))
	cmd := exec.CommandContext(t.Context(), "unshare", append([]string{"--mount", "--propagation", "private", "sh", "-euc", beVisitor, "sh", h.etc, program}, arguments...)...)
	cmd.Env = []string{"HOME=" + h.dir, "PATH=/usr/bin:/bin:/usr/sbin:/sbin"}
	cmd.Dir = "/"
	return cmd
}

// images is where the visitor's store is by default.
func (h home) images() string { return filepath.Join(h.dir, ".local/state/hotcell/images") }

// withBase gives the visitor the base layer that root has built: fetching Debian's
// packages again takes minutes.
func (h home) withBase(t *testing.T) image.Image {
	t.Helper()
	store, built := imagetest.Built(t)
	if current, err := image.Current(built); err != nil || !current {
		imagetest.Lacking(t, "needs the image of this recipe and guard, see `make image`")
	}
	read, err := store.OCIImage(built.Digest)
	require.NoError(t, err)
	manifest, err := read.Manifest()
	require.NoError(t, err)
	for _, name := range []string{"bases/" + string(built.Recipe) + ".json", "blobs/sha256/" + manifest.Layers[0].Digest.Hex} {
		target := filepath.Join(h.images(), name)
		require.NoError(t, os.MkdirAll(filepath.Dir(target), 0o700))
		output, err := exec.CommandContext(t.Context(), "cp", "--reflink=auto", filepath.Join(store.Dir(), name), target).CombinedOutput()
		require.NoError(t, err, string(output))
	}
	for _, path := range append(below(t, h.dir), h.dir) {
		require.NoError(t, os.Lchown(path, visitor, visitor))
	}
	return built
}

// TestAnImageIsBuiltWithoutRoot: the digest is that of root's image, so that names,
// bytes, owners and modes of its layers are, too; and all that is left is the user's.
func TestAnImageIsBuiltWithoutRoot(t *testing.T) {
	h := newHome(t, "visitor:2000000000:65536\n")
	built := h.withBase(t)
	cmd := h.command(t, "image", "build", "--json")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.NoError(t, cmd.Run(), stderr.String())
	require.Contains(t, stdout.String(), built.Digest)
	require.Contains(t, stderr.String(), "adding the guard")
	require.NoError(t, filepath.WalkDir(h.dir, func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := entry.Info()
		require.NoError(t, err)
		require.EqualValues(t, visitor, info.Sys().(*syscall.Stat_t).Uid, path)
		return nil
	}))
	require.NoDirExists(t, filepath.Join(h.images(), "tmp/build"))
}

// TestWithoutSubordinateIDsTheWayOutIsNamed: with the file and the command.
func TestWithoutSubordinateIDsTheWayOutIsNamed(t *testing.T) {
	for name, content := range map[string]string{"none": "root:100000:65536\n", "too few": "visitor:100000:1000\n"} {
		t.Run(name, func(t *testing.T) {
			imagetest.Require(t)
			output, err := newHome(t, content).command(t, "image", "build").CombinedOutput()
			require.Error(t, err)
			require.Contains(t, string(output), "/etc/subuid")
			require.Contains(t, string(output), "/etc/subgid")
			require.Contains(t, string(output), "usermod --add-subuids 100000-165535 --add-subgids 100000-165535 visitor")
		})
	}
}

// TestABuildWithoutRootEndsWithItsRunner: the runner that is killed cannot end the
// other half of the build, which is in a namespace of its own; it has to see that.
func TestABuildWithoutRootEndsWithItsRunner(t *testing.T) {
	h := newHome(t, "visitor:2000000000:65536\n")
	h.withBase(t)
	cmd := h.command(t, "image", "build")
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(stderr).ReadString('\n') // the other half has begun
	require.NoError(t, err)
	require.Contains(t, line, "base layer")
	require.NotEmpty(t, processesNaming(t, []string{h.dir}))
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.Eventually(t, func() bool { return len(processesNaming(t, []string{h.dir})) == 0 }, time.Minute, 50*time.Millisecond)
	require.NoDirExists(t, filepath.Join(h.images(), "tmp/build"), "it has cleaned up")
	require.NoFileExists(t, filepath.Join(h.images(), "index.json"), "it ended by being done")
}
