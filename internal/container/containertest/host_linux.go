package containertest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/moby/sys/mountinfo"

	"hotcell/internal/container"
)

// HostProcesses returns the processes of this kernel whose argument vector holds
// marker. A zombie has none and is not returned.
func HostProcesses(marker string) ([]int, error) {
	if marker == "" {
		return nil, errors.New("find processes: marker is empty")
	}
	paths, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, path := range paths {
		vector, err := os.ReadFile(path)
		if err != nil {
			continue // it ended while we looked
		}
		if bytes.Contains(vector, []byte(marker)) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			if err != nil {
				return nil, err
			}
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// HostKill sends SIGKILL to the process that is the first of its pid namespace
// among those that HostProcesses finds.
func HostKill(marker string) error {
	pids, err := HostProcesses(marker)
	if err != nil {
		return err
	}
	for _, pid := range pids {
		first, err := isFirst(pid)
		if err != nil {
			return err
		}
		if first {
			process, err := os.FindProcess(pid)
			if err != nil {
				return err
			}
			return process.Kill()
		}
	}
	return fmt.Errorf("kill sandbox: none of the processes %v is the first of a pid namespace", pids)
}

// isFirst reads NSpid, which lists the process's numbers from this namespace to
// the innermost.
func isFirst(pid int) (bool, error) {
	status, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return false, err
	}
	defer status.Close()
	lines := bufio.NewScanner(status)
	for lines.Scan() {
		if numbers, found := strings.CutPrefix(lines.Text(), "NSpid:"); found {
			fields := strings.Fields(numbers)
			return len(fields) > 1 && fields[len(fields)-1] == "1", nil
		}
	}
	return false, errors.Join(lines.Err(), fmt.Errorf("read status of process %d: no NSpid", pid))
}

// HostLeftovers returns the mounts and cgroups whose name holds id.
func HostLeftovers(id container.ID) ([]string, error) {
	mounts, err := mountinfo.GetMounts(func(info *mountinfo.Info) (skip, stop bool) {
		return !strings.Contains(info.Mountpoint+info.Root, id.String()), false
	})
	if err != nil {
		return nil, fmt.Errorf("list mounts: %w", err)
	}
	var left []string
	for _, mount := range mounts {
		left = append(left, "mount "+mount.Mountpoint)
	}
	groups, err := groupsNamed(id.String())
	return append(left, groups...), err
}

func groupsNamed(text string) ([]string, error) {
	var found []string
	err := filepath.WalkDir("/sys/fs/cgroup", func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // another's, removed while we looked
		}
		if err != nil {
			return err
		}
		if entry.IsDir() && strings.Contains(entry.Name(), text) {
			found = append(found, "cgroup "+path)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list cgroups: %w", err)
	}
	return found, nil
}

// listenAbstract listens on an abstract Unix socket, which belongs to the network
// namespace and to no file system (CVE-2020-15257), and returns its name.
func listenAbstract(t *testing.T, name string, reached *atomic.Int64) string {
	t.Helper()
	listen(t, "unix", "@"+name, reached)
	return name
}
