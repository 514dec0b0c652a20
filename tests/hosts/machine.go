package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// machine is one boot of a guest.
type machine struct {
	plan    planned
	disks   disks
	share   string
	console string // file for what the kernel says
}

// bootLimit is for the way to the first check and from the last one; on two busy
// processors it takes two minutes.
const bootLimit = 10 * time.Minute

// memory of a guest, in MiB. Its system and the largest of the tests' sandboxes need
// half of it.
const memory = 3072

// boot returns when the machine is off, and an error when it had to be switched off.
func boot(ctx context.Context, m machine) error {
	runtime.LockOSThread() // what it starts dies with this thread
	defer runtime.UnlockOSThread()
	limit := bootLimit
	for _, each := range m.plan.checks {
		limit += each.limit + time.Minute
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("not off after %s", limit))
	defer cancel()
	socket := filepath.Join(m.share, "share.sock")
	files := exec.CommandContext(ctx, fileServer(), "--socket-path="+socket, "-o", "source="+m.share, "-o", "cache=auto")
	if err := start(files, m.console+".share"); err != nil {
		return err
	}
	defer func() { cancel(); _ = files.Wait() }() // it ends with the machine, or with ctx
	if err := awaitSocket(ctx, socket); err != nil {
		return err
	}
	processor := processors()[m.plan.guest.arch]
	emulator := exec.CommandContext(ctx, processor.emulator, m.arguments(processor, socket)...)
	said, err := emulator.StdoutPipe()
	if err != nil {
		return err
	}
	// At the end of its input qemu hangs up, and what the job says would wait for good.
	hold, err := emulator.StdinPipe()
	if err != nil {
		return err
	}
	defer hold.Close()
	if err := start(emulator, m.console+".emulator"); err != nil {
		return err
	}
	repeat(m.plan.guest.name, said)
	err = emulator.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// fileServer finds virtiofsd where Debian has it: in bookworm it is qemu's own.
func fileServer() string {
	const qemus = "/usr/lib/qemu/virtiofsd"
	if _, err := os.Stat(qemus); err == nil {
		return qemus
	}
	return "/usr/libexec/virtiofsd"
}

// processor is one that is emulated, with its board.
type processor struct {
	emulator string
	flags    []string
	console  string
}

// processors go by the architecture's name in Debian.
func processors() map[string]processor {
	return map[string]processor{
		// Of the processors that run Debian, one with little that must be emulated.
		"amd64": {"qemu-system-x86_64", []string{"-machine", "pc,smm=off", "-cpu", "Nehalem"}, "ttyS0"},
		// Signed pointers as qemu likes them: Arm's own algorithm takes half of its time.
		"arm64": {"qemu-system-aarch64", []string{"-machine", "virt", "-cpu", "max,pauth-impdef=on"}, "ttyAMA0"},
	}
}

func (m machine) arguments(processor processor, socket string) []string {
	size := strconv.Itoa(memory)
	return append(processor.flags,
		"-accel", "tcg,thread=single", "-smp", "2", "-m", size,
		"-display", "none", "-monitor", "none", "-no-reboot", "-nic", "none", "-serial", "file:"+m.console,
		"-kernel", m.disks.kernel, "-initrd", m.disks.initrd,
		// On a busy host the kernel takes the emulated timer for a broken one. One that
		// panics is to end, and not to wait for a person.
		"-append", "root=/dev/vda rw console="+processor.console+" quiet systemd.show_status=0 no_timer_check panic=-1",
		// The file server reads and writes the guest's memory.
		"-object", "memory-backend-memfd,id=memory,share=on,size="+size+"M", "-numa", "node,memdev=memory",
		"-chardev", "socket,id=share,path="+socket, "-device", "vhost-user-fs-pci,chardev=share,tag=hotcell",
		"-chardev", "stdio,id=job,signal=off",
		"-device", "virtio-serial", "-device", "virtserialport,chardev=job,name=hotcell",
		"-drive", "file="+m.disks.system+",format=raw,if=virtio,snapshot=on",
		"-drive", "file="+m.disks.state+",format=raw,if=virtio,snapshot=on",
	)
}

// start writes the command's complaints to a file, and lets it die with us.
func start(command *exec.Cmd, complaints string) error {
	file, err := os.Create(complaints)
	if err != nil {
		return err
	}
	defer file.Close()
	command.Stderr = file
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := command.Start(); err != nil {
		return fmt.Errorf("start %s (scripts/setup.sh hosts): %w", command.Path, err)
	}
	return nil
}

// awaitSocket waits until the file server listens.
func awaitSocket(ctx context.Context, path string) error {
	for {
		if _, err := os.Stat(path); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// repeat prints the job's lines until the machine is off.
func repeat(name string, from io.Reader) {
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		log.Printf("%s: %s", name, lines.Text())
	}
}
