//go:build linux

package apparmor

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha1" //nolint:gosec // kernels before 6.8 tell no other digest
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"hotcell/policies"
)

// base is the profile's name in its file; the kernel knows it with a hash behind it.
const base = "hotcell-sandbox"

// host is where the kernel and the parser are; other places are for tests.
type host struct {
	module   string // AppArmor's parameters
	security string // AppArmor's directory in securityfs
	parser   string // apparmor_parser, by name or path
}

func thisHost() host {
	return host{"/sys/module/apparmor/parameters", "/sys/kernel/security/apparmor", "apparmor_parser"}
}

// Load makes sure that the kernel holds the sandboxes' profile, in enforce mode, and
// returns its name, and what of it this host does not keep, "" for nothing. An error says
// what this host lacks. state is a directory that only root can write: what was compiled
// there is remembered by its digest, for compiling takes longer than starting a sandbox.
func Load(ctx context.Context, state string) (name, gap string, err error) {
	text, err := policies.Files.ReadFile("apparmor/sandbox")
	if err != nil {
		return "", "", err
	}
	return thisHost().load(ctx, string(text), state)
}

// Check tells what Load would, and changes nothing: the kernel holds the profile, or it
// has been compiled and this process may load it.
func Check(ctx context.Context, state string) (name, gap string, err error) {
	text, err := policies.Files.ReadFile("apparmor/sandbox")
	if err != nil {
		return "", "", err
	}
	found, err := thisHost().prepare(ctx, string(text), state)
	if err == nil && found.compiled != nil {
		err = mayLoad()
	}
	if err != nil {
		return "", "", err
	}
	return found.name, thisHost().gap(found.known), nil
}

// mayLoad asks for the capability that the kernel wants at the write.
func mayLoad() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&header, &sets[0]); err != nil {
		return fmt.Errorf("read capabilities: %w", err)
	}
	if sets[unix.CAP_MAC_ADMIN/32].Effective&(1<<(unix.CAP_MAC_ADMIN%32)) == 0 {
		return errors.New("loading an AppArmor profile needs CAP_MAC_ADMIN, which the runner lacks")
	}
	return nil
}

// prepared is a profile that the kernel holds, or is about to.
type prepared struct {
	name     string
	compiled []byte   // nil where the kernel holds it
	known    []string // its digests, and what its parser knew
}

// prepare compiles the profile unless the kernel holds it already, and changes nothing.
func (h host) prepare(ctx context.Context, text, state string) (found prepared, err error) {
	if err := h.enabled(); err != nil {
		return prepared{}, err
	}
	if err := h.requireFeatures(); err != nil {
		return prepared{}, err
	}
	found.name, text, err = named(text)
	if err != nil {
		return prepared{}, err
	}
	remembered, err := os.ReadFile(filepath.Join(state, found.name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return prepared{}, err
	}
	found.known = strings.Fields(string(remembered))
	if h.holds(found.name, found.known) == nil {
		return found, nil
	}
	if err := h.reachable(); err != nil {
		return prepared{}, err
	}
	found.compiled, found.known, err = h.compileKnown(ctx, text)
	if err != nil {
		return prepared{}, err // a name would be asked of a kernel that does not know it
	}
	return found, nil
}

// compileKnown tells of what it made what is to be remembered.
func (h host) compileKnown(ctx context.Context, text string) (compiled []byte, known []string, err error) {
	compiled, err = h.compile(ctx, text)
	if err != nil || !h.mediates(newNamespaces()) {
		return compiled, digestsOf(compiled), err
	}
	known = digestsOf(compiled)
	if knows, err := h.parserKnows(ctx); err != nil {
		return nil, nil, err
	} else if knows {
		known = append(known, knowsNamespaces)
	}
	return compiled, known, nil
}

// reachable opens what a profile is written to, which by itself does nothing.
func (h host) reachable() error {
	file, err := os.OpenFile(filepath.Join(h.security, ".replace"), os.O_WRONLY, 0)
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return fmt.Errorf("load AppArmor profile: %w", err)
	}
	return nil
}

func (h host) load(ctx context.Context, text, state string) (name, gap string, err error) {
	found, err := h.prepare(ctx, text, state)
	if err != nil {
		return "", "", err
	}
	name, gap = found.name, h.gap(found.known)
	if found.compiled == nil {
		return name, gap, nil
	}
	if err := h.replace(found.compiled); err != nil {
		return "", "", err
	}
	if err := h.holds(name, found.known); err != nil && !errors.Is(err, errUntold) {
		return "", "", fmt.Errorf("load AppArmor profile: %w", err)
	}
	if err := remember(filepath.Join(state, name), found.known); err != nil {
		return "", "", err
	}
	return name, gap, nil
}

func (h host) enabled() error {
	value, err := os.ReadFile(filepath.Join(h.module, "enabled"))
	if err != nil || strings.TrimSpace(string(value)) != "Y" {
		return errors.New("this kernel runs without AppArmor: boot one that has it, with apparmor=1")
	}
	if _, err := os.Stat(filepath.Join(h.security, "policy", "profiles")); err != nil {
		return fmt.Errorf("this kernel's AppArmor cannot be reached: mount securityfs on /sys/kernel/security: %w", err)
	}
	return h.keeps()
}

// keeps asks for the mode of the whole kernel. One that complains denies nothing, and
// says of each profile and each process what the profile alone would do.
func (h host) keeps() error {
	mode, err := os.ReadFile(filepath.Join(h.module, "mode"))
	if err != nil {
		return fmt.Errorf("read the mode of this kernel's AppArmor, as root: %w", err)
	}
	if got := strings.TrimSpace(string(mode)); got != "enforce" && got != "kill" {
		return fmt.Errorf("this kernel's AppArmor is in mode %q and denies nothing: boot it without apparmor.mode=, "+
			"or write enforce to /sys/module/apparmor/parameters/mode", got)
	}
	return nil
}

// named gives the profile a name that ends in the hash of its text, so that two
// versions of the runner can use their own beside each other.
func named(text string) (name, changed string, err error) {
	const line = "\nprofile " + base + " {\n"
	if strings.Count(text, line) != 1 {
		return "", "", fmt.Errorf("AppArmor profile lacks the line %q", strings.TrimSpace(line))
	}
	name = fmt.Sprintf("%s-%.6x", base, sha256.Sum256([]byte(text)))
	return name, strings.Replace(text, line, "\nprofile "+name+" {\n", 1), nil
}

// holds reports whether the kernel has this profile, enforces it, and has it from bytes
// with one of these digests. Whoever may load profiles could have loaded another one
// under the name, or set it to complain.
func (h host) holds(name string, digests []string) error {
	dir, err := h.profile(name)
	if err == nil {
		err = h.enforces(name)
	}
	if err != nil {
		return err
	}
	for _, file := range []string{"raw_sha256", "raw_sha1"} { // since Linux 6.8, and before
		raw, err := os.ReadFile(filepath.Join(dir, file))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && !slices.Contains(digests, strings.TrimSpace(string(raw))) {
			err = fmt.Errorf("the profile %s is another one than ours", name)
		}
		return err
	}
	return errUntold
}

// profile is the directory in which the kernel tells of a profile.
func (h host) profile(name string) (string, error) {
	dirs, err := filepath.Glob(filepath.Join(h.security, "policy", "profiles", name+".*"))
	if err != nil || len(dirs) != 1 {
		return "", errors.Join(fmt.Errorf("the kernel has %d profiles called %s", len(dirs), name), err)
	}
	return dirs[0], nil
}

func (h host) enforces(name string) error {
	dir, err := h.profile(name)
	if err != nil {
		return err
	}
	mode, err := os.ReadFile(filepath.Join(dir, "mode"))
	if got := strings.TrimSpace(string(mode)); err == nil && got != "enforce" {
		err = fmt.Errorf("the profile %s is in mode %q", name, got)
	}
	return err
}

// errUntold is a kernel that keeps no digest of what was loaded
// (CONFIG_SECURITY_APPARMOR_EXPORT_BINARY): there, each process loads it anew.
var errUntold = errors.New("this kernel does not tell what was loaded")

func digestsOf(compiled []byte) []string {
	return []string{
		fmt.Sprintf("%x", sha256.Sum256(compiled)),
		fmt.Sprintf("%x", sha1.Sum(compiled)), //nolint:gosec // it is the kernel's choice
	}
}

// compile makes what the kernel reads. The features are this kernel's own: those that
// a distribution pins in parser.conf leave what is newer unmediated, that is, allowed.
func (h host) compile(ctx context.Context, text string) ([]byte, error) {
	path, err := exec.LookPath(h.parser)
	if err != nil {
		return nil, fmt.Errorf("install the package apparmor: %w", err)
	}
	command := exec.CommandContext(ctx, path, "--config-file=/dev/null", "--skip-cache",
		"--policy-features="+filepath.Join(h.security, "features"), "--stdout")
	command.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C"}
	command.Stdin = strings.NewReader(text)
	var compiled, complaints bytes.Buffer
	command.Stdout, command.Stderr = &compiled, &complaints
	if err := command.Run(); err != nil {
		return nil, fmt.Errorf("compile AppArmor profile: %w: %s", err, strings.TrimSpace(complaints.String()))
	}
	return compiled.Bytes(), nil
}

// replace loads a profile, or puts it in the place of one of its name. The kernel wants
// all of it in one write.
func (h host) replace(compiled []byte) error {
	file, err := os.OpenFile(filepath.Join(h.security, ".replace"), os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("load AppArmor profile: %w", err)
	}
	_, err = file.Write(compiled)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("load AppArmor profile: %w", err)
	}
	return nil
}

// remember leaves no draft behind, however the process ends. What is read while it is
// written, or was written in half, is the digest of nothing, and compiled anew.
func remember(path string, known []string) error {
	content := strings.Join(known, " ") + "\n"
	return os.WriteFile(path, []byte(content), 0o600) //nolint:forbidigo // in the state directory, which only root can write
}

// Confined refuses a process that does not run under the profile of this name in
// enforce mode. It works on one that has ended and nobody has waited for, too.
func Confined(pid int, name string) error { return cmp.Or(thisHost().keeps(), Runs(pid, name)) }

// Runs is Confined on a kernel which may complain as a whole, and then denies nothing: for
// a profile of which no more is claimed than that it is the process's.
func Runs(pid int, name string) error {
	label, err := labelOf(pid)
	if err != nil {
		return err
	}
	return thisHost().confines(label, name)
}

// confines accepts a stack of profiles with ours in it, because a process may do what all
// of a stack allow: a runtime that has a profile itself, as Debian's crun has one that
// allows everything, cannot leave that under no_new_privs, and adds ours to it. Of such
// a stack the kernel says "mixed".
func (h host) confines(label, name string) error {
	names, mode, _ := strings.Cut(label, " ")
	if slices.Contains(strings.Split(names, "//&"), name) {
		if mode == "(enforce)" {
			return nil
		}
		if mode == "(mixed)" {
			return h.enforces(name)
		}
	}
	return fmt.Errorf("the process runs as %q", label)
}

// labelOf returns under what a process runs, as the kernel says it: "unconfined",
// "docker-default (enforce)".
func labelOf(pid int) (string, error) {
	var label []byte
	var err error
	for _, file := range []string{"attr/apparmor/current", "attr/current"} { // since Linux 5.8, and before
		label, err = os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), file))
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return "", fmt.Errorf("read AppArmor label: %w", err)
	}
	return strings.TrimSpace(strings.TrimRight(string(label), "\x00")), nil
}
