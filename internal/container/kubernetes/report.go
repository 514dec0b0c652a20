package kubernetes

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// report is what a sandbox's first process sees, before there is anything of a run. Texts are
// files of /proc as the kernel writes them, "" where they could not be read.
type report struct {
	Status      string            `json:"status"`
	UIDMap      string            `json:"uid_map"`
	MountInfo   string            `json:"mountinfo"`
	Cgroup      string            `json:"cgroup"`
	Unified     bool              `json:"unified"` // cgroup v2
	Limits      map[string]string `json:"limits"`  // by the kernel's names
	Figures     figures           `json:"figures"`
	Interfaces  []string          `json:"interfaces"`
	Kernel      string            `json:"kernel"`
	MemInfo     string            `json:"meminfo"`
	CPUInfo     string            `json:"cpuinfo"`
	Landlock    int               `json:"landlock"`    // ABI, or a negative errno
	Termination string            `json:"termination"` // errno name with which writing there is refused, "" for none
	Token       bool              `json:"token"`       // a service account's token is mounted
	Bundle      string            `json:"bundle"`      // digest of the manifest, "" for none
}

// controls are all of them, with what the report says of each; asked is what a sandbox was to have.
func (r report) controls(asked container.Spec, network string) []job.Control {
	found := map[string]error{
		container.ControlNamespaces:      r.namespaces(asked),
		container.ControlUserNamespace:   r.userNamespace(),
		container.ControlCgroupNamespace: r.cgroupNamespace(),
		container.ControlReadOnlyRoot:    r.readOnlyRoot(),
		container.ControlNoCapabilities:  r.noCapabilities(),
		container.ControlNoNewPrivs:      r.has("NoNewPrivs", "1"),
		container.ControlSeccomp:         r.has("Seccomp", "2"),
		container.ControlMemory:          r.memory(asked.Enforced().MemoryBytes),
		container.ControlSwapOff:         r.swapOff(asked.Enforced().MemoryBytes),
		container.ControlPIDs:            r.pids(),
		container.ControlCPU:             r.cpu(asked.Enforced().CPUMillis),
		container.ControlOutputQuota:     r.quota(container.OutputDir, asked.Limits.OutputBytes),
		container.ControlOutputInodes:    errors.New("a volume of Kubernetes' has no cap but memory.max"),
		container.ControlMountOptions:    r.mountOptions(),
		container.ControlOOMCount:        counted(r.Figures.OOMKills, "oom_kill"),
		container.ControlCPUClock:        counted(r.Figures.CPUNanos, "CPU time"),
		container.ControlAppArmor:        errors.New("pods have the node's own profile, if any"),
	}
	details := map[string]string{
		container.ControlNamespaces: network,
		container.ControlPIDs:       "RLIMIT_NPROC in the pod's user namespace; refusals are not counted",
		container.ControlOOMCount:   "told by the sandbox's first process, and by the kubelet where that was killed",
		container.ControlCPUClock:   "kept by the sandbox's first process",
	}
	var controls []job.Control
	for _, name := range container.Controls() {
		if name == container.ControlLandlock {
			controls = append(controls, container.LandlockControl(r.Landlock, r.landlock()))
			continue
		}
		control := job.Control{Name: name, Active: found[name] == nil, Detail: details[name]}
		if found[name] != nil {
			control.Detail = found[name].Error()
		}
		controls = append(controls, control)
	}
	return controls
}

// check refuses what no policy accepts.
func (r report) check(asked container.Spec) error {
	var faults []error
	if r.Termination != "EACCES" {
		faults = append(faults, fmt.Errorf("a script could write what the kubelet puts into the pod's status (%s: %q)", terminationFile, r.Termination))
	}
	if r.Token {
		faults = append(faults, errors.New("a service account's token is mounted, or something else at /run/secrets"))
	}
	if r.Bundle != asked.Bundle.String() {
		faults = append(faults, fmt.Errorf("the bundle that is mounted has the digest %q and not %q", r.Bundle, asked.Bundle))
	}
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("the pod is not what was asked for: %w", err)
	}
	return nil
}

// field returns a field of /proc/self/status.
func (r report) field(name string) string {
	for line := range strings.Lines(r.Status) {
		if key, value, _ := strings.Cut(line, ":"); key == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func (r report) has(name, want string) error {
	if found := r.field(name); found != want {
		return fmt.Errorf("%s is %q in the pod", name, found)
	}
	return nil
}

func (r report) noCapabilities() error {
	var faults []error
	for _, set := range []string{"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"} {
		faults = append(faults, r.has(set, "0000000000000000"))
	}
	user := strconv.Itoa(container.UserID)
	for _, ids := range []string{"Uid", "Gid"} {
		faults = append(faults, r.has(ids, strings.Join([]string{user, user, user, user}, "\t")))
	}
	return errors.Join(faults...)
}

// namespaces are a pod's: its own, but that of the network has an interface where the cluster
// gives it one. Then the sandbox's profile must leave it no socket.
func (r report) namespaces(asked container.Spec) error {
	if !slices.Equal(r.Interfaces, []string{"lo"}) && !deniesSockets(asked.Seccomp) {
		return fmt.Errorf("the pod has the interfaces %q, and its seccomp profile allows sockets", r.Interfaces)
	}
	return nil
}

func (r report) userNamespace() error {
	fields := strings.Fields(r.UIDMap)
	if len(fields) < 3 || fields[1] == "0" {
		return fmt.Errorf("uid_map is %q", strings.Join(fields, " "))
	}
	return nil
}

func (r report) cgroupNamespace() error {
	if !r.Unified {
		return errors.New("the node has cgroup v1, where runtimes give a pod none")
	}
	if path := strings.TrimSpace(r.Cgroup); path != "0::/" {
		return fmt.Errorf("the pod sees the path of its control group: %q", path)
	}
	return nil
}

// mounted returns the options and the file system's own of the mount that is seen at a path.
func (r report) mounted(path string) (options, super []string, err error) {
	err = fmt.Errorf("%s is no mount of the pod's", path)
	lines := bufio.NewScanner(strings.NewReader(r.MountInfo))
	for lines.Scan() {
		mount, file, _ := strings.Cut(lines.Text(), " - ")
		fields, own := strings.Fields(mount), strings.Fields(file)
		if len(fields) < 6 || len(own) < 3 || fields[4] != path {
			continue
		}
		options, super, err = strings.Split(fields[5], ","), strings.Split(own[2], ","), nil
	}
	return options, super, err
}

func (r report) readOnlyRoot() error {
	options, _, err := r.mounted("/")
	if err == nil && !slices.Contains(options, "ro") {
		err = errors.New("the pod's root can be written")
	}
	return err
}

func (r report) mountOptions() error {
	var lacking []string
	for _, path := range []string{container.OutputDir, container.ScratchDir, container.BundleDir} {
		options, _, err := r.mounted(path)
		if err != nil {
			continue // no bundle
		}
		for _, option := range []string{"nosuid", "nodev", "noexec"} {
			if !slices.Contains(options, option) {
				lacking = append(lacking, path+" "+option)
			}
		}
	}
	if lacking != nil {
		return fmt.Errorf("no field of a pod asks for them: %s", strings.Join(lacking, ", "))
	}
	return nil
}

// quota compares with what tmpfs makes of a size: whole pages.
func (r report) quota(path string, bytes int64) error {
	_, super, err := r.mounted(path)
	if err != nil {
		return err
	}
	for _, option := range super {
		size, found := strings.CutPrefix(option, "size=")
		kib, err := strconv.ParseInt(strings.TrimSuffix(size, "k"), 10, 64)
		if found && err == nil && kib > 0 && kib<<10 <= wholePages(bytes) { // 0 is no bound
			return nil
		}
	}
	return fmt.Errorf("%s is no memory volume of %d bytes: %q", path, bytes, super)
}

// limit returns one as a number; what is no number bounds nothing.
func (r report) limit(name string) (int64, error) {
	number, err := strconv.ParseInt(r.Limits[name], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s is %q in the pod", name, r.Limits[name])
	}
	return number, nil
}

func (r report) memory(want int64) error {
	found, err := r.limit("memory.max")
	if err == nil && found > want {
		err = fmt.Errorf("memory.max is %d in the pod, and not %d", found, want)
	}
	return err
}

func (r report) swapOff(memory int64) error {
	if r.noSwap() {
		return nil
	}
	name, want := "memory.swap.max", int64(0)
	if !r.Unified {
		name, want = "memory.memsw", memory
	}
	found, err := r.limit(name)
	if err == nil && found > want {
		err = fmt.Errorf("%s is %d on a node that swaps", name, found)
	}
	return err
}

// noSwap tells of a node that has none.
func (r report) noSwap() bool {
	for line := range strings.Lines(r.MemInfo) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "SwapTotal:" {
			return fields[1] == "0"
		}
	}
	return false
}

// pids rests on RLIMIT_NPROC, which the kernel counts for a user in a user namespace: with the
// node's own, other pods would use up what is this one's.
func (r report) pids() error {
	if err := r.userNamespace(); err != nil {
		return fmt.Errorf("RLIMIT_NPROC needs a user namespace of the pod's own: %w", err)
	}
	return nil
}

func (r report) cpu(millis int64) error {
	quota, period := r.Limits["cpu.quota"], r.Limits["cpu.period"]
	if r.Unified {
		quota, period, _ = strings.Cut(r.Limits["cpu.max"], " ")
	}
	share, err := strconv.ParseInt(quota, 10, 64)
	length, err2 := strconv.ParseInt(period, 10, 64)
	if err := errors.Join(err, err2); err != nil || share <= 0 || length <= 0 {
		return fmt.Errorf("cpu.max is %q %q in the pod", quota, period)
	}
	if share*1000 > millis*length {
		return fmt.Errorf("cpu.max is %d of %d in the pod, and not %d thousandths", share, length, millis)
	}
	return nil
}

func (r report) landlock() error {
	if r.Landlock <= 0 {
		return fmt.Errorf("the node's kernel has none (errno %d)", -r.Landlock)
	}
	return nil
}

func counted(figure int64, name string) error {
	if figure < 0 {
		return fmt.Errorf("%s cannot be read in the pod", name)
	}
	return nil
}
