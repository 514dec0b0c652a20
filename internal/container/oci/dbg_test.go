//go:build linux

package oci

import (
	"os"
	"os/exec"
	"testing"
	"fmt"
)

func TestDbgGVisor(t *testing.T) {
	s := guest(t, newHost(t, gVisor), []string{"/usr/bin/python3", "-c", "import os; os.fork()"})
	out, _ := exec.Command("sh", "-c", fmt.Sprintf("ps -eo pid,ppid,pgid,sid,stat,args | cut -c1-100| grep -E ' %d |exe|runsc' ", os.Getpid())).CombinedOutput()
	t.Log("idle", string(out), s.init.pid, s.pipes.command.Process.Pid)
	run(t, s)
	out, _ = exec.Command("sh", "-c", fmt.Sprintf("ps -eo pid,ppid,pgid,sid,stat,args |cut -c1-100| grep -E ' %d |exe|runsc' ", os.Getpid())).CombinedOutput()
	t.Log("ran", string(out))
}
