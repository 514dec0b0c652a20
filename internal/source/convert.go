package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"

	"hotcell/internal/strictjson"
)

// ChildName is the name, argument 0, by which this program knows that it is the process that
// Convert has started. Whatever calls Convert must call parse.IfChild before all else.
const ChildName = "hotcell-source"

// ErrUnconfined is for a host on which nothing can be parsed safely.
var ErrUnconfined = errors.New("this host cannot confine what would read it (a Linux kernel with seccomp can, and a runner that is built with libseccomp)")

// Convert has an open file read by a process that is this program again. Before it reads a
// byte it gives up all but reading the file and writing its answer: see package parse. The
// tables of the file go to a receiver. What is wrong with the file is a *FaultError, also if
// the process ended over it; ErrUnconfined is for a host that cannot do this.
func Convert(ctx context.Context, file *os.File, order Order, into Receiver) error {
	if runtime.GOOS != "linux" {
		return ErrUnconfined
	}
	encoded, err := strictjson.Encode(order)
	if err != nil {
		return fmt.Errorf("order a source's tables: %w", err)
	}
	// The kernel ends the child with the thread that started it, so that must live till then.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	alive, kill := context.WithTimeout(ctx, MaxSeconds*2*time.Second) // one that sleeps uses no processor time
	defer kill()
	child := exec.CommandContext(alive, "/proc/self/exe")
	child.Args = []string{ChildName, string(encoded)}
	// Nothing of this environment. Else Go keeps files of its control group open.
	child.Env, child.Dir = []string{"GODEBUG=containermaxprocs=0,updatemaxprocs=0"}, "/"
	child.Stdin, child.SysProcAttr = file, endsWithParent()
	answer, err := child.StdoutPipe()
	if err != nil {
		return fmt.Errorf("read a source: %w", err)
	}
	if err := child.Start(); err != nil {
		return fmt.Errorf("start what reads a source: %w", err)
	}
	received := Receive(answer, into)
	if received != nil {
		kill() // it may go on for ever
	}
	ended := child.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return outcome(received, ended)
}

// outcome tells a source that ends its reader from what is no fault of the source.
func outcome(received, ended error) error {
	switch {
	case received == nil && ended == nil:
		return nil
	case received != nil && !errors.Is(received, errFrames):
		return received
	}
	how := "it broke off its answer"
	if ended != nil {
		how = ended.Error()
	}
	return Fault(fmt.Sprintf("what reads it ended before the file did (%s): it is damaged, was made to do so, or needs more than %d GiB of memory or %d minutes of processor time: "+
		"put it here as a plain CSV or JSON Lines file", how, int64(MaxMemory)>>30, MaxSeconds/60))
}
