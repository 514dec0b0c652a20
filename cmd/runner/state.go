package main

import (
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

func (a *app) images() (*image.Store, error) {
	return image.OpenStore(filepath.Join(a.state, "images"))
}
func (a *app) bundles() (*bundle.Store, error) {
	return bundle.OpenStore(filepath.Join(a.state, "bundles"))
}
func (a *app) records() (*records.Store, error) { return records.Open(a.state) }
func (a *app) policies() *policy.Catalog        { return policy.NewCatalog(policies.Files, policyDir) }

// sandboxes holds one directory per living sandbox.
func (a *app) sandboxes() string { return filepath.Join(a.state, "sandboxes") }

// profile loads a built-in seccomp profile and checks it.
func profile(name string) (*specs.LinuxSeccomp, error) {
	data, err := policies.Files.ReadFile("seccomp/" + name + ".json")
	if err != nil {
		return nil, err
	}
	loaded, err := seccomp.Load(name, data)
	if err != nil {
		return nil, err
	}
	return loaded.OCI(), nil
}
