package integration_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/job"
	"hotcell/internal/records"
)

// chaosSeed decides whom chaos kills, and when; what then happens is the machine's.
var chaosSeed = flag.Uint64("chaos.seed", 0, "seed of the kills among sandboxes that were ready; 0 takes another one each time")

const (
	// engineLives is how often the engine process is killed, too.
	engineLives = 3
	// crowdOfChaos is how many commands run at a time meanwhile.
	crowdOfChaos = 3
	// chaosPause is the longest time between two kills.
	chaosPause = 200 * time.Millisecond
)

// victim is a kind of process.
type victim string

const (
	aFork     victim = "fork"                  // idle or at work
	aSlot     victim = "the runtime's process" // the first one of a sandbox, or a guard that was not forked
	aTemplate victim = "template"
	aCommand  victim = "command"
	anEngine  victim = "engine"
)

// TestChaosAmongSandboxesThatWereReady kills, while commands run one after the other, whatever
// takes part: none of it may make a result wrong, lose a record that was answered, run
// anything twice, or be left behind.
func TestChaosAmongSandboxesThatWereReady(t *testing.T) {
	seed := *chaosSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-chaos.seed %d", seed)
	w := warm(t, "crun", "study-analysis")
	// Of what cannot be removed it must not have to warn.
	w.mayWarn = []string{"no sandboxes are kept ready", "could not use a prepared sandbox", "a caller did not take its answer"}
	c := &chaos{w: w, rand: rand.New(rand.NewPCG(seed, 0)), killed: map[victim]int{}, commands: map[*exec.Cmd]bool{}}
	c.begin()
	t.Cleanup(func() { c.end() }) // if it fails before
	for life := range engineLives {
		c.wreak((*chaosRounds + engineLives - 1) / engineLives)
		if life < engineLives-1 {
			w.startEngine()
		}
	}
	answers := c.end()
	t.Logf("killed: %v; answered: %v", c.killed, statuses(answers))
	e := w.run(writesALittle, "--cold") // nobody listens, and it sweeps
	require.Zero(t, e.code, e.stderr)
	require.NoError(t, os.Remove(filepath.Join(w.state, "engine.sock"))) // which the next engine would replace
	w.requireNothingLeft()
	w.requireRecorded(answers)
	for _, kind := range []victim{aFork, aSlot, aTemplate, aCommand, anEngine} {
		require.Positive(t, c.killed[kind], kind)
	}
}

// chaos is commands at work, and who kills.
type chaos struct {
	w      *workspace
	rand   *rand.Rand
	killed map[victim]int
	work   sync.WaitGroup
	over   atomic.Bool
	number atomic.Int64

	mu       sync.Mutex
	commands map[*exec.Cmd]bool // that run
	answers  []chaosAnswer
}

// chaosAnswer is what a command said.
type chaosAnswer struct {
	token          string
	code           int // -1 when it was killed
	stdout, stderr string
}

func (c *chaos) begin() {
	for range crowdOfChaos {
		c.work.Go(func() {
			for !c.over.Load() {
				c.ask()
			}
		})
	}
}

func (c *chaos) end() []chaosAnswer {
	c.over.Store(true)
	c.work.Wait()
	return c.answers
}

// ask runs a script that no other command runs.
func (c *chaos) ask() {
	token := fmt.Sprint("token ", c.number.Add(1))
	script := fmt.Sprintf("import time\nprint('begun')\n(OUTPUT / 'a.txt').write_text('x')\ntime.sleep(0.05)\nprint(%q)\n", token)
	cmd := c.w.command(append([]string{"run", "--policy", "study-analysis", "--json", "-"}, c.w.target.flags()...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(script), &stdout, &stderr
	c.mu.Lock()
	err := cmd.Start()
	c.commands[cmd] = err == nil
	c.mu.Unlock()
	if err == nil {
		_ = cmd.Wait() // its exit code tells
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.commands, cmd)
	code := -1
	if err == nil {
		code = cmd.ProcessState.ExitCode()
	}
	c.answers = append(c.answers, chaosAnswer{token, code, stdout.String(), stderr.String()})
}

// wreak kills so many, the template among the last of them, and then the engine.
func (c *chaos) wreak(kills int) {
	c.w.t.Helper()
	kinds := []victim{aFork, aFork, aSlot, aFork, aSlot, aCommand}
	for number := 1; number < kills; number++ {
		kind := kinds[c.rand.IntN(len(kinds))]
		switch last := kills - 4; {
		case number == last || number == 1 && last < 1:
			kind = aTemplate
		case number > last: // no other is made for a while, and no fork
			kind = []victim{aSlot, aCommand}[c.rand.IntN(2)]
		}
		require.Eventually(c.w.t, func() bool {
			time.Sleep(time.Duration(c.rand.Int64N(int64(chaosPause)))) // the moment is what the test varies
			return c.kill(kind)
		}, patience, time.Millisecond, "there is never a %s", kind)
		c.killed[kind]++
		c.w.t.Logf("%s killed %s %v", time.Now().Format("05.000"), kind, c.statuses())
	}
	c.w.killEngine()
	c.killed[anEngine]++
}

// kill kills one of the kind, if there is one.
func (c *chaos) kill(kind victim) bool {
	if kind == aCommand {
		c.mu.Lock()
		defer c.mu.Unlock()
		for cmd, started := range c.commands {
			if started {
				return cmd.Process.Kill() == nil
			}
		}
		return false
	}
	ids := c.w.sandboxes.ids()
	pids := slices.DeleteFunc(processesOf(c.w.t, ids), func(pid string) bool { return c.w.kindOf(pid) != kind })
	return len(pids) > 0 && killOf(pids[c.rand.IntN(len(pids))], ids)
}

// kindOf tells by the process's own pid namespace: a template is in the host's, the first
// process of another is the runtime's, or a guard that was not forked. An envoy is in the
// host's, too, and in its template's control group, and so is a runtime that begins a
// container: but neither is a child of the engine process and in the host's user namespace.
func (w *workspace) kindOf(pid string) victim {
	status, err := os.ReadFile(filepath.Join("/proc", pid, "status"))
	if err != nil {
		return ""
	}
	_, after, _ := strings.Cut(string(status), "\nNSpid:")
	line, _, _ := strings.Cut(after, "\n")
	switch seen := strings.Fields(line); {
	case len(seen) < 2:
		if isChildOf(string(status), w.engine.Process.Pid) && inOurUserNamespace(pid) {
			return aTemplate
		}
		return ""
	case seen[len(seen)-1] == "1":
		return aSlot
	default:
		return aFork
	}
}

func isChildOf(status string, parent int) bool {
	return strings.Contains(status, fmt.Sprintf("\nPPid:\t%d\n", parent))
}

// inOurUserNamespace is false for an envoy whose template has died, and which the engine
// process has adopted.
func inOurUserNamespace(pid string) bool {
	theirs, err := os.Readlink(filepath.Join("/proc", pid, "ns", "user"))
	ours, errOurs := os.Readlink("/proc/self/ns/user")
	return errors.Join(err, errOurs) == nil && theirs == ours
}

// killOf kills the process if it is still one of the sandboxes'.
func killOf(name string, ids []string) bool {
	pid, err := strconv.Atoi(name)
	if err != nil {
		return false
	}
	handle, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return false
	}
	defer unix.Close(handle)
	group, err := os.ReadFile(filepath.Join("/proc", name, "cgroup"))
	return err == nil && containsAny(string(group), ids) && unix.PidfdSendSignal(handle, unix.SIGKILL, nil, 0) == nil
}

// statuses counts what commands have said so far.
func (c *chaos) statuses() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return statuses(c.answers)
}

// statuses counts what commands said.
func statuses(answers []chaosAnswer) map[string]int {
	counted := map[string]int{}
	for _, each := range answers {
		var result struct{ Status string }
		_ = json.Unmarshal([]byte(each.stdout), &result) // of a killed one there is half of it
		counted[fmt.Sprint(each.code, " ", result.Status)]++
	}
	return counted
}

// requireRecorded wants every answer to be right or to say that it is none, each to have
// its record, and no code to have two.
func (w *workspace) requireRecorded(answers []chaosAnswer) {
	w.t.Helper()
	store, err := records.Open(w.state)
	require.NoError(w.t, err)
	list, err := store.List(w.t.Context())
	require.NoError(w.t, err)
	byCode, sandboxes := map[string]bool{}, map[string]bool{}
	for _, each := range list {
		record, err := store.Get(w.t.Context(), each.RunID)
		require.NoError(w.t, err)
		made := record.Result.Provenance
		require.False(w.t, byCode[string(made.CodeSHA256)], "run %s is not the first one of its code", each.RunID)
		require.False(w.t, sandboxes[made.Sandbox], "run %s is not the first one in its sandbox", each.RunID)
		byCode[string(made.CodeSHA256)] = true
		sandboxes[made.Sandbox] = made.Sandbox != "" // one that was cancelled before may have none
	}
	right := 0
	for _, each := range answers {
		var result job.Result
		said := fmt.Sprintf("exit code %d: %s%s", each.code, each.stdout, each.stderr)
		if each.code < 0 {
			continue // it was killed
		}
		require.NoError(w.t, json.Unmarshal([]byte(each.stdout), &result), said)
		if result.RunID == (job.ID{}) {
			require.Equal(w.t, job.ExitInternal, each.code, said)
			require.Contains(w.t, each.stdout, `"message"`)
			continue
		}
		record, err := store.Get(w.t.Context(), result.RunID)
		require.NoError(w.t, err, said)
		require.Equal(w.t, result.Status, record.Result.Status, said)
		require.Equal(w.t, result.Status.ExitCode(), each.code, said)
		require.Contains(w.t, []job.Status{job.Succeeded, job.Killed, job.Failed}, result.Status, said)
		if result.Status == job.Succeeded {
			require.Equal(w.t, "begun\n"+each.token+"\n", result.Stdout, said)
			right++
		}
	}
	require.Positive(w.t, right, "nothing ever succeeded")
}
