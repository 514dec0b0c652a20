package integration_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/moby/moby/client"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"hotcell/internal/image/imagetest"
	"hotcell/tests/runnertest"
)

// runnerPath is the command under test. TestMain alone sets it.
var runnerPath string

func TestMain(m *testing.M) {
	code, err := buildAndTest(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

func buildAndTest(m *testing.M) (code int, err error) {
	dir, err := os.MkdirTemp("", "hotcell-integration-")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.Chmod(dir, 0o755); err != nil { // another user runs it too
		return 1, err
	}
	if runnerPath, err = runnertest.Build(context.Background(), dir); err != nil {
		return 1, err
	}
	code = m.Run()
	if code == 0 {
		err = goleak.Find()
	}
	if err != nil {
		code = 1
	}
	return code, err
}

// images is the store with the built image; every workspace links to it.
var images = imagetest.Dir()

// target is one way to make containers.
type target struct {
	name, engine, runtime string
	process               bool   // a `runner engine` makes the runs
	warm                  string // and keeps sandboxes ready for these policies, with spaces between them
	forks                 int    // and replaces a template after so many, or 0
}

func (t target) flags() []string {
	flags := []string{"--engine", t.engine}
	if t.runtime != "" {
		flags = append(flags, "--runtime", t.runtime)
	}
	return flags
}

func targets() []target {
	return []target{{name: "oci-crun", engine: "oci", runtime: "crun"}, {name: "oci-runc", engine: "oci", runtime: "runc"}, {name: "docker", engine: "docker"}}
}

func onEveryTarget(t *testing.T, test func(*testing.T, target)) {
	t.Helper()
	for _, each := range targets() {
		t.Run(each.name, func(t *testing.T) {
			requireTarget(t, each)
			test(t, each)
		})
	}
}

// requireTarget skips, or in CI fails, where the target or the image is missing.
func requireTarget(t *testing.T, target target) {
	t.Helper()
	if os.Geteuid() != 0 {
		lacking(t, "needs root")
	}
	if _, err := os.Stat(filepath.Join(images, "index.json")); err != nil {
		lacking(t, "needs the image, see `make image`: "+err.Error())
	}
	if target.engine == "docker" {
		requireDocker(t)
		return
	}
	if _, err := exec.LookPath(target.runtime); err != nil {
		lacking(t, err.Error())
	}
}

func requireDocker(t *testing.T) {
	t.Helper()
	api := dockerClient(t)
	if _, err := api.Ping(t.Context(), client.PingOptions{}); err != nil {
		lacking(t, "needs a Docker daemon: "+err.Error())
	}
}

func dockerClient(t *testing.T) *client.Client {
	t.Helper()
	api, err := client.New(client.FromEnv)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, api.Close()) })
	return api
}

func lacking(t *testing.T, reason string) {
	t.Helper()
	if os.Getenv("HOTCELL_REQUIRE_ALL") == "1" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}
