package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"

	"hotcell/internal/bundle"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/engineapi"
	"hotcell/internal/image"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/runner"
	"hotcell/internal/seccomp"
	"hotcell/policies"
)

// policyDir is where an administrator adds policies. It is a variable for the linker
// alone (-X main.policyDir=…), for a packager or a test: no flag and no environment
// names another, because whoever chooses the policies decides what a run may do.
var policyDir = "/etc/hotcell/policies"

// defaultState is $HOTCELL_STATE, else the system's directory for root and one of the
// user's own for everybody else: on Linux where the XDG Base Directory Specification
// has what is kept between runs and is no configuration.
func defaultState() string {
	if dir := stateOf(os.Geteuid(), os.Getenv); dir != "" {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil || runtime.GOOS == "linux" {
		return "hotcell-state" // here: there is no home
	}
	return filepath.Join(home, "Library", "Application Support", "hotcell")
}

// stateOf is "" where neither the user nor Linux has a place for it.
func stateOf(uid int, getenv func(string) string) string {
	home, place := getenv("HOME"), getenv("XDG_STATE_HOME")
	switch dir := getenv("HOTCELL_STATE"); {
	case dir != "":
		return dir
	case runtime.GOOS != "linux":
		return ""
	case uid == 0:
		return "/var/lib/hotcell"
	case filepath.IsAbs(place): // a relative one counts for nothing there
		return filepath.Join(place, "hotcell")
	case home != "":
		return filepath.Join(home, ".local", "state", "hotcell")
	default:
		return ""
	}
}

// resolveState makes the state directory's name absolute: engines resolve it from
// elsewhere.
func (a *app) resolveState() error {
	if a.state == "" {
		return usageError{errors.New("--state is empty: name a directory")}
	}
	dir, err := filepath.Abs(a.state)
	if err != nil {
		return fmt.Errorf("resolve state directory: %w", err)
	}
	a.state = dir
	return nil
}

// makeState makes the state directory, and says what to do where this user cannot
// have it. Nobody else passes through it: the sandboxes' users, who are others, get
// what they need of it mounted.
func (a *app) makeState() error {
	dir, err := durable.MakeTrusted(a.state)
	if err == nil {
		err = unix.Access(dir, unix.R_OK|unix.W_OK|unix.X_OK)
	}
	switch {
	case errors.Is(err, unix.ENOTDIR):
		return usageError{fmt.Errorf("state directory %s is a file: name a directory with --state", a.state)}
	case errors.Is(err, unix.EROFS):
		return usageError{fmt.Errorf("state directory %s is on a file system that is read-only: name another with --state", a.state)}
	case errors.Is(err, fs.ErrPermission):
		return usageError{fmt.Errorf("state directory %s is not yours: name another with --state, or run as root", a.state)}
	case errors.Is(err, durable.ErrForeignLink), errors.Is(err, durable.ErrNotTrusted):
		return usageError{fmt.Errorf("state directory: %w: name another with --state", err)}
	case err != nil:
		return err
	}
	a.state = dir
	return onlyForOwner(dir)
}

// onlyForOwner refuses a state directory that somebody else could change or
// exchange: they could put other images and records in the place of ours. It closes
// one that others can pass to them: whoever knows a digest, and digests stand in
// every result, could read the data of a study.
func onlyForOwner(dir string) error {
	info, err := os.Lstat(dir) // of a name that nobody else can exchange
	if err != nil {
		return err
	}
	if err := durable.OnlyOwn(dir); err != nil {
		return usageError{fmt.Errorf("state directory: %w: name another with --state (docs/operations.md says what to do with one that was yours alone)", err)}
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	if err := isState(dir); err != nil {
		return usageError{fmt.Errorf("state directory %s is open to others and holds more than our state (%w): name another with --state, or `chmod 700` it", dir, err)}
	}
	return durable.MakeDir(dir, 0o700)
}

// isState tells a state directory, or an empty one, from one that was named by
// mistake: /var/lib must not be closed to all others.
func isState(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(filepath.Join(dir, "audit.jsonl")); err == nil {
		return nil
	}
	for _, entry := range entries {
		if !slices.Contains([]string{"images", "bundles", "runs", "quarantine", outputsName, "lock", "retention.lock", "anchor.lock", "releases", ".removing", "sandboxes", registryName, "selftest", "selftest.lock", signingName, signingName + publicEnd, "policies.seen", engineapi.SocketName, engineapi.LockName}, entry.Name()) {
			return fmt.Errorf("for example %q", entry.Name())
		}
	}
	return nil
}

// nothingThereError tells the absence of a part of the state from a state that cannot be used.
type nothingThereError struct{ error }

// Unwrap lets errors.As see the mistake of the user's.
func (n nothingThereError) Unwrap() error { return n.error }

// isNothing reports whether an error says that nothing was kept yet.
func isNothing(err error) bool {
	_, nothing := errors.AsType[nothingThereError](err)
	return nothing
}

// nothingKept is the error of a command that only looks, where the state directory has none
// of what it looks for: it makes no directory, which would hide that the wrong one was named.
func (a *app) nothingKept(part, what string) error {
	if _, err := os.Lstat(a.state); err == nil {
		if err := a.makeState(); err != nil { // which is not to be made
			return err
		}
	}
	if _, err := os.Lstat(filepath.Join(a.state, part)); !errors.Is(err, fs.ErrNotExist) {
		return nil // what else is wrong says who opens it
	}
	return nothingThereError{usageError{fmt.Errorf("there is %s in %s: name the state directory with --state or HOTCELL_STATE", what, a.state)}}
}

// images opens the image store. It may be a link: several states can share the
// images, which are large and the same for all.
func (a *app) images() (*image.Store, error) {
	if err := a.makeState(); err != nil {
		return nil, err
	}
	dir := filepath.Join(a.state, "images")
	target, err := durable.MakeTrusted(dir)
	if err != nil {
		return nil, asRoot(fmt.Errorf("open image store: %w", err))
	}
	store, err := image.OpenStore(target)
	return store, asRoot(err)
}

func asRoot(err error) error {
	if err != nil && os.Geteuid() != 0 {
		return fmt.Errorf("%w; or run as root", err)
	}
	return err
}

// bundles is one store for all of the process: what it has hashed, it knows.
func (a *app) bundles() (*bundle.Store, error) {
	if a.bundleStore != nil {
		return a.bundleStore, nil
	}
	if err := a.makeState(); err != nil {
		return nil, err
	}
	opened, err := bundle.OpenStore(filepath.Join(a.state, "bundles"))
	a.bundleStore = opened
	return opened, err
}

func (a *app) records() (*records.Store, error) {
	if err := a.makeState(); err != nil {
		return nil, err
	}
	kept, err := records.Open(a.state)
	if err != nil {
		return nil, err
	}
	kept.SignBy(a.signer) // by the key of the moment: an engine process may be older than its key
	return kept, nil
}

func (a *app) policies() *policy.Catalog {
	return policy.NewCatalog(policies.Files, policyDir).Within(policy.Site{File: limitsFile(), Environ: os.Environ()})
}

// limitsFile is where an administrator tightens policies: limits.yaml beside the directory
// of policies.
func limitsFile() string {
	if policyDir == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(policyDir), "limits.yaml")
}

// sandboxes holds one directory per living sandbox of an engine.
func (a *app) sandboxes(engine string) string {
	return filepath.Join(cmp.Or(a.sandboxState, a.state), "sandboxes", engine)
}

// profile reads both stages of a built-in seccomp profile.
func profile(name string) (runner.Profile, error) {
	arch, ok := seccomp.Native(runtime.GOARCH)
	if !ok {
		return runner.Profile{}, fmt.Errorf("seccomp profile %s: architecture %s is not supported", name, runtime.GOARCH)
	}
	first, err := readProfile(name)
	if err != nil {
		return runner.Profile{}, err
	}
	second, err := readProfile(seccomp.UserCode(name))
	if err != nil {
		return runner.Profile{}, err
	}
	third, err := readProfile(seccomp.Template(name))
	if err != nil {
		return runner.Profile{}, err
	}
	all := digest.New()
	for _, stage := range [][]byte{first, second, third} {
		fmt.Fprintln(all, digest.Of(stage))
	}
	return runner.Profile{
		Digest: all.Digest(),
		Compile: func() (runner.Filters, error) {
			made, err := filters(name, first, second, arch)
			made.Template = func() (*specs.LinuxSeccomp, error) { return templateFilter(name, third, arch) }
			return made, err
		},
	}, nil
}

// filters loads the two stages of the named profile. On Linux both are compiled through
// libseccomp, because the runtimes skip in silence what their libseccomp does not know;
// elsewhere Docker's own virtual machine does that.
func filters(name string, stage1, stage2 []byte, arch seccomp.Arch) (runner.Filters, error) {
	inContainer, err := seccomp.Load(name, stage1)
	if err != nil {
		return runner.Filters{}, err
	}
	var first []byte
	if runtime.GOOS == "linux" {
		compiled, err := inContainer.Compile(arch)
		if err != nil {
			return runner.Filters{}, err
		}
		first = compiled.Bytes()
	}
	ofUserCode, err := seccomp.Load(seccomp.UserCode(name), stage2)
	if err != nil {
		return runner.Filters{}, err
	}
	program, err := userProgram(ofUserCode, arch)
	if err != nil {
		return runner.Filters{}, err
	}
	return runner.Filters{Container: inContainer.OCI(), ContainerProgram: first, UserCode: program.Bytes()}, nil
}

// templateFilter is what the runtime loads for a template of the named profile.
func templateFilter(name string, data []byte, arch seccomp.Arch) (*specs.LinuxSeccomp, error) {
	profile, err := seccomp.Load(seccomp.Template(name), data)
	if err != nil {
		return nil, err
	}
	if _, err := profile.Compile(arch); err != nil {
		return nil, err
	}
	return profile.OCI(), nil
}

// userProgram compiles stage 2. A host that is not Linux has no libseccomp: it takes
// the program that the binary carries, after the same check in an interpreter.
func userProgram(stage *seccomp.Profile, arch seccomp.Arch) (*seccomp.Program, error) {
	if runtime.GOOS == "linux" {
		return stage.Compile(arch)
	}
	encoded, err := policies.Files.ReadFile(profileDir + stage.Name() + "." + runtime.GOARCH + ".bpf")
	if err != nil {
		return nil, fmt.Errorf("read compiled seccomp profile: %w", err)
	}
	return stage.Precompiled(arch, encoded)
}

// outsideState refuses a file or directory of the user's within the state directory: what lies
// there belongs to a run, or to nobody. "" is for none.
func (a *app) outsideState(path string) error {
	if path == "" {
		return nil
	}
	within, err := filepath.Rel(resolved(a.state), resolved(path))
	if err != nil || within == ".." || strings.HasPrefix(within, "../") {
		return nil //nolint:nilerr // it is below no directory of ours
	}
	return usageError{fmt.Errorf("%s lies in the state directory (%s): name a place outside", path, a.state)}
}

// resolved is a path without links, as far as it exists.
func resolved(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if whole, err := filepath.EvalSymlinks(path); err == nil {
		return whole
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(resolved(parent), filepath.Base(path))
	}
	return path
}
