//go:build linux

package cgroup

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/containerd/cgroups/v3/cgroup1"
)

// Usage is what the processes of a group have consumed, by the kernel's count.
type Usage struct {
	CPUTime         time.Duration // user and system
	MemoryPeakBytes int64         // -1 where the kernel does not keep it
	PIDsPeak        int64         // -1 where the kernel does not keep it
	OOMKills        int64         // processes that the kernel killed because the group had met its memory limit
	HostOOMKills    int64         // others by the out-of-memory killer: the host ran out, or a group above
	MemoryMet       bool          // the group and those below have together met its memory limit
	PIDsDenied      int64         // forks and clones refused because of the group's pids.max
}

// Usage reads all counters. It works while the group lives and after its last
// process has ended, until Delete. A group that is gone is ErrNotFound.
func (g *Group) Usage() (Usage, error) {
	usage, err := g.read()
	if isGone(err) || errors.Is(err, cgroup1.ErrCgroupDeleted) {
		if found, existsErr := exists(g.mode, g.path); existsErr == nil && !found {
			err = ErrNotFound
		}
	}
	if err != nil {
		return Usage{}, fmt.Errorf("read usage of control group %s: %w", g.path, err)
	}
	return usage, nil
}

// CPUTime reads the CPU time alone; cheap enough for a ticker.
func (g *Group) CPUTime() (time.Duration, error) {
	used, err := g.tree.cpuTime()
	if err != nil {
		return 0, fmt.Errorf("read CPU time of control group %s: %w", g.path, err)
	}
	return used, nil
}

// Memory is what the group holds at this moment, in bytes.
func (g *Group) Memory() (int64, error) {
	held, err := optionalNumber(g.tree.memoryFile())
	if err != nil || held < 0 {
		return 0, fmt.Errorf("read memory of control group %s: %w", g.path, cmp.Or(err, fs.ErrNotExist))
	}
	return held, nil
}

// Tasks is how many processes and threads the group holds at this moment.
func (g *Group) Tasks() (int64, error) {
	tasks, err := optionalNumber(filepath.Join(g.tree.pidsDir(), "pids.current"))
	if err != nil || tasks < 0 {
		return 0, fmt.Errorf("count tasks of control group %s: %w", g.path, cmp.Or(err, fs.ErrNotExist))
	}
	return tasks, nil
}

func (g *Group) read() (Usage, error) {
	var usage Usage
	var err error
	if usage.CPUTime, err = g.tree.cpuTime(); err != nil {
		return Usage{}, err
	}
	memory, err := g.tree.memory()
	if err != nil {
		return Usage{}, err
	}
	usage.MemoryPeakBytes, usage.MemoryMet = memory.peakBytes, memory.met
	if memory.met {
		usage.OOMKills = memory.kills
	} else {
		usage.HostOOMKills = memory.kills
	}
	if usage.PIDsDenied, err = requiredCount(filepath.Join(g.tree.pidsDir(), "pids.events"), "max"); err != nil {
		return Usage{}, err
	}
	if usage.PIDsDenied, err = g.OwnDenials(usage.PIDsDenied); err != nil {
		return Usage{}, err
	}
	usage.PIDsPeak, err = optionalNumber(filepath.Join(g.tree.pidsDir(), "pids.peak")) // Linux 6.1
	return usage, err
}

// OwnDenials returns 0 when a group above has reached its limit and this one has not:
// then none of the denied forks is this group's. Before Linux 6.11, and on v1, the kernel
// counts them where they were tried, whichever group had no room. In doubt they are this
// group's, because forks at the same moment may lower a peak.
func (g *Group) OwnDenials(count int64) (int64, error) {
	if count == 0 {
		return 0, nil
	}
	others, err := g.othersDenied()
	if err != nil {
		return 0, fmt.Errorf("look whose limit denied forks in control group %s: %w", g.path, err)
	}
	if others {
		return 0, nil
	}
	return count, nil
}

func (g *Group) othersDenied() (bool, error) {
	if exact, err := g.CountsBelow(); err != nil || exact {
		return false, err
	}
	if met, err := hasMetPIDs(g.tree.pidsDir()); err != nil || met {
		return false, err
	}
	root := strings.TrimSuffix(g.tree.pidsDir(), g.path)
	for path := g.path; path != "/"; {
		path = filepath.Dir(path)
		if met, err := hasMetPIDs(filepath.Join(root, path)); err != nil || met {
			return met, err
		}
	}
	return false, nil
}

// hasMetPIDs reports whether a group has had as many processes as it may. It is false for
// the kernel's root, which has no limit, and before Linux 6.1.
func hasMetPIDs(dir string) (bool, error) {
	peak, err := optionalNumber(filepath.Join(dir, "pids.peak"))
	if err != nil || peak < 0 {
		return false, err
	}
	reader := limitReader{}
	return peak >= reader.limit(dir, "pids.max"), reader.err
}

// requiredCount returns the value of name in a file of "name value" lines. A
// missing line is an error: containerd/cgroups would report it as 0, and a count
// of out-of-memory kills that is 0 because a file is missing is a false statement.
func requiredCount(path, name string) (int64, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		key, value, _ := strings.Cut(scanner.Text(), " ")
		if key == name {
			return parseCount(path, value)
		}
	}
	if err := scanner.Err(); err != nil {
		return 0, fmt.Errorf("read %s: %w", path, err)
	}
	return 0, fmt.Errorf("%s has no line %q: this kernel does not count it", path, name)
}

func optionalNumber(path string) (int64, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return -1, nil
	}
	if err != nil {
		return 0, err
	}
	return parseCount(path, strings.TrimSpace(string(content)))
}

func parseCount(path, text string) (int64, error) {
	count, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("parse %s: %w", path, err)
	}
	return count, nil
}
