//go:build linux

package cgroup

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	systemd "github.com/coreos/go-systemd/v22/dbus"
	specs "github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"
)

// CreateSlice makes a group that is a slice of systemd's, with its limits: for an
// engine whose own groups systemd makes, below one that it is told. name has letters
// and digits only, because a dash would make a slice of a slice. Like any Group it is
// read by Usage and Limits and ended by Kill; RemoveSlice removes it, and Delete will
// not. What is written is written by systemd. Its counters include those of the
// groups that were in it.
func CreateSlice(ctx context.Context, name string, resources *specs.LinuxResources) (*Group, error) {
	path := SlicePath(name)
	unit := filepath.Base(path)
	err := withSystemd(ctx, func(ctx context.Context, connection *systemd.Conn) error {
		if err := await(ctx, func(ended chan<- string) (int, error) {
			return connection.StartTransientUnitContext(ctx, unit, "fail", sliceProperties(resources), ended)
		}); err != nil {
			return err
		}
		return requireGroup(ctx, connection, path, "Slice")
	})
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", unit, err)
	}
	return Load(path)
}

// UpdateSlice sets new limits of a group of CreateSlice. Some may have been set when it
// fails. Written past systemd, they would last until it writes its own again.
func UpdateSlice(ctx context.Context, name string, resources *specs.LinuxResources) error {
	unit := filepath.Base(SlicePath(name))
	err := withSystemd(ctx, func(ctx context.Context, connection *systemd.Conn) error {
		return connection.SetUnitPropertiesContext(ctx, unit, true, limitProperties(resources)...)
	})
	if err != nil {
		return fmt.Errorf("update %s: %w", unit, err)
	}
	return nil
}

// SlicePath is where systemd has the group of CreateSlice.
func SlicePath(name string) string {
	return filepath.Join("/", slice, strings.TrimSuffix(slice, ".slice")+"-"+name+".slice")
}

func sliceProperties(resources *specs.LinuxResources) []systemd.Property {
	return append([]systemd.Property{
		systemd.PropDescription("a sandbox of Hotcell's"), property("CollectMode", "inactive-or-failed"),
	}, limitProperties(resources)...)
}

func limitProperties(resources *specs.LinuxResources) []systemd.Property {
	properties := []systemd.Property{
		property("MemoryMax", uint64(*resources.Memory.Limit)),
		property("TasksMax", uint64(*resources.Pids.Limit)),
		// Microseconds in a second: the quota's period is the kernel's own.
		property("CPUQuotaPerSecUSec", uint64(*resources.CPU.Quota)*uint64(time.Second.Microseconds()) / *resources.CPU.Period),
		property("CPUQuotaPeriodUSec", *resources.CPU.Period),
	}
	if resources.Memory.Swap != nil {
		// The runtime-spec counts memory and swap together.
		properties = append(properties, property("MemorySwapMax", uint64(*resources.Memory.Swap-*resources.Memory.Limit)))
	}
	return properties
}

// sliceUnit returns the unit of CreateSlice whose group is at path, "" for another
// group.
func sliceUnit(path string) string {
	if unit := filepath.Base(path); path == filepath.Join("/", slice, unit) && filepath.Ext(unit) == ".slice" {
		return unit
	}
	return ""
}

// killSlice lets systemd send SIGKILL to every process of the unit.
func killSlice(ctx context.Context, unit string) error {
	return withSystemd(ctx, func(ctx context.Context, connection *systemd.Conn) error {
		return ignoreMissing(connection.KillUnitWithTarget(ctx, unit, systemd.All, int32(unix.SIGKILL)))
	})
}

// RemoveSlice ends what lives in a group of CreateSlice and removes it, if it exists.
func RemoveSlice(ctx context.Context, name string) error {
	unit := filepath.Base(SlicePath(name))
	err := withSystemd(ctx, func(ctx context.Context, connection *systemd.Conn) error {
		return ignoreMissing(await(ctx, func(ended chan<- string) (int, error) {
			return connection.StopUnitContext(ctx, unit, "replace", ended)
		}))
	})
	if err != nil {
		return fmt.Errorf("stop %s: %w", unit, err)
	}
	return nil
}

// AskSystemd says why there can be no slices here, nil if there can.
func AskSystemd(ctx context.Context) error {
	if !systemdRuns() {
		return errors.New("systemd does not run here")
	}
	return withSystemd(ctx, func(context.Context, *systemd.Conn) error { return nil })
}
