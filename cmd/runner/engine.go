package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"hotcell/internal/container"
	"hotcell/internal/container/docker"
)

var engineNames = []string{"auto", "oci", "docker", "kubernetes"}

// engine makes the engine that the user named and asks it what it can do here.
func (a *app) engine(ctx context.Context, name, ociRuntime string) (container.Engine, error) {
	chosen := false // docker, because oci lacks something here
	if name == "auto" {
		name = autoEngine(runtime.GOOS, os.Geteuid(), exec.LookPath)
		chosen = name == "docker"
		a.logger().Debug("engine chosen", "engine", name)
	}
	made, err := a.construct(name, ociRuntime)
	if err != nil {
		return nil, err
	}
	host, err := made.Probe(ctx, ociRuntime)
	if errors.Is(err, container.ErrUnknownRuntime) {
		return nil, usageError{err}
	}
	if err != nil && chosen {
		err = fmt.Errorf("%w; the oci engine would need Linux, root, and runc or crun (apt-get install runc)", err)
	}
	if err != nil {
		return nil, err
	}
	a.logger().Debug("host probed", "runtime", host.Runtime, "kernel", host.Kernel, "inactive", host.Inactive())
	return made, nil
}

// makesMany is called before an engine is made that is to make many sandboxes a second.
func (a *app) makesMany() {
	// What a look at the image's 30,000 files costs: 70 ms of two CPUs each time. Only root can
	// change them.
	a.imageAge = 10 * time.Second
	// A daemon is asked what it is for each request, where a sandbox may be ready.
	a.probeAge = 10 * time.Second
}

// construct makes an engine by name, without asking it anything. It is closed when the
// command has been carried out.
func (a *app) construct(name, ociRuntime string) (container.Engine, error) {
	var made container.Engine
	var err error
	switch name {
	case "oci":
		made, err = a.ociEngine(ociRuntime, a.imageAge)
	case "docker":
		made, err = a.dockerEngine()
	case "kubernetes":
		made, err = a.kubernetesEngine()
	default:
		err = usageError{unknownEngine(name)}
	}
	if err != nil {
		return nil, err
	}
	a.engines = append(a.engines, made)
	return made, nil
}

func (a *app) closeEngines() error {
	var faults []error
	for _, engine := range a.engines {
		faults = append(faults, engine.Close())
	}
	a.engines = nil
	return errors.Join(faults...)
}

func unknownEngine(name string) error {
	return fmt.Errorf("unknown engine %q: known are %s", name, strings.Join(engineNames, ", "))
}

// autoEngine is oci for root on Linux where a runtime is installed, else docker.
// It goes by what is there, never by what has failed: a fault of the one engine
// must not silently move a run to the other, which may isolate less.
func autoEngine(goos string, uid int, lookPath func(string) (string, error)) string {
	_, noCrun := lookPath("crun")
	_, noRunc := lookPath("runc")
	if goos == "linux" && uid == 0 && (noCrun == nil || noRunc == nil) {
		return "oci"
	}
	return "docker"
}

func (a *app) dockerEngine() (container.Engine, error) {
	images, err := a.images()
	if err != nil {
		return nil, err
	}
	bundles, err := a.bundles()
	if err != nil {
		return nil, err
	}
	host, why := docker.DefaultHost()
	a.logger().Debug("docker daemon chosen", "host", host, "because", why)
	return docker.New(docker.Options{
		Host: host, StateDir: a.sandboxes("docker"), Images: images, Bundles: bundles, Logger: a.logger(), ProbeAge: a.probeAge,
	})
}

// sweepEngines removes what runners that died left behind, of the engine in use
// and of the others where they have anything. ofOther is another one's failure, which
// counts for less: it may not even be installed any more.
func (a *app) sweepEngines(ctx context.Context, used container.Engine) (swept int, ofOther, err error) {
	if swept, err = used.Sweep(ctx); err != nil {
		return swept, nil, err
	}
	for _, name := range engineNames[1:] {
		if name == used.Name() || !a.hasLeftovers(name) {
			continue
		}
		more := 0
		other, err := a.other(name)
		if err == nil {
			more, err = other.Sweep(ctx)
		}
		if err != nil {
			ofOther = errors.Join(ofOther, fmt.Errorf("remove what an earlier run of another engine, %s, left behind: %w", name, err))
		}
		swept += more
	}
	return swept, ofOther, nil
}

// other makes an engine that is not in use, once: it may be asked every minute.
func (a *app) other(name string) (container.Engine, error) {
	for _, made := range a.engines {
		if made.Name() == name {
			return made, nil
		}
	}
	return a.construct(name, "")
}

// hasLeftovers looks for anything that is named after a sandbox: every sandbox of an
// engine has such a file while it exists.
func (a *app) hasLeftovers(engine string) bool {
	found := errors.New("found")
	err := filepath.WalkDir(a.sandboxes(engine), func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if _, err := container.ParseID(strings.TrimSuffix(entry.Name(), ".lock")); err == nil {
			return found
		}
		return nil
	})
	// What cannot be looked at is for Sweep to complain about.
	return err != nil && !errors.Is(err, fs.ErrNotExist)
}
