// Package replica runs the saved code of a run with a person's own Python, under the guard and
// without a sandbox.
//
// It decides which Python is fit, and gives it the guard that this program carries. It does not
// decide how the code is vetted, nor what the answer is worth: what comes back is the word of a
// process in which the code has run. Its caller is the command, for somebody who would run that
// code anyway.
package replica

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/wire"
)

// Version is the Python that the guard is made for, and leastRelease the image's release of it:
// the guard reaches into the interpreter, and 3.13.0 crashes where it does.
const (
	Version      = "3.13"
	leastRelease = 5
)

// Options are one replication. All paths are absolute.
type Options struct {
	Python string // the interpreter: see Find
	Script string // the saved code of a record, with its header
	Rules  []byte // of the guard, as runner.ExportRules has them
	Bundle string // the bundle's directory; "" for none
	Inputs []byte // nil for none
	Output string // made anew
	// StdoutBytes and StderrBytes are what the guard cuts the streams after.
	StdoutBytes, StderrBytes int64
	Seed                     int64 // provenance.seed of the run; 0 for one that is drawn
}

// RefusedError is why nothing ran: what was given is not the run.
type RefusedError struct{ Reason string }

// Error implements error.
func (e *RefusedError) Error() string { return e.Reason }

// Find returns the path of a Python that the guard can run in: the one of that name or path,
// or for "" the first of python3.13 and python3 in the search path that is one. None is a
// *RefusedError.
func Find(ctx context.Context, name string) (string, error) {
	names := []string{name}
	if name == "" {
		names = []string{"python" + Version, "python3"}
	}
	var said []string
	for _, one := range names {
		path, err := exec.LookPath(one)
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if err != nil {
			said = append(said, fmt.Sprintf("%s: %s", one, reason(err)))
			continue
		}
		version, err := versionOf(ctx, path)
		switch {
		case context.Cause(ctx) != nil:
			return "", context.Cause(ctx)
		case err != nil:
			said = append(said, fmt.Sprintf("%s: %s", path, err))
		case !isFit(version):
			said = append(said, fmt.Sprintf("%s is Python %s", path, version))
		default:
			return path, nil
		}
	}
	return "", &RefusedError{fmt.Sprintf("the guard needs Python %s, from %s.%d on, as the sandbox's image has it (%s): name one with --python", Version, Version, leastRelease, strings.Join(said, "; "))}
}

func reason(err error) string {
	if errors.Is(err, exec.ErrNotFound) {
		return "not in the search path"
	}
	if inner := errors.Unwrap(err); inner != nil {
		return inner.Error()
	}
	return err.Error()
}

func isFit(version string) bool {
	release, found := strings.CutPrefix(version, Version+".")
	number, err := strconv.Atoi(release)
	return found && err == nil && number >= leastRelease
}

func versionOf(ctx context.Context, python string) (string, error) {
	cmd := exec.CommandContext(ctx, python, "-I", "-c", "import sys; print('%d.%d.%d' % sys.version_info[:3])")
	cmd.Env = environment()
	said, err := cmd.Output()
	if err != nil {
		return "", errors.New("it does not run as a Python")
	}
	return strings.TrimSpace(string(said)), nil
}

// environment is what an interpreter, or pyenv's stand-in for one, needs to find itself and its
// libraries.
func environment() []string {
	var own []string
	for _, name := range []string{"PATH", "LD_LIBRARY_PATH", "HOME", "TMPDIR", "PYENV_ROOT", "PYENV_VERSION"} {
		if value, set := os.LookupEnv(name); set {
			own = append(own, name+"="+value)
		}
	}
	return own
}

// mostSaid bounds what is kept of what the interpreter says beside the report.
const mostSaid = 16 << 10

// waitForPipes is how long the end of what a dead interpreter printed is waited for.
const waitForPipes = 5 * time.Second

// Desk is a private directory with the guard in it, in which one replication is made.
type Desk struct{ dir string }

// NewDesk makes one. It is closed, which removes it.
func NewDesk() (*Desk, error) {
	dir, err := os.MkdirTemp("", "hotcell-replica-") // 0700
	if err != nil {
		return nil, fmt.Errorf("make replica: %w", err)
	}
	desk := &Desk{dir}
	if err := desk.furnish(); err != nil {
		return nil, errors.Join(fmt.Errorf("make replica: %w", err), desk.Close())
	}
	return desk, nil
}

func (d *Desk) furnish() (err error) {
	if d.dir, err = filepath.Abs(d.dir); err != nil {
		return err
	}
	if err := os.CopyFS(d.guard(), pythonanalysis.Guard()); err != nil {
		return err
	}
	return os.Mkdir(d.Staging(), 0o700)
}

func (d *Desk) guard() string { return filepath.Join(d.dir, "guard") }

// Staging is an empty directory, for files that are verified.
func (d *Desk) Staging() string { return filepath.Join(d.dir, "staging") }

// Close removes the desk, and what is staged.
func (d *Desk) Close() error { return os.RemoveAll(d.dir) }

// Run runs the code again, once for a desk. What keeps it from running is a *RefusedError.
func (d *Desk) Run(ctx context.Context, options Options) (wire.Replica, error) {
	arguments, err := options.arguments(d.dir)
	if err != nil {
		return wire.Replica{}, err
	}
	cmd := exec.CommandContext(ctx, options.Python, arguments...)
	cmd.Dir, cmd.Env = d.dir, append(environment(), "PYTHONPATH="+d.guard())
	said := &tail{}
	cmd.Stdout, cmd.Stderr = io.Discard, said // the report has the streams
	cmd.WaitDelay = waitForPipes
	runErr := cmd.Run()
	if context.Cause(ctx) != nil {
		return wire.Replica{}, context.Cause(ctx)
	}
	return options.read(d.dir, runErr, said)
}

// arguments writes what the guard reads, and says where it is.
func (o Options) arguments(dir string) ([]string, error) {
	arguments := []string{"-sBP", "-m", "hotcell_guard.replicate", "--output", o.Output, "--report", filepath.Join(dir, reportName)}
	write := func(flag, name string, content []byte) error {
		arguments = append(arguments, flag, filepath.Join(dir, name))
		return writeFile(dir, name, content)
	}
	if err := write("--rules", "rules.json", o.Rules); err != nil {
		return nil, err
	}
	if o.Inputs != nil {
		if err := write("--inputs", "inputs.json", o.Inputs); err != nil {
			return nil, err
		}
	}
	if o.Bundle != "" {
		arguments = append(arguments, "--bundle", o.Bundle)
	}
	for flag, number := range map[string]int64{"--stdout-bytes": o.StdoutBytes, "--stderr-bytes": o.StderrBytes, "--seed": o.Seed} {
		if number > 0 {
			arguments = append(arguments, flag, strconv.FormatInt(number, 10))
		}
	}
	return append(arguments, "--", o.Script), nil
}

// exitRefused is the exit code of the guard's replicate for what it does not run.
const exitRefused = 2

const reportName = "report.json"

// read reads the report, or why there is none.
func (o Options) read(dir string, runErr error, said *tail) (wire.Replica, error) {
	var ended *exec.ExitError
	if runErr != nil && !errors.As(runErr, &ended) {
		return wire.Replica{}, fmt.Errorf("run replica: %w", runErr)
	}
	code := 0
	if ended != nil {
		code = ended.ExitCode()
	}
	switch code {
	case exitRefused:
		return wire.Replica{}, &RefusedError{said.last()}
	case 0, 1, 3, 7:
	default:
		return wire.Replica{}, fmt.Errorf("run replica: Python ended with code %d and no report: %s", code, said.last())
	}
	report, err := readFile(dir, reportName)
	if err != nil {
		return wire.Replica{}, fmt.Errorf("run replica: %w", err)
	}
	return wire.DecodeReplica(report)
}

func writeFile(dir, name string, content []byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("make replica: %w", err)
	}
	return errors.Join(root.WriteFile(name, content, 0o600), root.Close())
}

// readFile reads what the guard has left in our own directory. The code has run as whoever
// owns it, and may have put anything there.
func readFile(dir, name string) (content []byte, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrInvalid)
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err = io.ReadAll(io.LimitReader(file, mostReport+1))
	if err == nil && len(content) > mostReport {
		err = fmt.Errorf("%s has more than %d bytes", name, mostReport)
	}
	return content, err
}

// mostReport is a report and two streams, with the escapes that JSON adds.
const mostReport = 6 * (wire.MaxReport + 64<<20)

// tail keeps the end of what it is told.
type tail struct{ text []byte }

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if over := len(t.text) - mostSaid; over > 0 {
		t.text = append([]byte(nil), t.text[over:]...)
	}
	return len(p), nil
}

// last is the last line, without the name that the guard's program begins it with.
func (t *tail) last() string {
	lines := bytes.Split(bytes.TrimSpace(t.text), []byte("\n"))
	line := strings.ToValidUTF8(string(lines[len(lines)-1]), "\ufffd")
	return strings.TrimPrefix(line, "replicate: ")
}
