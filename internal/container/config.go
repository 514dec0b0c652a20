package container

import (
	"errors"
	"fmt"
	"path/filepath"

	specs "github.com/opencontainers/runtime-spec/specs-go"
)

// Paths is what differs from sandbox to sandbox and from host to host. All paths
// are absolute host paths, but for Cgroups.
type Paths struct {
	RootFS  string // the unpacked image; shared by all sandboxes, never written
	Bundle  string // the data bundle, or "" exactly when Spec.Bundle is ""
	Output  string // a file system of the sandbox's own, already capped in bytes and inodes
	Cgroups string // relative to the cgroup root, for example "/hotcell/<id>"
	// UserNamespace maps the sandbox's ids, or is nil on a host without user
	// namespaces: then ids inside are ids outside.
	UserNamespace *IDRange
	// UserNamespacePath names a user namespace with those ids that is there already, and is
	// the sandbox's own, or is "" for one that the runtime makes.
	UserNamespacePath string
	// NoSwapLimit is set on a host whose kernel cannot limit swap.
	NoSwapLimit bool
	// AppArmor names the profile that the guard is executed under, or is "" on a host
	// without. It must have been loaded.
	AppArmor string
}

// IDRange is a range of host ids to which the sandbox's ids from 0 on are mapped.
type IDRange struct {
	First uint32 // host id of the sandbox's id 0
	Count uint32
}

// DefaultIDRange lies above what distributions give to users (/etc/subuid begins
// at 100000) and to systemd's machines (up to 0x6fffffff), and below 2³¹, where
// some programs take ids for negative numbers.
func DefaultIDRange() IDRange { return IDRange{First: 0x70000000, Count: 1 << 16} }

// HostID returns the host id of an id in the sandbox. Without a user namespace
// they are the same.
func (p Paths) HostID(id uint32) uint32 {
	if p.UserNamespace == nil {
		return id
	}
	return p.UserNamespace.First + id
}

func (p Paths) validate(spec Spec) error {
	var faults []error
	for name, path := range map[string]string{"root file system": p.RootFS, "output": p.Output, "cgroup": p.Cgroups} {
		if !filepath.IsAbs(path) || path == "/" {
			faults = append(faults, fmt.Errorf("%s path %q is not absolute or is the root", name, path))
		}
	}
	if (p.Bundle == "") != (spec.Bundle == "") || p.Bundle != "" && !filepath.IsAbs(p.Bundle) {
		faults = append(faults, fmt.Errorf("bundle path %q does not fit bundle %q", p.Bundle, spec.Bundle))
	}
	if p.UserNamespace != nil && (p.UserNamespace.First == 0 || p.UserNamespace.Count <= UserID) {
		faults = append(faults, fmt.Errorf("id range %+v maps root or lacks id %d", *p.UserNamespace, UserID))
	}
	return errors.Join(faults...)
}

// Config builds the runtime-spec configuration of a sandbox: the one place that
// decides what a sandbox may see and do. It is a pure function of its arguments.
func Config(spec Spec, paths Paths) (*specs.Spec, error) {
	if err := errors.Join(spec.Validate(), paths.validate(spec)); err != nil {
		return nil, fmt.Errorf("build sandbox configuration: %w", err)
	}
	return &specs.Spec{
		Version:  "1.0.2", // the newest that runc 1.1 and crun 1.8 both know
		Process:  process(spec, paths),
		Root:     &specs.Root{Path: paths.RootFS, Readonly: true},
		Hostname: Hostname,
		Mounts:   mounts(spec, paths),
		Linux:    linux(spec, paths),
	}, nil
}

func process(spec Spec, paths Paths) *specs.Process {
	oomScoreAdj := OOMScoreAdj
	return &specs.Process{
		User: specs.User{UID: UserID, GID: UserID}, // no additional groups
		Args: spec.Command,
		Env:  spec.Environment,
		Cwd:  "/",
		// Present and empty is all five sets empty, the inheritable one too
		// (CVE-2022-24769); absent is whatever the runtime has.
		Capabilities:    &specs.LinuxCapabilities{},
		NoNewPrivileges: true,
		ApparmorProfile: paths.AppArmor,
		Rlimits:         ProcessLimits(spec.Limits, paths.UserNamespace != nil),
		OOMScoreAdj:     &oomScoreAdj,
	}
}

func linux(spec Spec, paths Paths) *specs.Linux {
	resources := Resources(spec.Enforced())
	if paths.NoSwapLimit {
		resources.Memory.Swap = nil
	}
	config := &specs.Linux{
		Namespaces:    namespaces(paths),
		CgroupsPath:   paths.Cgroups,
		Resources:     resources,
		Seccomp:       spec.Seccomp,
		MaskedPaths:   MaskedPaths(),
		ReadonlyPaths: ReadonlyPaths(),
	}
	if ids := paths.UserNamespace; ids != nil {
		mapping := []specs.LinuxIDMapping{{ContainerID: 0, HostID: ids.First, Size: ids.Count}}
		config.UIDMappings, config.GIDMappings = mapping, mapping
	}
	return config
}

// namespaces are all new: a path would mean sharing one (CVE-2020-15257). A process forked
// from a template has made the user namespace of its own sandbox.
func namespaces(paths Paths) []specs.LinuxNamespace {
	list := []specs.LinuxNamespace{
		{Type: specs.MountNamespace}, {Type: specs.PIDNamespace}, {Type: specs.NetworkNamespace},
		{Type: specs.IPCNamespace}, {Type: specs.UTSNamespace}, {Type: specs.CgroupNamespace},
	}
	if paths.UserNamespace != nil {
		list = append(list, specs.LinuxNamespace{Type: specs.UserNamespace, Path: paths.UserNamespacePath})
	}
	return list
}
