package fake_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/container/fake"
	"hotcell/internal/job"
)

const bundleContent = "a,b\n1,2\n"

// machine plays the kernel for the behaviours: it knows which sandboxes live, and
// can end one from outside.
type machine struct {
	mu   sync.Mutex
	live map[string]context.CancelCauseFunc
}

func newMachine() *machine { return &machine{live: map[string]context.CancelCauseFunc{}} }

var errForeignKill = errors.New("killed from outside")

func (m *machine) processes(marker string) ([]int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.live[marker] != nil {
		return []int{1}, nil
	}
	return nil, nil
}

func (m *machine) kill(marker string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.live[marker] == nil {
		return fmt.Errorf("no sandbox %s", marker)
	}
	m.live[marker](errForeignKill)
	return nil
}

func (m *machine) program(spec container.Spec) fake.Program {
	return func(ctx context.Context, stdio fake.Stdio, output *os.Root) container.Exit {
		p := &process{spec: spec, stdio: stdio, output: output}
		if err := json.Unmarshal([]byte(spec.Command[1]), &p.Behaviour); err != nil {
			return container.Exit{Code: 64}
		}
		ctx, end := context.WithCancelCause(ctx)
		defer end(nil)
		m.set(p.Marker, end)
		defer m.set(p.Marker, nil)
		p.usage = job.Usage{WallMS: 1, CPUMS: 1, MemoryPeakBytes: -1, PIDsPeak: -1}
		exit := p.show(ctx)
		if errors.Is(context.Cause(ctx), errForeignKill) {
			exit = container.Exit{Code: -1, Signal: "SIGKILL"}
		}
		exit.Usage = p.usage
		return exit
	}
}

func (m *machine) set(marker string, end context.CancelCauseFunc) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if end == nil {
		delete(m.live, marker)
		return
	}
	m.live[marker] = end
}

// process plays one behaviour. A limit is hit when the behaviour asks for more
// than the Spec allows.
type process struct {
	containertest.Behaviour
	spec   container.Spec
	stdio  fake.Stdio
	output *os.Root
	usage  job.Usage
}

func (p *process) show(ctx context.Context) container.Exit {
	switch p.Name {
	case containertest.Echo:
		io.Copy(p.stdio.Stdout, p.stdio.Stdin)
	case containertest.ExitWith:
		return container.Exit{Code: p.Code}
	case containertest.Crash:
		return container.Exit{Code: -1, Signal: p.Signal}
	case containertest.Hang, containertest.CloseStreams:
		p.say("ready")
		<-ctx.Done()
	case containertest.Interruptible:
		p.meetLines("working", "waiting")
	case containertest.Orphans:
		p.say("ready")
		p.waitForEndOfStdin()
		return container.Exit{Code: p.Code}
	case containertest.Allocate, containertest.AllocateInChild,
		containertest.AllocateShared, containertest.AllocateOrphaned:
		return p.allocate()
	case containertest.ForkMany, containertest.ThreadMany:
		return p.start()
	case containertest.Burn:
		return p.burn()
	case containertest.Flood:
		p.flood(ctx)
	case containertest.ReportIdentity:
		p.report(p.identity())
		p.waitForEndOfStdin()
	case containertest.PrintEnvironment:
		p.report(p.spec.Environment)
	case containertest.Network:
		p.report(containertest.NetworkReport{Interfaces: []string{"lo"}, Attempts: slices.Repeat([]string{"ENETUNREACH"}, len(p.Targets))})
	default:
		return p.useFiles()
	}
	return container.Exit{}
}

func (p *process) useFiles() container.Exit {
	switch p.Name {
	case containertest.FillBytes:
		return p.fillBytes()
	case containertest.FillInodes:
		p.report(containertest.FillReport{Files: p.inodes(), Errno: "ENOSPC"})
	case containertest.OpenMany:
		p.report(containertest.FillReport{Files: p.spec.Limits.OpenFiles - 3, Errno: "EMFILE"})
	case containertest.WriteFiles:
		p.writeFiles()
	case containertest.PlantLinks:
		p.plantLinks()
	case containertest.ReadFile:
		p.report(containertest.ReadReport{Content: bundleContent})
	case containertest.ListDirectory:
		p.report(containertest.ReadReport{Names: []string{}})
	case containertest.ChangeFile:
		p.report(p.refuseChanges())
	case containertest.FindWritable:
		p.report([]string{container.OutputDir, container.ScratchDir})
	default:
		return container.Exit{Code: 64}
	}
	return container.Exit{}
}

func (p *process) say(line string) { io.WriteString(p.stdio.Stdout, line+"\n") }

func (p *process) report(value any) {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	p.say(string(encoded))
}

// meetLines is in each state until a line comes.
func (p *process) meetLines(states ...string) {
	lines := bufio.NewScanner(p.stdio.Stdin)
	for _, state := range states {
		p.say(state)
		lines.Scan()
		p.say("interrupted")
	}
	p.waitForEndOfStdin()
}

func (p *process) waitForEndOfStdin() { io.Copy(io.Discard, p.stdio.Stdin) }

func (p *process) allocate() container.Exit {
	if p.Bytes > p.spec.Enforced().MemoryBytes {
		return container.Exit{Code: -1, Signal: "SIGKILL", OOMKills: 1}
	}
	p.usage.MemoryPeakBytes = p.Bytes
	p.say("allocated")
	p.waitForEndOfStdin()
	return container.Exit{}
}

func (p *process) start() container.Exit {
	report := containertest.StartReport{Started: min(p.Count, p.spec.Enforced().PIDs-1)}
	var exit container.Exit
	if report.Started < p.Count {
		report.Errno, exit.PIDsDenied = "EAGAIN", 1
	}
	p.usage.PIDsPeak = report.Started + 1
	p.report(report)
	p.waitForEndOfStdin()
	return exit
}

func (p *process) burn() container.Exit {
	if p.MS == 0 {
		p.usage.CPUMS = p.spec.Limits.CPUTime.Milliseconds()
		return container.Exit{Code: -1, Signal: "SIGKILL", KilledByUs: true, Limit: job.LimitCPUTime}
	}
	p.usage.CPUMS, p.usage.WallMS = p.MS, p.MS*1000/p.spec.Enforced().CPUMillis
	p.say("burnt")
	return container.Exit{}
}

func (p *process) flood(ctx context.Context) {
	const chunk = 4096
	for written := int64(0); (p.Bytes == 0 || written < p.Bytes) && ctx.Err() == nil; written += chunk {
		for _, descriptor := range p.Streams {
			to := p.stdio.Stdout
			if descriptor == 2 {
				to = p.stdio.Stderr
			}
			to.Write(containertest.Pattern(chunk))
		}
	}
}

func (p *process) fillBytes() container.Exit {
	room := p.spec.Limits.OutputBytes
	if p.Path == container.ScratchDir {
		room = p.spec.Limits.ScratchBytes
	}
	if p.spec.Enforced().MemoryBytes < room {
		return container.Exit{Code: -1, Signal: "SIGKILL", OOMKills: 1}
	}
	p.report(containertest.FillReport{Bytes: room, Errno: "ENOSPC"})
	return container.Exit{}
}

func (p *process) inodes() int64 {
	if p.Path == container.ScratchDir {
		return container.ScratchFiles - 1
	}
	return p.spec.Limits.OutputFiles
}

func (p *process) writeFiles() {
	for _, name := range slices.Sorted(maps.Keys(p.Files)) {
		inside, found := strings.CutPrefix(name, container.OutputDir+"/")
		if !found {
			continue // scratch, which nobody sees
		}
		if p.output.MkdirAll(path.Dir(inside), 0o700) != nil || p.output.WriteFile(inside, []byte(p.Files[name]), 0o600) != nil {
			return
		}
	}
	p.say("written")
	p.waitForEndOfStdin()
}

func (p *process) plantLinks() {
	err := errors.Join(
		p.output.Symlink("/etc/passwd", "symlink"),
		syscall.Mkfifo(path.Join(p.output.Name(), "pipe"), 0o600),
		p.output.WriteFile("first", []byte("linked"), 0o600),
		p.output.Link("first", "second"),
	)
	if err != nil {
		panic(err)
	}
}

func (p *process) refuseChanges() map[string]string {
	refused := map[string]string{}
	for _, way := range []string{"append", "truncate", "chmod", "rename", "unlink", "link", "create"} {
		refused[way] = "EROFS"
	}
	return refused
}

func (p *process) identity() containertest.Identity {
	none := strings.Repeat("0", 16)
	ids := []int{container.UserID, container.UserID, container.UserID}
	identity := containertest.Identity{
		UIDs: ids, GIDs: ids, Groups: []int{},
		Capabilities: map[string]string{"CapInh": none, "CapPrm": none, "CapEff": none, "CapBnd": none, "CapAmb": none},
		NoNewPrivs:   "1", Seccomp: "2",
		Descriptors:      map[string]string{"0": "pipe:[1]", "1": "pipe:[2]", "2": "pipe:[3]"},
		WorkingDirectory: "/", Hostname: container.Hostname, Namespaces: map[string]string{},
		Devices:   []containertest.Device{{Path: "/dev/null", Numbers: "1:3"}, {Path: "/dev/urandom", Numbers: "1:9"}},
		Processes: []int{1}, PID: 1, Session: 1,
		FileLimit: [2]int64{p.spec.Limits.OpenFiles, p.spec.Limits.OpenFiles},
		SizeLimit: [2]int64{p.spec.Limits.OutputBytes, p.spec.Limits.OutputBytes},
	}
	for _, name := range []string{"mnt", "pid", "net", "ipc", "uts", "user", "cgroup"} {
		identity.Namespaces[name] = name + ":[fake]"
	}
	for _, target := range []string{"/", "/proc", container.BundleDir, container.OutputDir, container.ScratchDir} {
		identity.Mounts = append(identity.Mounts, containertest.Mount{Target: target, Options: mountOptions(target)})
	}
	return identity
}

func mountOptions(target string) []string {
	options := []string{"nosuid", "nodev", "noexec"}
	if target == "/" || target == container.BundleDir {
		return append(options, "ro")
	}
	return append(options, "rw")
}
