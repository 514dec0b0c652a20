package selftest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"hotcell/internal/durable"
)

// Bait is what lies on the host for the probes to find. It is laid where any
// process of the host could reach it: what keeps it must be isolation, not its mode.
type Bait struct {
	facts    Facts
	token    string // what follows SecretPrefix
	hostname string
	shared   string // the file in /dev/shm
	victim   *exec.Cmd
	dead     chan struct{} // closed when the victim is
	reached  atomic.Int64  // connections that came in
	release  []func() error
}

// segmentBytes is one page: what is looked at is its beginning.
const segmentBytes = 4096

// layBait lays the bait. The caller must call Remove. The process among it lives no
// longer than ctx.
func layBait(ctx context.Context) (*Bait, error) {
	hostname, err := os.Hostname()
	if err != nil {
		return nil, fmt.Errorf("lay bait: %w", err)
	}
	b := &Bait{
		token: rand.Text(), hostname: hostname, dead: make(chan struct{}),
		facts: Facts{Abstract: "hotcell-" + rand.Text(), Victim: "HOTCELL_VICTIM=" + rand.Text()},
	}
	for _, lay := range []func(context.Context) error{b.laySecret, b.layShared, b.laySegment, b.layVictim, b.listenTCP, b.listenUnix} {
		if err := lay(ctx); err != nil {
			return nil, errors.Join(fmt.Errorf("lay bait: %w", err), b.Remove())
		}
	}
	return b, nil
}

// Facts is what the probes are told of the bait. Its Limits are left to the caller.
func (b *Bait) Facts() Facts { return b.facts }

// Token is the secret itself, without SecretPrefix. Probes are not told it.
func (b *Bait) Token() string { return b.token }

// Reached counts the connections that came in.
func (b *Bait) Reached() int64 { return b.reached.Load() }

// Remove takes the bait away. Idempotent.
func (b *Bait) Remove() error {
	var faults []error
	for _, v := range slices.Backward(b.release) {
		faults = append(faults, v())
	}
	b.release = nil
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("remove bait: %w", err)
	}
	return nil
}

func (b *Bait) onRemove(release func() error) { b.release = append(b.release, release) }

func (b *Bait) secret() []byte { return []byte(SecretPrefix + b.token) }

func (b *Bait) laySecret(context.Context) error {
	above, err := filepath.EvalSymlinks(os.TempDir())
	if err == nil { // whoever could exchange the directory could have us remove what they put there
		err = durable.OthersBelow(filepath.Join(above, "bait"))
	}
	if err != nil {
		return fmt.Errorf("make secret in %s: %w: name another directory with TMPDIR", os.TempDir(), err)
	}
	dir, err := os.MkdirTemp(above, "hotcell-bait-")
	if err != nil {
		return err
	}
	b.onRemove(func() error { return os.RemoveAll(dir) })
	if err := durable.MakeDir(dir, 0o755); err != nil {
		return err
	}
	b.facts.Secret = filepath.Join(dir, "secret")
	return writeNew(b.facts.Secret, b.secret())
}

func (b *Bait) layShared(context.Context) error {
	b.shared = filepath.Join("/dev/shm", "hotcell-"+rand.Text())
	if err := writeNew(b.shared, b.secret()); err != nil {
		return err
	}
	b.onRemove(func() error { return os.Remove(b.shared) })
	return nil
}

// writeNew makes a file that everybody can read, and never opens one that exists:
// others can write the directory.
func writeNew(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}

func (b *Bait) laySegment(context.Context) error {
	id, err := unix.SysvShmGet(unix.IPC_PRIVATE, segmentBytes, unix.IPC_CREAT|0o666)
	if err != nil {
		return fmt.Errorf("make shared memory: %w", err)
	}
	b.onRemove(func() error {
		_, err := unix.SysvShmCtl(id, unix.IPC_RMID, nil)
		return err
	})
	b.facts.ShmID = id
	return withSegment(id, func(memory []byte) { copy(memory, b.secret()) })
}

func withSegment(id int, use func(memory []byte)) error {
	memory, err := unix.SysvShmAttach(id, 0, 0)
	if err != nil {
		return fmt.Errorf("attach shared memory: %w", err)
	}
	use(memory)
	return unix.SysvShmDetach(memory)
}

// layVictim starts a process of the host with a secret in its environment.
func (b *Bait) layVictim(ctx context.Context) error {
	b.victim = exec.CommandContext(ctx, "sleep", "infinity")
	b.victim.Env = []string{b.facts.Victim}
	if err := b.victim.Start(); err != nil {
		return err
	}
	go func() {
		defer close(b.dead)
		_ = b.victim.Wait() // that it has ended is all there is to know
	}()
	b.onRemove(func() error {
		err := b.victim.Process.Kill()
		<-b.dead
		if errors.Is(err, os.ErrProcessDone) {
			return nil
		}
		return err
	})
	return nil
}

func (b *Bait) listenTCP(ctx context.Context) error {
	address, err := b.listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	tcp, ok := address.(*net.TCPAddr)
	if !ok {
		return fmt.Errorf("listen: %s is no TCP address", address)
	}
	b.facts.TCPPort = tcp.Port
	return nil
}

func (b *Bait) listenUnix(ctx context.Context) error {
	_, err := b.listen(ctx, "unix", "@"+b.facts.Abstract)
	return err
}

func (b *Bait) listen(ctx context.Context, network, address string) (net.Addr, error) {
	var listening net.ListenConfig
	listener, err := listening.Listen(ctx, network, address)
	if err != nil {
		return nil, err
	}
	var accepting sync.WaitGroup
	accepting.Go(func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return // closed
			}
			b.reached.Add(1)
			_ = connection.Close() // it has been counted
		}
	})
	b.onRemove(func() error {
		err := listener.Close()
		accepting.Wait()
		return err
	})
	return listener.Addr(), nil
}

// Canaries looks whether everything is as it was laid.
func (b *Bait) Canaries() []Canary {
	return []Canary{
		b.alone(),
		b.same("host_file", b.facts.Secret),
		b.same("shared_file", b.shared),
		b.segment(),
		b.alive(),
		b.unreached(),
		b.named(),
	}
}

func (b *Bait) alone() Canary {
	entries, err := os.ReadDir(filepath.Dir(b.facts.Secret))
	if err != nil {
		return intact("host_directory", err.Error())
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if len(names) != 1 {
		return intact("host_directory", fmt.Sprintf("it held one file and now holds %q", names))
	}
	return intact("host_directory", "")
}

func (b *Bait) same(name, path string) Canary {
	content, err := os.ReadFile(path)
	if err != nil {
		return intact(name, err.Error())
	}
	if string(content) != string(b.secret()) {
		return intact(name, path+" has been changed")
	}
	return intact(name, "")
}

func (b *Bait) segment() Canary {
	var content string
	if err := withSegment(b.facts.ShmID, func(memory []byte) { content = string(memory) }); err != nil {
		return intact("shared_memory", err.Error())
	}
	if strings.TrimRight(content, "\x00") != string(b.secret()) {
		return intact("shared_memory", fmt.Sprintf("SysV segment %d has been changed", b.facts.ShmID))
	}
	return intact("shared_memory", "")
}

func (b *Bait) alive() Canary {
	select {
	case <-b.dead:
		return intact("host_process", fmt.Sprintf("process %d has been ended", b.victim.Process.Pid))
	default:
		return intact("host_process", "")
	}
}

func (b *Bait) unreached() Canary {
	if count := b.reached.Load(); count > 0 {
		return intact("host_sockets", fmt.Sprintf("%d connections came in", count))
	}
	return intact("host_sockets", "")
}

func (b *Bait) named() Canary {
	name, err := os.Hostname()
	if err != nil {
		return intact("host_name", err.Error())
	}
	if name != b.hostname {
		return intact("host_name", fmt.Sprintf("it was %q and is %q", b.hostname, name))
	}
	return intact("host_name", "")
}
