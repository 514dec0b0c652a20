package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a caller leaves open must not get into a tool, nor into a runtime.
func TestNoDescriptorOfTheCallersIsHandedOn(t *testing.T) {
	dir := map[bool]string{true: "/proc/self/fd", false: "/dev/fd"}[runtime.GOOS == "linux"]
	for name, own := range map[string]func() error{
		"at once": ownDescriptors,
		"each":    func() error { return eachOnExec(dir) },
		"a command": func() error {
			execute([]string{"version"}, strings.NewReader(""), new(strings.Builder), new(strings.Builder))
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			var numbers []int
			for range 3 {
				number, err := syscall.Dup(0) // as the caller's: not closed by execve(2)
				require.NoError(t, err)
				defer syscall.Close(number)
				numbers = append(numbers, number)
			}
			for _, number := range numbers {
				require.True(t, handedOn(t, dir, number), "the test shows nothing")
			}
			require.NoError(t, own())
			for _, number := range numbers {
				require.False(t, handedOn(t, dir, number))
				_, err := os.Stat(fmt.Sprintf("%s/%d", dir, number))
				require.NoError(t, err, "it stays open here")
			}
		})
	}
}

func handedOn(t *testing.T, dir string, number int) bool {
	t.Helper()
	return exec.Command("/bin/sh", "-c", fmt.Sprintf("test -e %s/%d", dir, number)).Run() == nil
}
