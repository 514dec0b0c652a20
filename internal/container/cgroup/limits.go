//go:build linux

package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Unlimited is the value of a limit that is not set.
const Unlimited = math.MaxInt64

// Settings is what the kernel enforces on a group at this moment.
type Settings struct {
	MemoryBytes int64
	SwapBytes   int64 // beyond memory; Unlimited also where the kernel cannot limit it
	PIDs        int64
	CPUMillis   int64 // thousandths of one CPU
}

// Limits reads back what was set, so that a limit which never arrived in the
// kernel is found out.
func (g *Group) Limits() (Settings, error) {
	limits, err := g.tree.limits()
	if err != nil {
		return Settings{}, fmt.Errorf("read limits of control group %s: %w", g.path, err)
	}
	return limits, nil
}

// And returns what a process may have that is under both.
func (l Settings) And(other Settings) Settings {
	return Settings{
		MemoryBytes: min(l.MemoryBytes, other.MemoryBytes),
		SwapBytes:   min(l.SwapBytes, other.SwapBytes),
		PIDs:        min(l.PIDs, other.PIDs),
		CPUMillis:   min(l.CPUMillis, other.CPUMillis),
	}
}

func (u unified) limits() (Settings, error) {
	reader := limitReader{}
	limits := Settings{
		MemoryBytes: reader.limit(u.dir, "memory.max"),
		SwapBytes:   reader.optional(u.dir, "memory.swap.max"),
		PIDs:        reader.limit(u.dir, "pids.max"),
	}
	quota, period, found := strings.Cut(reader.text(u.dir, "cpu.max"), " ")
	if !found && reader.err == nil {
		reader.err = errors.New("cpu.max does not hold two fields")
	}
	limits.CPUMillis = millis(reader.parse(quota), reader.parse(period))
	return limits, reader.err
}

func (l legacy) limits() (Settings, error) {
	memory := filepath.Join(mountpoint, "memory", l.path)
	cpu := filepath.Join(mountpoint, "cpu", l.path)
	reader := limitReader{}
	limits := Settings{
		MemoryBytes: reader.limit(memory, "memory.limit_in_bytes"),
		SwapBytes:   reader.optional(memory, "memory.memsw.limit_in_bytes"),
		PIDs:        reader.limit(filepath.Join(mountpoint, "pids", l.path), "pids.max"),
		CPUMillis:   millis(reader.limit(cpu, "cpu.cfs_quota_us"), reader.limit(cpu, "cpu.cfs_period_us")),
	}
	if limits.SwapBytes != Unlimited {
		limits.SwapBytes -= limits.MemoryBytes
	}
	return limits, reader.err
}

func millis(quota, period int64) int64 {
	if quota == Unlimited || period <= 0 {
		return Unlimited
	}
	return quota * 1000 / period
}

// limitReader keeps the first error.
type limitReader struct{ err error }

func (r *limitReader) limit(dir, name string) int64 { return r.parse(r.text(dir, name)) }

func (r *limitReader) optional(dir, name string) int64 {
	if _, err := os.Stat(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) {
		return Unlimited
	}
	return r.limit(dir, name)
}

func (r *limitReader) text(dir, name string) string {
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil && r.err == nil {
		r.err = err
	}
	return strings.TrimSpace(string(content))
}

// parse reads "max", and v1's -1 and its page-rounded maximum, as Unlimited.
func (r *limitReader) parse(text string) int64 {
	if r.err != nil || text == "max" {
		return Unlimited
	}
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		r.err = err
	}
	if value < 0 || value > math.MaxInt64-1<<20 {
		return Unlimited
	}
	return value
}
