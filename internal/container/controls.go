package container

import (
	"errors"
	"fmt"
	"slices"

	"hotcell/internal/job"
)

// The controls that a host may or may not have, as policies and records name
// them; docs/policy.md lists them.
const (
	ControlUserNamespace   = "user_namespace"   // root of the sandbox is nobody on the host
	ControlNamespaces      = "namespaces"       // mount, pid, network, ipc, uts
	ControlCgroupNamespace = "cgroup_namespace" // own view of the cgroup tree
	ControlReadOnlyRoot    = "read_only_root"
	ControlNoNewPrivs      = "no_new_privs"
	ControlNoCapabilities  = "no_capabilities"
	ControlSeccomp         = "seccomp"
	ControlMemory          = "memory.max"
	ControlSwapOff         = "memory.swap.max"
	ControlPIDs            = "pids.max"
	ControlCPU             = "cpu.max"
	ControlOutputQuota     = "output_quota"  // the output file system's own size
	ControlOutputInodes    = "output_inodes" // and its own cap of inodes
	ControlMountOptions    = "mount_options" // nosuid, nodev and noexec on output, scratch and bundle
	ControlOOMCount        = "oom_kill"      // the kernel's count can be read
	ControlCPUClock        = "cpu_clock"     // CPU time can be read while it runs
	ControlAppArmor        = "apparmor"      // the sandboxes' own AppArmor profile, in enforce mode
	ControlLandlock        = "landlock"      // the guard's lock confines file access to its zones
)

// Controls lists every control, in the order in which they are shown.
func Controls() []string {
	return []string{
		ControlNamespaces, ControlUserNamespace, ControlCgroupNamespace, ControlReadOnlyRoot,
		ControlNoCapabilities, ControlNoNewPrivs, ControlSeccomp, ControlMemory, ControlSwapOff,
		ControlPIDs, ControlCPU, ControlOutputQuota, ControlOutputInodes, ControlMountOptions,
		ControlOOMCount, ControlCPUClock, ControlAppArmor, ControlLandlock,
	}
}

// ExtraControls lists those of Controls that are layers behind the others, which many
// kernels lack: a policy lets a host lack them unless it requires them by name. All
// others are required unless a policy calls them optional.
func ExtraControls() []string { return []string{ControlAppArmor, ControlLandlock} }

// WayOut tells what to change in a policy so that a host without the control is
// accepted.
func WayOut(control string) string {
	if slices.Contains(ExtraControls(), control) {
		return "take " + control + " out of the policy's required_controls"
	}
	return "name " + control + " among the policy's optional_controls"
}

// Lacking words the refusal of a host or a sandbox that has not the control, with the
// cause and what to change.
func Lacking(control string, cause error) error {
	return fmt.Errorf("this host does not enforce %s (%w): repair that, or %s", control, cause, WayOut(control))
}

// Admit refuses a host that lacks a control which optional does not name. It names
// every one, with its way out. What the host says nothing of is lacking.
func (h Host) Admit(optional []string) error {
	var faults []error
	for _, name := range Controls() {
		if slices.Contains(optional, name) {
			continue
		}
		if control := h.control(name); !control.Active {
			faults = append(faults, Lacking(name, errors.New(control.Detail)))
		}
	}
	return errors.Join(faults...)
}

// control returns what is said of a control. Where that is said more than once, the worst
// of it counts.
func (h Host) control(name string) job.Control {
	found := job.Control{Name: name, Detail: "nothing is known of it"}
	for _, control := range h.Controls {
		if control.Name != name {
			continue
		}
		if found = control; !control.Active {
			break
		}
	}
	return found
}

// Inactive returns the names of the controls that the host lacks.
func (h Host) Inactive() []string {
	var names []string
	for _, control := range h.Controls {
		if !control.Active {
			names = append(names, control.Name)
		}
	}
	return names
}
