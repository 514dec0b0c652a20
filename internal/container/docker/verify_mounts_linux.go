package docker

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/moby/sys/mountinfo"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
)

// wantedMount is a mount whose options matter. host is the path of the same file
// system on this host, "" for none: a daemon in another mount namespace would
// give an ordinary directory in its place.
type wantedMount struct {
	target  string
	fstype  string
	options []string
	host    string
}

func (m *localMonitor) wantedMounts() []wantedMount {
	confined := []string{"nosuid", "nodev", "noexec"}
	mounts := []wantedMount{
		{target: "/", options: []string{"ro"}},
		{target: container.ScratchDir, fstype: "tmpfs", options: confined},
		{target: container.OutputDir, fstype: "tmpfs", options: confined, host: m.output},
	}
	if m.bundle != "" {
		bundle := wantedMount{target: container.BundleDir, options: append([]string{"ro"}, confined...), host: m.bundle}
		if m.output == "" { // the daemon's own: see nearMonitor.checkBundle
			bundle.host = ""
		}
		mounts = append(mounts, bundle)
	}
	return mounts
}

// allowedMounts are what the runtime mounts besides wantedMounts: whole trees
// that end in "/", and single targets.
var allowedMounts = []string{
	"/proc", "/proc/", "/dev", "/dev/", "/sys", "/sys/",
	"/etc/hostname", "/etc/hosts", "/etc/resolv.conf", podmanMark,
}

func (m *localMonitor) checkMounts(process proc) error {
	file, err := os.Open(filepath.Join(process.dir, "mountinfo"))
	if err != nil {
		return fmt.Errorf("read mounts: %w", err)
	}
	defer file.Close()
	found, err := mountinfo.GetMountsFromReader(file, nil)
	if err != nil {
		return fmt.Errorf("read mounts: %w", err)
	}
	return compareMounts(m.wantedMounts(), found)
}

func compareMounts(wanted []wantedMount, found []*mountinfo.Info) error {
	var faults []error
	for _, want := range wanted {
		faults = append(faults, want.compare(found))
	}
	for _, info := range found {
		known := slices.ContainsFunc(wanted, func(want wantedMount) bool { return want.target == info.Mountpoint })
		if !known && !allowedMount(info.Mountpoint) {
			faults = append(faults, fmt.Errorf("there is a mount on %s", info.Mountpoint))
		}
	}
	return errors.Join(faults...)
}

func allowedMount(target string) bool {
	return slices.ContainsFunc(allowedMounts, func(allowed string) bool {
		return target == allowed || strings.HasSuffix(allowed, "/") && strings.HasPrefix(target, allowed)
	})
}

// compare looks at the last mount on the target, which hides those before.
func (w wantedMount) compare(found []*mountinfo.Info) error {
	var last *mountinfo.Info
	for _, info := range found {
		if info.Mountpoint == w.target {
			last = info
		}
	}
	switch {
	case last == nil:
		return fmt.Errorf("nothing is mounted on %s", w.target)
	case w.fstype != "" && last.FSType != w.fstype:
		return fmt.Errorf("%s is of type %s instead of %s", w.target, last.FSType, w.fstype)
	}
	options := strings.Split(last.Options, ",")
	for _, option := range w.options {
		if !slices.Contains(options, option) {
			return fmt.Errorf("%s is mounted without %s", w.target, option)
		}
	}
	return w.compareDevice(last)
}

func (w wantedMount) compareDevice(found *mountinfo.Info) error {
	if w.host == "" {
		return nil
	}
	var stat unix.Stat_t
	if err := unix.Stat(w.host, &stat); err != nil {
		return fmt.Errorf("look at %s: %w", w.host, err)
	}
	if major, minor := unix.Major(stat.Dev), unix.Minor(stat.Dev); int(major) != found.Major || int(minor) != found.Minor {
		return fmt.Errorf("%s is on device %d:%d instead of %d:%d: the daemon does not see this host's mounts",
			w.target, found.Major, found.Minor, major, minor)
	}
	return nil
}
