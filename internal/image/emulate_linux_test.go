package image

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnUnknownArchitectureIsTheCallersMistake(t *testing.T) {
	_, err := newStore(t).Build(t.Context(), BuildOptions{Architecture: "riscv64"})
	require.ErrorIs(t, err, ErrUnknownArchitecture)
	require.ErrorContains(t, err, `unknown architecture "riscv64": on `+runtime.GOARCH+` images are made for `)
}

// The kernel's table of emulators is the machine's, and decides what each of its
// programs runs: a build must not leave anything there, for a moment either.
func TestAForeignProgramRunsAndTheMachineStaysAsItIs(t *testing.T) {
	if os.Geteuid() != 0 || canEmulate(foreign()) != nil {
		t.Skip("needs root and qemu-user-static, which an image for another architecture needs")
	}
	table := "/proc/sys/fs/binfmt_misc"
	before := names(t, table)
	root := t.TempDir()
	compile(t, filepath.Join(root, "program"))

	var said bytes.Buffer
	program, err := emulated(child{argv: []string{"/program", table}, env: []string{"PATH=/usr/bin"}, root: root, progress: &said}, foreign())
	require.NoError(t, err)
	require.NoError(t, run(t.Context(), program))
	require.Equal(t, "0 "+foreign()+"\n", said.String())
	require.Equal(t, before, names(t, table))
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// compile makes a program of another architecture, which needs nothing below its root.
func compile(t *testing.T, path string) {
	t.Helper()
	source := filepath.Join(t.TempDir(), "main.go")
	text := `package main

import (
	"fmt"
	"os"
	"runtime"
)

func main() { fmt.Println(os.Getuid(), runtime.GOARCH) }
`
	require.NoError(t, os.WriteFile(source, []byte(text), 0o600))
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path, source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+foreign(), "GOFLAGS=")
	output, err := build.CombinedOutput()
	require.NoError(t, err, string(output))
}
