package output_test

import (
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/output"
)

// TestUnreadableFilesAreViolations runs itself as nobody where it is root, whom
// no mode keeps out.
func TestUnreadableFilesAreViolations(t *testing.T) {
	if os.Geteuid() == 0 {
		rerunAsNobody(t)
		return
	}
	s := newScene(t)
	s.put(t, "a.csv", "x")
	s.put(t, "dir/b.csv", "x")
	require.NoError(t, os.Chmod(s.path("a.csv"), 0))
	require.NoError(t, os.Chmod(s.path("dir"), 0))
	defer func() { require.NoError(t, os.Chmod(s.path("dir"), 0o700)) }()
	require.ElementsMatch(t, []string{output.RuleMode, output.RuleMode}, rulesOf(s.refuse(t)))
}

func rerunAsNobody(t *testing.T) {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "unreadable")
	require.NoError(t, err)
	defer func() { require.NoError(t, os.RemoveAll(dir)) }()
	const nobody = 65534
	require.NoError(t, os.Chown(dir, nobody, nobody))
	program, err := os.ReadFile(os.Args[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(dir+"/test", program, 0o755))
	cmd := exec.Command(dir+"/test", "-test.run=^"+t.Name()+"$")
	cmd.Dir, cmd.Env = dir, []string{"TMPDIR=" + dir}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
