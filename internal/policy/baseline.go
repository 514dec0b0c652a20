package policy

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"hotcell/internal/wire"
	"hotcell/policies"
)

// Weakness is one thing in which a policy gives more, or keeps less, than the
// baseline. Key is the policy's key.
type Weakness struct {
	Key     string `json:"key"`
	Message string `json:"message"`
}

// baseline is what policies are measured against: policies/baseline.
var baseline = sync.OnceValues(func() (Policy, error) {
	data, err := policies.Files.ReadFile("baseline/baseline.yaml")
	if err != nil {
		return Policy{}, fmt.Errorf("read baseline: %w", err)
	}
	return load("baseline", data)
})

// weaknesses lists in which ways p is weaker than base, key by key in the order of the
// file. Nothing of it says that p is wrong: a policy exists to allow something.
func weaknesses(p, base Policy) []Weakness {
	c := &comparison{p: p, base: base, found: []Weakness{}}
	c.limits()
	c.isolation()
	c.guard()
	c.output()
	c.record()
	c.tools()
	c.session()
	return c.found
}

type comparison struct {
	p, base Policy
	found   []Weakness
}

func (c *comparison) add(key, format string, args ...any) {
	c.found = append(c.found, Weakness{key, fmt.Sprintf(format, args...)})
}

// quantity is one limit of a policy.
type quantity struct {
	key        string
	get        func(Policy) int64
	show       func(int64) string
	zeroIsMost bool // 0 means that nothing is counted
}

func (c *comparison) more(all []quantity) {
	for _, one := range all {
		own, base := one.get(c.p), one.get(c.base)
		switch {
		case one.zeroIsMost && own == 0 && base != 0:
			c.add(one.key, "not counted, where the baseline stops at %s: only the clocks end such a script", one.show(base))
		case own > base && (!one.zeroIsMost || base != 0):
			c.add(one.key, "%s, where the baseline has %s", one.show(own), one.show(base))
		}
	}
}

func (c *comparison) limits() {
	size := func(get func(Ceilings) Size) func(Policy) int64 {
		return func(p Policy) int64 { return int64(get(p.Limits)) }
	}
	showSize := func(value int64) string { return Size(value).String() }
	showTime := func(value int64) string { return time.Duration(value).String() }
	number := func(value int64) string { return strconv.FormatInt(value, 10) }
	c.more([]quantity{
		{key: "limits.memory", get: size(func(l Ceilings) Size { return l.Memory }), show: showSize},
		{key: "limits.pids", get: func(p Policy) int64 { return p.Limits.PIDs }, show: number},
		{key: "limits.cpus", get: func(p Policy) int64 { return p.Limits.resolved().CPUMillis }, show: cpus},
		{key: "limits.wall_clock", get: func(p Policy) int64 { return int64(p.Limits.WallClock) }, show: showTime},
		{key: "limits.cpu_time", get: func(p Policy) int64 { return int64(p.Limits.CPUTime) }, show: showTime},
		{key: "limits.open_files", get: func(p Policy) int64 { return p.Limits.OpenFiles }, show: number},
		{key: "limits.scratch", get: size(func(l Ceilings) Size { return l.Scratch }), show: showSize},
		{key: "limits.output_bytes", get: size(func(l Ceilings) Size { return l.OutputBytes }), show: showSize},
		{key: "limits.output_files", get: func(p Policy) int64 { return p.Limits.OutputFiles }, show: number},
		{key: "limits.stdout", get: size(func(l Ceilings) Size { return l.Stdout }), show: showSize},
		{key: "limits.stderr", get: size(func(l Ceilings) Size { return l.Stderr }), show: showSize},
		{key: "limits.code", get: size(func(l Ceilings) Size { return l.Code }), show: showSize},
		{key: "limits.report", get: size(func(l Ceilings) Size { return l.Report }), show: showSize},
		{key: "limits.inputs", get: size(func(l Ceilings) Size { return l.Inputs }), show: showSize},
		{key: "limits.operations", get: func(p Policy) int64 { return p.Limits.Operations }, show: number, zeroIsMost: true},
		{key: "limits.loop_iterations", get: func(p Policy) int64 { return p.Limits.LoopIterations }, show: number, zeroIsMost: true},
	})
}

func (c *comparison) isolation() {
	if c.p.Image != c.base.Image {
		c.add("image", "%s, not the baseline's %s: its packages decide what imports can do", c.p.Image, c.base.Image)
	}
	if own, base := c.p.Isolation.Seccomp, c.base.Isolation.Seccomp; own != base {
		c.add("isolation.seccomp", "%s, not the baseline's %s: see what it allows", own, base)
	}
	for _, control := range without(c.p.Isolation.OptionalControls, c.base.Isolation.OptionalControls) {
		c.add("isolation.optional_controls", "a host may lack %s: %s", control, withoutControl[control])
	}
	for _, control := range without(c.base.Isolation.RequiredControls, c.p.Isolation.RequiredControls) {
		c.add("isolation.required_controls", "a host may lack %s: %s", control, withoutControl[control])
	}
	if own, base := c.p.Isolation.Warm, c.base.Isolation.Warm; own == WarmAllowed && base != WarmAllowed {
		c.add("isolation.warm", "%s: runs of one template share the layout of one address space, which one of them can learn for the next", own)
	}
}

func (c *comparison) guard() {
	own, base := c.p.Guard, c.base.Guard
	if own.Mode == GuardOff && base.Mode != GuardOff {
		c.add("guard.mode", "off: the code is neither vetted nor confined, and only the container holds it; for probes of the container")
	}
	if more := without(own.Imports, base.Imports); len(more) > 0 {
		c.add("guard.imports", "%s more than the baseline's: %s", count(len(more), "module"), strings.Join(counted(more), ", "))
	}
	var modules []string
	for module := range maps.Values(own.Preloaded) {
		module, _, _ = strings.Cut(module, ":")
		modules = append(modules, module)
	}
	slices.Sort(modules)
	if more := without(slices.Compact(modules), base.Imports); len(more) > 0 {
		c.add("guard.preloaded", "%s that the baseline does not allow to be imported: %s", count(len(more), "module"), strings.Join(more, ", "))
	}
	c.noLonger("guard.denied_builtins", own.DeniedBuiltins, base.DeniedBuiltins)
	c.noLonger("guard.denied_attributes", own.DeniedAttributes, base.DeniedAttributes)
	c.noLonger("guard.denied_syntax", own.DeniedSyntax, base.DeniedSyntax)
	if own.Inputs != wire.InputsNone && base.Inputs == wire.InputsNone {
		c.add("guard.inputs", "a request brings data of its own, which no bundle attests as de-identified")
	}
	c.more([]quantity{{key: "guard.max_figures", get: func(p Policy) int64 { return int64(p.Guard.MaxFigures) }, show: func(n int64) string { return strconv.FormatInt(n, 10) }}})
}

func (c *comparison) noLonger(key string, own, base []string) {
	if gone := without(base, own); len(gone) > 0 {
		c.add(key, "does not refuse %s, as the baseline does", strings.Join(gone, ", "))
	}
}

func (c *comparison) output() {
	if more := without(c.p.Output.MediaTypes, c.base.Output.MediaTypes); len(more) > 0 {
		c.add("output.media_types", "files may also be %s: more kinds that the host must check and a reader opens", strings.Join(more, ", "))
	}
	c.more([]quantity{{key: "output.max_depth", get: func(p Policy) int64 { return int64(p.Output.MaxDepth) }, show: func(n int64) string { return strconv.FormatInt(n, 10) }}})
	if own, base := c.p.Output.WhenStdoutIsFull, c.base.Output.WhenStdoutIsFull; own == OverflowTruncate && base == OverflowEnd {
		c.add("output.when_stdout_is_full", "a script that prints too much goes on, where the baseline ends it")
	}
	if own, base := c.p.Output.OnUnacceptedFile, c.base.Output.OnUnacceptedFile; own == UnacceptedDrop && base != UnacceptedDrop {
		c.add("output.on_unaccepted_file", "a file of another type is left behind, where the baseline releases nothing of such a run")
	}
}

// kept orders the choices of record.keep_code by how much is kept.
var kept = map[KeepCode]int{KeepCodeNever: 0, KeepCodeOnSuccess: 1, KeepCodeAlways: 2}

func (c *comparison) record() {
	own, base := c.p.Record.KeepCode, c.base.Record.KeepCode
	if kept[own] < kept[base] {
		c.add("record.keep_code", "%s, where the baseline has %s: if the code is not kept, only its sha256 says what ran", own, base)
	}
	for _, part := range c.p.Record.Retention.Parts() {
		if part.Name == RetainImages || part.Name == RetainBundles || c.base.Record.Retention != nil { // of which no record is in need
			continue
		}
		c.add("record.retention."+part.Name, "%s, what is %s, is deleted by `runner gc`, where the baseline keeps it", part.What, part.Keep)
	}
}

func (c *comparison) tools() {
	if c.p.Tools == nil || c.base.Tools != nil {
		return
	}
	tools := c.p.Tools
	c.add("tools", "the code can make the host run programs, up to %d times, with parameters that it chooses: what they reach, it reaches through them", tools.MaxCalls)
	if slices.Contains(tools.Allowed, "*") {
		c.add("tools.allowed", "any tool that the caller of the run brings")
	}
}

func (c *comparison) session() {
	if c.p.Session == nil || c.base.Session != nil {
		return
	}
	c.add("session", "up to %d scripts share one sandbox, for %s at most: each finds what the one before left in memory", c.p.Session.MaxSteps, c.p.Session.WallClock)
}

// counted names the packages of modules, with how many of each there are.
func counted(modules []string) []string {
	below := map[string]int{}
	for _, module := range modules {
		first, _, _ := strings.Cut(module, ".")
		below[first]++
	}
	var all []string
	for _, first := range slices.Sorted(maps.Keys(below)) {
		all = append(all, fmt.Sprintf("%s (%d)", first, below[first]))
	}
	return all
}

// without returns what is in all but not in some, in the order of all.
func without(all, some []string) []string {
	var rest []string
	for _, one := range all {
		if !slices.Contains(some, one) {
			rest = append(rest, one)
		}
	}
	return rest
}

// withoutControl tells what the lack of a control means. A test compares it with
// the controls that there are.
var withoutControl = map[string]string{
	"namespaces":       "the sandbox then sees the host's processes and network",
	"user_namespace":   "what escapes from the container is then an unprivileged user of the host, not nobody",
	"cgroup_namespace": "the sandbox then sees the host's cgroup paths",
	"read_only_root":   "code can then change the image's files while it runs",
	"no_capabilities":  "processes may then keep capabilities of root",
	"no_new_privs":     "a setuid file in the image would then give root's rights",
	"seccomp":          "every system call of the kernel is then open to the code",
	"memory.max":       "a run can then take all memory of the host",
	"memory.swap.max":  "a run can then go on in swap beyond its memory limit",
	"pids.max":         "a run can then take all process numbers of the host",
	"cpu.max":          "a run can then take all CPUs of the host",
	"output_quota":     "a run can then fill the disk on which its output lies",
	"output_inodes":    "files without content are then bounded by memory.max alone",
	"mount_options":    "what the code writes could then be executed, where neither seccomp nor the guard is in force",
	"oom_kill":         "out_of_memory then rests on the engine's word, not on the kernel's count",
	"cpu_clock":        "CPU time is then bounded for each process by RLIMIT_CPU, not for all together",
	"apparmor":         "a process that got past seccomp then meets the other layers only",
	"landlock":         "a script that got past the guard's audit hook then reads what the image has and its user may read",
}
