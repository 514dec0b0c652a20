package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	specs "github.com/opencontainers/runtime-spec/specs-go"

	"hotcell/internal/bundle"
	"hotcell/internal/image"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/seccomp"
	"hotcell/policies"
)

// policyDir is where an administrator adds policies.
const policyDir = "/etc/hotcell/policies"

// defaultState is the system's directory for root, and the user's own for others.
func defaultState() string {
	if dir := os.Getenv("HOTCELL_STATE"); dir != "" {
		return dir
	}
	if os.Geteuid() == 0 || runtime.GOOS == "linux" {
		return "/var/lib/hotcell"
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "hotcell-state"
	}
	return filepath.Join(home, "Library", "Application Support", "hotcell")
}

// images opens the image store. It may be a link: several states can share the
// images, which are large and the same for all.
func (a *app) images() (*image.Store, error) {
	dir := filepath.Join(a.state, "images")
	target, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) {
		target, err = filepath.Abs(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("open image store: %w", err)
	}
	return image.OpenStore(target)
}

func (a *app) bundles() (*bundle.Store, error) {
	return bundle.OpenStore(filepath.Join(a.state, "bundles"))
}

func (a *app) records() (*records.Store, error) { return records.Open(a.state) }

func (a *app) policies() *policy.Catalog { return policy.NewCatalog(policies.Files, policyDir) }

// sandboxes holds one directory per living sandbox of an engine.
func (a *app) sandboxes(engine string) string { return filepath.Join(a.state, "sandboxes", engine) }

// profile loads a built-in seccomp profile. On Linux it is also compiled through
// libseccomp, because the runtimes skip in silence what their libseccomp does not
// know; elsewhere Docker's own virtual machine does that.
func profile(name string) (*specs.LinuxSeccomp, error) {
	data, err := policies.Files.ReadFile("seccomp/" + name + ".json")
	if err != nil {
		return nil, fmt.Errorf("unknown seccomp profile %q: %w", name, err)
	}
	loaded, err := seccomp.Load(name, data)
	if err != nil {
		return nil, err
	}
	if runtime.GOOS == "linux" {
		arch, ok := seccomp.Native(runtime.GOARCH)
		if !ok {
			return nil, fmt.Errorf("seccomp profile %s: architecture %s is not supported", name, runtime.GOARCH)
		}
		if _, err := loaded.Compile(arch); err != nil {
			return nil, err
		}
	}
	return loaded.OCI(), nil
}
