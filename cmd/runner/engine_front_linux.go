package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/runner"
	"hotcell/internal/tool"
	"hotcell/internal/unixsocket"
)

func (f frontFlags) faults(faults *flagFaults) {
	switch {
	case f.socket == "" && f.user == "":
		return
	case f.socket == "":
		faults.add(errors.New("--front-user is given without --front-socket: give both, or none"))
	case f.user == "":
		faults.add(errors.New("--front-socket is given without --front-user: give both, or none"))
	default:
		uid, err := f.uid()
		faults.add(err)
		if err == nil {
			faults.add(mayGive(uid, os.Geteuid()))
		}
		faults.refuse("front-socket", !filepath.IsAbs(f.socket) || filepath.Clean(f.socket) != f.socket, "an absolute path without detours, such as /run/hotcell-engine/engine.sock")
	}
}

// outsideState refuses a socket in the state directory, which no front may enter: one of the
// name of the engine's own would take its place.
func outsideState(socket, state string) error {
	for dir := filepath.Dir(filepath.Clean(socket)); ; dir = filepath.Dir(dir) {
		above, err := os.Stat(dir)
		if err == nil {
			var kept os.FileInfo
			if kept, err = os.Stat(state); err == nil && os.SameFile(above, kept) {
				return fmt.Errorf("--front-socket %s is in the state directory %s, which a front may not enter: name another place, such as /run/hotcell-engine/engine.sock", socket, state)
			}
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("--front-socket %s: %w", socket, err)
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// uid is of a user without privileges: root asks the engine's own socket. A container has no
// list of users, so that a number will do.
func (f frontFlags) uid() (uint32, error) {
	number := f.user
	if found, err := user.Lookup(f.user); err == nil {
		number = found.Uid
	}
	uid, err := strconv.ParseUint(number, 10, 32)
	switch {
	case err != nil || number != strconv.FormatUint(uid, 10) || uid == math.MaxUint32: // which chown(2) takes for nobody
		return 0, fmt.Errorf("--front-user %q is no user of this machine: make one, for example by `useradd --system hotcell-serve`", f.user)
	case uid == 0:
		return 0, fmt.Errorf("--front-user %q: that is root, and a front has no privileges: name another user", f.user)
	}
	return uint32(uid), nil
}

// mayGive refuses a user to whom a process of another one cannot give a socket.
func mayGive(uid uint32, user int) error {
	if user == 0 || int64(uid) == int64(user) {
		return nil
	}
	return fmt.Errorf("--front-user: this process is not root's, and can make a socket for its own user (%d) alone, not for %d", user, uid)
}

// frontOptions is what a front's principals may ask for, or nil where there is no front.
func (a *app) frontOptions(flags frontFlags, made *runner.Runner, kept *records.Store) (*engineapi.FrontOptions, error) {
	if flags.socket == "" {
		return nil, nil //nolint:nilnil // an engine has no front, and that is no error
	}
	uid, err := flags.uid()
	if err != nil {
		return nil, usageError{err}
	}
	bundles, err := a.bundles()
	if err != nil {
		return nil, err
	}
	policies, tools := a.policies(), policy.HostTools{File: toolsFile()}
	if err := checkTools(policies, tools); err != nil {
		return nil, usageError{fmt.Errorf("tools for the front: %w", err)}
	}
	return &engineapi.FrontOptions{
		UID: uid, Apart: int64(uid) == int64(os.Geteuid()), Prepare: made.Prepare, Streams: streamsOf(policies), Tools: toolsOf(policies, tools),
		Room: a.roomForRecord, Archive: archive{kept, uid, a.logger()}, Catalogue: catalogue{policies, tools, bundles, a.logger()},
	}, nil
}

// toolsFile is where an administrator registers tools: tools.yaml beside the directory of
// policies.
func toolsFile() string {
	if policyDir == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(policyDir), "tools.yaml")
}

// toolsOf are what principals may call under a policy, which has to be one of those that they
// may name. Of one that cannot be read the run itself says so.
func toolsOf(policies *policy.Catalog, tools policy.HostTools) func(name string) ([]job.Tool, error) {
	return func(name string) ([]job.Tool, error) {
		found, err := offered(policies, name)
		switch {
		case errors.Is(err, runner.ErrInput):
			return nil, err
		case err != nil:
			return nil, nil //nolint:nilerr // see above
		}
		return tools.Of(found.Policy)
	}
}

// offered is a policy that principals may name. One without the guard is none: to them it is not
// there, and is not named to them among those that are.
func offered(policies *policy.Catalog, name string) (policy.Entry, error) {
	found, err := policies.Find(name)
	if err == nil && found.Policy.Guard.Mode != policy.GuardOff {
		return found, nil
	}
	if err != nil && !errors.Is(err, policy.ErrUnknown) {
		return policy.Entry{}, err
	}
	names, err := policies.Names()
	if err != nil {
		return policy.Entry{}, err
	}
	known := slices.DeleteFunc(names, func(one string) bool {
		other, err := policies.Get(one)
		return err != nil || other.Guard.Mode == policy.GuardOff
	})
	return policy.Entry{}, fmt.Errorf("%w: there is no policy %q: known are %s", runner.ErrInput, name, strings.Join(known, ", "))
}

// checkTools finds what is wrong with the registered tools before somebody needs one.
func checkTools(policies *policy.Catalog, tools policy.HostTools) error {
	names, err := policies.Names()
	if err != nil {
		return err
	}
	if err := tools.Check(names); err != nil {
		return err
	}
	var faults []error
	for _, name := range names {
		own, err := policies.Get(name)
		if err != nil {
			continue // its runs are refused
		}
		found, err := tools.Of(own)
		if own.Tools != nil {
			_, fault := own.Tools.Programs()
			err = errors.Join(err, fault)
		}
		if err == nil {
			_, err = tool.New(tool.Options{
				Brought: found, Allowed: []string{tool.Everyone}, MaxCalls: 1, Timeout: 1, ParamsBytes: 1, AnswerBytes: 1,
			})
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// streamsOf is how many bytes runs of a policy may print. One that is not there lets none run.
func streamsOf(policies *policy.Catalog) func(name string) int64 {
	return func(name string) int64 {
		found, err := policies.Get(name)
		if err != nil {
			return 0
		}
		return int64(found.Limits.Stdout) + int64(found.Limits.Stderr)
	}
}

// listenFront makes the front's socket, or returns nil where there is none. What a process
// before this one has left is told first: a front asks what became of its runs.
func (a *app) listenFront(ctx context.Context, flags frontFlags, made *engineProcess) (net.Listener, error) {
	if flags.socket == "" {
		return nil, nil //nolint:nilnil // an engine has no front, and that is no error
	}
	if err := made.sweep(ctx); err != nil {
		a.logger().Warn("a sweep is incomplete, and is tried again", "reason", err)
	}
	uid, err := flags.uid()
	if err != nil {
		return nil, usageError{err}
	}
	listener, err := engineapi.ListenFront(flags.socket, uid) //nolint:contextcheck // it listens as long as the process lives
	if errors.Is(err, unixsocket.ErrPlace) {
		return nil, usageError{fmt.Errorf("--front-socket %s: %w", flags.socket, err)}
	}
	if err != nil {
		return nil, fmt.Errorf("engine at %s: %w", flags.socket, err)
	}
	return listener, nil
}
