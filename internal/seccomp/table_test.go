package seccomp_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/seccomp"
)

// The table is golang.org/x/sys/unix's: when that is updated, `go generate`
// brings the new calls, and somebody looks at them.
func TestTableIsUpToDate(t *testing.T) {
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/sys").Output()
	require.NoError(t, err)
	constant := regexp.MustCompile(`(?m)^\tSYS_(\w+) += (\d+)$`)
	for goarch, arch := range map[string]seccomp.Arch{"amd64": seccomp.AMD64, "arm64": seccomp.ARM64} {
		source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "unix", "zsysnum_linux_"+goarch+".go"))
		require.NoError(t, err)
		found := 0
		for _, match := range constant.FindAllStringSubmatch(string(source), -1) {
			if match[1] == "ARCH_SPECIFIC_SYSCALL" {
				continue
			}
			number, ok := seccomp.Number(arch, strings.ToLower(match[1]))
			require.True(t, ok, "%s lacks %s: run go generate", arch, match[1])
			require.Equal(t, match[2], strconv.Itoa(int(number)), match[1])
			found++
		}
		require.Equal(t, shipped(t, pythonAnalysis).Count(arch).Known, found)
	}
}

func TestNumber(t *testing.T) {
	number, ok := seccomp.Number(seccomp.AMD64, "newfstatat")
	require.True(t, ok)
	require.EqualValues(t, 262, number)
	number, ok = seccomp.Number(seccomp.ARM64, "newfstatat")
	require.True(t, ok)
	require.EqualValues(t, 79, number)
	for _, none := range []struct {
		arch seccomp.Arch
		name string
	}{{seccomp.ARM64, "fork"}, {seccomp.AMD64, "-"}, {seccomp.AMD64, ""}, {"SCMP_ARCH_X86", "read"}} {
		_, ok := seccomp.Number(none.arch, none.name)
		require.False(t, ok, "%+v", none)
	}
}

func TestNative(t *testing.T) {
	arch, ok := seccomp.Native("arm64")
	require.True(t, ok)
	require.Equal(t, seccomp.ARM64, arch)
	_, ok = seccomp.Native("riscv64")
	require.False(t, ok)
}
