package userns

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// endPatience is how long a program that was asked to end may take to clean up.
const endPatience = 30 * time.Second

// maxFault bounds what a program says of its failure, in bytes.
const maxFault = 64 << 10

// Program is what Run starts.
type Program struct {
	Argv []string // an absolute path, and arguments
	Env  []string // the whole environment
	// Progress gets what it writes to standard error.
	Progress io.Writer
}

// begin waits for the namespace's numbers before it starts the program: until then
// the program would be nobody, and execve(2) would leave it without any right.
// Standard input stays open as long as the caller lives.
const begin = `read -r _ || exit 1; exec "$@"`

// Run runs a program as root of a new user namespace and waits for its end. What the
// program writes to standard output is the error, where it fails. Its standard input
// ends when the caller is gone or gives up; it must end by itself then, and is killed
// when it does not. A signal at the caller's death (PR_SET_PDEATHSIG) would be lost:
// the kernel clears it when execve(2) gives the program its rights (commit_creds).
func Run(ctx context.Context, program Program) error {
	uids, gids, err := ids()
	if err != nil {
		return err
	}
	command := exec.CommandContext(ctx, "/bin/sh", append([]string{"-euc", begin, "sh"}, program.Argv...)...)
	fault := &bounded{}
	command.Env, command.Dir = program.Env, "/"
	command.Stdout, command.Stderr = fault, program.Progress
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}
	command.WaitDelay = endPatience
	stdin, err := command.StdinPipe()
	if err != nil {
		return err
	}
	command.Cancel = stdin.Close
	if err := command.Start(); err != nil {
		return fmt.Errorf("make a user namespace: %w%s", err, forbidden())
	}
	err = number(ctx, command.Process.Pid, uids, gids)
	if err == nil {
		_, err = io.WriteString(stdin, "\n")
	}
	if err != nil {
		return errors.Join(err, stdin.Close(), ended(command.Wait()))
	}
	err = command.Wait()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil:
		return nil
	case fault.Len() > 0:
		return fmt.Errorf("%s%s", strings.TrimSpace(fault.String()), forbidden())
	default:
		return fmt.Errorf("%w%s", err, forbidden())
	}
}

// ended drops that the program ended badly, where it was never begun.
func ended(err error) error {
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil
	}
	return err
}

// ids returns the arguments of newuidmap and newgidmap for this user, or says what
// the host has to give the user.
func ids() (uids, gids []string, err error) {
	for _, program := range []string{"newuidmap", "newgidmap"} {
		if _, err := exec.LookPath(program); err != nil {
			return nil, nil, fmt.Errorf("%s is missing: as root, run `apt-get install uidmap`", program)
		}
	}
	name, number := "", strconv.Itoa(os.Getuid())
	if found, err := user.LookupId(number); err == nil {
		name = found.Username
	}
	uids, uidErr := fromFile("/etc/subuid", os.Getuid(), name, number)
	gids, gidErr := fromFile("/etc/subgid", os.Getgid(), name, number)
	if err := errors.Join(uidErr, gidErr); err != nil {
		if name == "" {
			name = "NAME"
		}
		return nil, nil, fmt.Errorf("%w: as root, run `usermod --add-subuids 100000-165535 --add-subgids 100000-165535 %s`, with a range that nobody else in these files has", err, name)
	}
	return uids, gids, nil
}

func fromFile(path string, id int, owners ...string) ([]string, error) {
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	arguments, err := mapping(id, owned(content, owners...))
	if err != nil {
		return nil, fmt.Errorf("user %s has in %s %w", owners[len(owners)-1], path, err)
	}
	return arguments, nil
}

// number gives the namespace its numbers.
func number(ctx context.Context, pid int, uids, gids []string) error {
	for _, given := range []struct {
		program   string
		arguments []string
	}{{"newuidmap", uids}, {"newgidmap", gids}} {
		var said bytes.Buffer
		command := exec.CommandContext(ctx, given.program, append([]string{strconv.Itoa(pid)}, given.arguments...)...) // #nosec G204 -- numbers
		command.Env = []string{}
		command.Stdout, command.Stderr = &said, &said
		if err := command.Run(); err != nil {
			return fmt.Errorf("run %s: %w: %s%s", given.program, err, strings.TrimSpace(said.String()), forbidden())
		}
	}
	return nil
}

// forbidden names the settings of a host that keep users from namespaces of their
// own, as an end of a sentence.
func forbidden() string {
	for _, setting := range []struct{ name, forbids, instead string }{
		{"user.max_user_namespaces", "0", "10000"},
		{"kernel.unprivileged_userns_clone", "0", "1"},
		{"kernel.apparmor_restrict_unprivileged_userns", "1", "0"},
	} {
		content, err := os.ReadFile("/proc/sys/" + strings.ReplaceAll(setting.name, ".", "/"))
		if err == nil && strings.TrimSpace(string(content)) == setting.forbids {
			return fmt.Sprintf("; this host has %s=%s, which keeps users from namespaces of their own: as root, run `sysctl %[1]s=%[3]s`", setting.name, setting.forbids, setting.instead)
		}
	}
	return ""
}

// bounded keeps the beginning of what is written to it.
type bounded struct{ bytes.Buffer }

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	b.Buffer.Write(p[:min(len(p), maxFault-b.Len())]) // never returns an error: see bytes.Buffer
	return len(p), nil
}
