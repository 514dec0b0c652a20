package security_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// by32BitCalls are the probes that make one (int 0x80). Not every machine has them: under some
// hypervisors the processor faults, whatever the kernel was built with.
var by32BitCalls = []string{"foreign_architecture", "socketcall"}

// makes32BitCalls tries one, in a program of its own.
func makes32BitCalls(t *testing.T) bool {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		return false
	}
	const base, header = 0x400000, 64 + 56
	code := []byte{
		0xb8, 20, 0, 0, 0, 0xcd, 0x80, // mov eax, 20 (getpid); int 0x80
		0x31, 0xff, 0xb8, 60, 0, 0, 0, 0x0f, 0x05, // xor edi, edi; mov eax, 60 (exit); syscall
	}
	size := uint64(header + len(code))
	var program bytes.Buffer
	program.WriteString("\x7fELF\x02\x01\x01" + string(make([]byte, 9)))
	for _, field := range []any{
		uint16(2), uint16(62), uint32(1), uint64(base + header), uint64(64), uint64(0), uint32(0), // EXEC, x86-64
		uint16(64), uint16(56), uint16(1), uint16(0), uint16(0), uint16(0),
		uint32(1), uint32(5), uint64(0), uint64(base), uint64(base), size, size, uint64(0x1000), // LOAD, read and execute
	} {
		require.NoError(t, binary.Write(&program, binary.LittleEndian, field))
	}
	program.Write(code)
	path := filepath.Join(t.TempDir(), "call")
	require.NoError(t, os.WriteFile(path, program.Bytes(), 0o700))
	err := exec.CommandContext(t.Context(), path).Run()
	if err != nil {
		t.Logf("a 32-bit call: %v", err)
		exit := new(exec.ExitError)
		require.ErrorAs(t, err, &exit, "it could not be tried")
		require.False(t, exit.Exited(), "it ended by itself")
	}
	return err == nil
}
