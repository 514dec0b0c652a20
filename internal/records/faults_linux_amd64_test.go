package records_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/records"
	"hotcell/internal/signing"
)

// faultDir names the directory of the runner that meets a fault, and faultPlay what it does there.
const (
	faultDir  = "HOTCELL_TEST_FAULT_DIR"
	faultPlay = "HOTCELL_TEST_FAULT_PLAY"
)

var plays = map[string]func(dir string) error{"record": recordTwice, "release": releaseOnce, "sweep": sweepOnce}

// TestMain plays the runner that meets a fault.
func TestMain(m *testing.M) {
	if dir := os.Getenv(faultDir); dir != "" {
		if err := plays[os.Getenv(faultPlay)](dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// recordTwice appends an event and commits a run, each of which it tells of once it is done.
func recordTwice(dir string) error {
	store, err := records.Open(filepath.Join(dir, "state"))
	if err != nil {
		return err
	}
	key, err := signing.Generate()
	if err != nil {
		return err
	}
	store.SignWith(signer{key, key.Public()})
	if err := store.Append(context.Background(), records.Event{Kind: records.KindCheck, Name: "told"}); err != nil {
		return err
	}
	fmt.Println("appended")
	id := job.NewID(time.Now())
	draft, err := store.Begin(context.Background(), id, asked)
	if err != nil {
		return err
	}
	if err := draft.Begun(); err != nil {
		return errors.Join(err, draft.Discard(context.Background()))
	}
	fmt.Println("begun", id)
	entry := records.Entry{Result: result(id, job.Succeeded), Code: []byte("pass\n"), KeepCode: true, Actor: bertas}
	entry.Result.Provenance.Actor = &bertas
	entry.Verified, err = stage(filepath.Join(dir, "output"), draft.Staging())
	if err == nil {
		entry.Result.Files = entry.Verified.Files()
		_, err = draft.Commit(context.Background(), entry)
	}
	if err == nil {
		fmt.Println("committed", id)
	}
	return errors.Join(err, draft.Discard(context.Background()))
}

func stage(from, staging string) (*output.Verified, error) {
	root, err := os.OpenRoot(from)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	verified, found, err := output.Verify(context.Background(), output.Options{
		Dir: root, Staging: staging,
		Manifest: []output.Declared{{Path: "a.txt", Bytes: 2, SHA256: digest.Of([]byte("x\n")).Hex(), Role: output.RoleFile}},
		Rules:    output.Rules{MaxFiles: 10, MaxBytes: 1 << 20, MaxDepth: 2, MediaTypes: []string{"text/plain"}},
	})
	if err == nil && len(found) > 0 {
		err = fmt.Errorf("%+v", found)
	}
	return verified, err
}

// fault is what happens at one write.
type fault string

const (
	killed fault = "killed"       // before it
	torn   fault = "killed in it" // half of it is written
	full   fault = "a full disk"  // once
	filled fault = "a disk that stays full"
)

// TestAFaultAtAnyWriteCostsNothing traces a runner, and has it meet each fault at each call
// that changes a file: whatever it has told of is there, whole, and what is there holds.
func TestAFaultAtAnyWriteCostsNothing(t *testing.T) {
	for _, what := range []fault{killed, torn, full, filled} {
		t.Run(string(what), func(t *testing.T) {
			met := 0
			for n := 1; ; n++ {
				dir := t.TempDir()
				require.NoError(t, os.Mkdir(filepath.Join(dir, "output"), 0o700))
				require.NoError(t, os.WriteFile(filepath.Join(dir, "output", "a.txt"), []byte("x\n"), 0o600))
				said, call, hit := meet(t, "record", dir, what, n)
				if !hit {
					require.Contains(t, said, "committed")
					break
				}
				met++
				afterwards(t, filepath.Join(dir, "state"), said, fmt.Sprintf("%s at call %d, %s", what, n, call))
			}
			require.Greater(t, met, map[fault]int{killed: 20, torn: 4, full: 20, filled: 10}[what])
		})
	}
}

// afterwards is what the next runner does, and what it finds.
func afterwards(t *testing.T, state, said, when string) {
	t.Helper()
	store := open(t, state)
	store.SignWith(newSigner(t)) // the other's is lost
	_, err := store.Sweep(t.Context(), job.Actor{})
	require.NoError(t, err, when)
	next := commit(t, store) // the torn line is cut off
	found, err := store.Verify(t.Context(), records.VerifyOptions{})
	require.NoError(t, err, when)
	require.Empty(t, found.Faults, when)
	ids, err := store.IDs()
	require.NoError(t, err)
	appended, runs := false, 0
	for _, event := range events(t, store) {
		appended = appended || event.Name == "told"
		if event.Kind == records.KindRun {
			runs++
		}
	}
	require.Len(t, ids, runs, when)
	require.Contains(t, ids, next, when)
	if strings.Contains(said, "appended") {
		require.True(t, appended, when)
	}
	if _, id, begun := strings.Cut(said, "begun "); begun {
		requireToldOnce(t, store, strings.SplitN(id, "\n", 2)[0], when)
	}
	if _, id, committed := strings.Cut(said, "committed "); committed {
		parsed, err := job.ParseID(strings.TrimSpace(id))
		require.NoError(t, err)
		require.Contains(t, ids, parsed, when)
	}
	for _, entry := range names(t, filepath.Join(state, "runs")) {
		require.False(t, strings.HasPrefix(entry, ".draft-"), when)
	}
}

// tracer steps a runner from call to call.
type tracer struct {
	t    *testing.T
	dir  string
	what fault
	left int // calls until the fault

	inside map[int]bool // threads that are in a call
	spoilt map[int]bool // threads whose call is to fail
	name   string       // of the call that met the fault
}

// meet runs the runner until the fault at its nth call, if there is one.
func meet(t *testing.T, play, dir string, what fault, n int) (said, call string, hit bool) {
	t.Helper()
	runtime.LockOSThread() // ptrace(2) is of a thread
	defer runtime.UnlockOSThread()
	told, err := os.Create(filepath.Join(dir, "said"))
	require.NoError(t, err)
	defer told.Close()
	own, err := os.Executable()
	require.NoError(t, err)
	process, err := os.StartProcess(own, []string{own}, &os.ProcAttr{
		Env: []string{faultDir + "=" + dir, faultPlay + "=" + play, "TMPDIR=" + dir, "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1"}, Files: []*os.File{nil, told, told},
		Sys: &syscall.SysProcAttr{Ptrace: true},
	})
	require.NoError(t, err)
	defer func() { _ = process.Release() }() // it is waited for here
	tracer := &tracer{t: t, dir: filepath.Join(dir, "state"), what: what, left: n, inside: map[int]bool{}, spoilt: map[int]bool{}}
	tracer.follow(process.Pid)
	text, err := os.ReadFile(told.Name())
	require.NoError(t, err)
	return string(text), tracer.name, tracer.name != ""
}

func (r *tracer) follow(pid int) {
	var status unix.WaitStatus
	_, err := unix.Wait4(pid, &status, unix.WALL, nil)
	require.NoError(r.t, err)
	require.NoError(r.t, unix.PtraceSetOptions(pid, unix.PTRACE_O_TRACECLONE|unix.PTRACE_O_TRACESYSGOOD|unix.PTRACE_O_EXITKILL))
	require.NoError(r.t, unix.PtraceSyscall(pid, 0))
	for {
		thread, err := unix.Wait4(-1, &status, unix.WALL, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		require.NoError(r.t, err)
		if status.Exited() || status.Signaled() {
			if thread == pid {
				return
			}
			continue
		}
		signal := status.StopSignal()
		switch signal {
		case unix.SIGTRAP | 0x80:
			r.step(pid, thread)
			signal = 0
		case unix.SIGTRAP, unix.SIGSTOP:
			signal = 0 // of the tracing itself
		default: // the program's own
		}
		if err := unix.PtraceSyscall(thread, int(signal)); !errors.Is(err, unix.ESRCH) {
			require.NoError(r.t, err)
		}
	}
}

// step looks at a call that begins or ends.
func (r *tracer) step(pid, thread int) {
	var registers unix.PtraceRegs
	if err := unix.PtraceGetRegs(thread, &registers); err != nil {
		return // it was killed
	}
	r.inside[thread] = !r.inside[thread]
	if !r.inside[thread] {
		if r.spoilt[thread] {
			r.spoilt[thread] = false
			registers.Rax = ^uint64(unix.ENOSPC) + 1 // -ENOSPC
			require.NoError(r.t, unix.PtraceSetRegs(thread, &registers))
		} else if r.what == torn && r.name != "" {
			require.NoError(r.t, unix.Kill(pid, unix.SIGKILL))
		}
		return
	}
	name, writes := r.changes(pid, registers)
	if r.what == filled {
		writes = writes || strings.HasPrefix(name, "create") || name == "mkdirat" || strings.HasPrefix(name, "copy")
	}
	if r.what == filled && r.name != "" && writes && name != "" {
		r.spoil(thread, registers)
		return
	}
	if name == "" || (r.what == torn || r.what == filled) && !writes || r.name != "" {
		return
	}
	if r.left--; r.left > 0 {
		return
	}
	r.name = name
	switch r.what {
	case killed:
		require.NoError(r.t, unix.Kill(pid, unix.SIGKILL))
	case torn:
		registers.Rdx /= 2
		require.NoError(r.t, unix.PtraceSetRegs(thread, &registers))
	case full, filled:
		r.spoil(thread, registers)
	}
}

// spoil has a call fail.
func (r *tracer) spoil(thread int, registers unix.PtraceRegs) {
	r.spoilt[thread] = true
	registers.Orig_rax = 1<<64 - 1 // no such call
	require.NoError(r.t, unix.PtraceSetRegs(thread, &registers))
}

// changes names a call that changes a file of the state, and says whether it writes bytes.
func (r *tracer) changes(pid int, registers unix.PtraceRegs) (name string, writes bool) {
	switch registers.Orig_rax {
	case unix.SYS_WRITE, unix.SYS_PWRITE64:
		return r.ofState(pid, registers.Rdi, "write"), true
	case unix.SYS_COPY_FILE_RANGE:
		return r.ofState(pid, registers.Rdx, "copy_file_range"), false
	case unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_SYNCFS:
		return r.ofState(pid, registers.Rdi, "sync"), false
	case unix.SYS_FTRUNCATE:
		return r.ofState(pid, registers.Rdi, "ftruncate"), false
	case unix.SYS_FCHMOD, unix.SYS_FCHOWN:
		return r.ofState(pid, registers.Rdi, "fchmod"), false
	case unix.SYS_OPENAT:
		if registers.Rdx&unix.O_CREAT != 0 {
			return "create", false
		}
	case unix.SYS_MKDIRAT:
		return "mkdirat", false
	case unix.SYS_RENAME, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2:
		return "rename", false
	case unix.SYS_UNLINKAT:
		return "unlinkat", false
	case unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2:
		return "fchmodat", false
	case unix.SYS_LINKAT:
		return "linkat", false
	}
	return "", false
}

// ofState is the name, if a descriptor leads below the state.
func (r *tracer) ofState(pid int, descriptor uint64, name string) string {
	path, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", pid, descriptor))
	if err != nil || !strings.HasPrefix(path, r.dir) {
		return ""
	}
	return name + " " + strings.TrimPrefix(path, r.dir)
}
