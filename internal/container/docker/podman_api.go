package docker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	specs "github.com/opencontainers/runtime-spec/specs-go"

	"hotcell/internal/container"
	"hotcell/internal/durable"
)

// maxPodmanAnswer bounds one answer of Podman's own API, and a container's
// configuration, in bytes: 10 kB and the seccomp profile.
const maxPodmanAnswer = 4 << 20

// makePodman makes a container through Podman's own API and has its configuration for
// the OCI runtime made and loaded. What the runtime was told is then compared with what
// was asked for: Podman takes what it does not know without a word.
func (s *sandbox) makePodman(ctx context.Context, daemon daemon, spec container.Spec, place placement) (string, int, error) {
	config, err := podmanConfig(spec, place, daemon.podmanIDs())
	if err != nil {
		return "", 0, err
	}
	if place.seccomp, err = s.writeSeccomp(spec.Seccomp, place.name); err != nil {
		return "", 0, err
	}
	request := podmanContainer(config, spec, place)
	prepared, err := s.engine.preparePodman(ctx, request)
	if err != nil {
		return "", 0, err
	}
	s.warn(prepared.warnings)
	if err := comparePodman(config, request, prepared); err != nil {
		return "", 0, err
	}
	if err := daemon.acceptsLabel(prepared.config.Process.SelinuxLabel); err != nil {
		return "", 0, err
	}
	return prepared.id, prepared.pid, limitOpenFiles(prepared.pid, prepared.id, spec.Limits.OpenFiles)
}

// preparedPodman is a container whose first process waits to be started.
type preparedPodman struct {
	id       string
	image    string // ID
	pid      int
	monitor  []string    // with what conmon was called
	config   *specs.Spec // what its OCI runtime was given
	warnings []string
}

// preparePodman leaves the container to whoever removes it by its name, also on error.
func (e *Engine) preparePodman(ctx context.Context, request podmanRequest) (preparedPodman, error) {
	var created struct {
		ID       string `json:"Id"`
		Warnings []string
	}
	if err := e.podman(ctx, http.MethodPost, "containers/create", request, &created); err != nil {
		return preparedPodman{}, fmt.Errorf("create container: %w", err)
	}
	if err := e.podman(ctx, http.MethodPost, "containers/"+created.ID+"/init", nil, nil); err != nil {
		return preparedPodman{}, fmt.Errorf("prepare container: %w", err)
	}
	var found struct {
		Image         string
		OCIConfigPath string
		State         struct{ Pid, ConmonPid int }
	}
	if err := e.podman(ctx, http.MethodGet, "containers/"+created.ID+"/json", nil, &found); err != nil {
		return preparedPodman{}, fmt.Errorf("inspect container: %w", err)
	}
	config, err := readRuntimeConfig(found.OCIConfigPath)
	if err != nil {
		return preparedPodman{}, err
	}
	called, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(found.State.ConmonPid), "cmdline"))
	if err != nil {
		return preparedPodman{}, fmt.Errorf("read how Podman calls the runtime: %w", err)
	}
	return preparedPodman{
		id: created.ID, image: found.Image, pid: found.State.Pid, config: config, warnings: created.Warnings,
		monitor: strings.Split(string(called), "\x00"),
	}, nil
}

// readRuntimeConfig reads the file that Podman names. It is not waited for a pipe.
func readRuntimeConfig(path string) (*specs.Spec, error) {
	file, err := durable.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read what Podman made of the sandbox: %w: run as the user whose Podman it is, on the same host", err)
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() { // a descriptor of our own
		return nil, errors.Join(fmt.Errorf("read %s: it is not a regular file", path), err)
	}
	var found specs.Spec
	decoder := json.NewDecoder(io.LimitReader(file, maxPodmanAnswer)) //nolint:forbidigo // Podman's file, which names nothing twice
	decoder.DisallowUnknownFields()                                   // what is not known cannot be compared
	if err := decoder.Decode(&found); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return &found, nil
}

// writeSeccomp writes the profile where Podman reads it: the one way that it has.
func (s *sandbox) writeSeccomp(profile *specs.LinuxSeccomp, name string) (string, error) {
	encoded, err := container.EncodeSeccomp(profile)
	if err != nil {
		return "", err
	}
	dir, err := os.OpenRoot(s.dir.path)
	if err != nil {
		return "", fmt.Errorf("open sandbox directory: %w", err)
	}
	defer dir.Close()
	name += ".seccomp.json"
	if err := durable.WriteFile(dir, name, encoded); err != nil {
		return "", fmt.Errorf("write seccomp profile: %w", err)
	}
	return filepath.Join(s.dir.path, name), nil
}

// correctPodman corrects what Podman's answer to Docker's question says wrongly. On
// cgroup v2 it looks for limits in the root group, which has neither memory.swap.max
// nor cpu.max. Without root it claims what its kernel has and its user has not:
// controllers that are not delegated, and all of them on cgroup v1. The limits of each
// container are read back from the kernel in any case.
func (e *Engine) correctPodman(ctx context.Context, daemon *daemon) error {
	info, rootless := &daemon.info, daemon.hasSecurity("rootless")
	unified := info.CgroupVersion == "2"
	if !unified && !rootless {
		return nil
	}
	var controllers []string
	if unified {
		var err error
		if controllers, err = e.podmanControllers(ctx, rootless); err != nil {
			return fmt.Errorf("ask Podman about itself: %w", err)
		}
	}
	if !unified {
		info.CgroupDriver = "none"
	}
	info.MemoryLimit = slices.Contains(controllers, "memory")
	info.SwapLimit = info.MemoryLimit && limitsSwap()
	info.PidsLimit = slices.Contains(controllers, "pids")
	info.CPUCfsQuota = slices.Contains(controllers, "cpu")
	info.CPUCfsPeriod = info.CPUCfsQuota
	return nil
}

// podmanControllers are those that Podman may use: the kernel's, or, without root, those
// that it was given.
func (e *Engine) podmanControllers(ctx context.Context, rootless bool) ([]string, error) {
	if !rootless {
		content, err := os.ReadFile("/sys/fs/cgroup/cgroup.controllers")
		return strings.Fields(string(content)), err
	}
	var found struct {
		Host struct{ CgroupControllers []string }
	}
	err := e.podman(ctx, http.MethodGet, "info", nil, &found)
	return found.Host.CgroupControllers, err
}

// podman calls Podman's own API. The client of Docker's has no way to.
func (e *Engine) podman(ctx context.Context, method, path string, body, into any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode request: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://podman/v"+oldestPodman+"/libpod/"+path, bytes.NewReader(encoded))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	dial := e.api.Dialer()
	caller := http.Client{Transport: &http.Transport{
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) },
		DisableKeepAlives: true,
	}}
	answer, err := caller.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= http.StatusBadRequest {
		return podmanFault(answer)
	}
	if into == nil {
		return nil
	}
	return decodePodman(answer.Body, into)
}

func podmanFault(answer *http.Response) error {
	var fault struct {
		Message string `json:"message"`
	}
	if err := decodePodman(answer.Body, &fault); err != nil || fault.Message == "" {
		return errors.New("Podman answers " + answer.Status)
	}
	return errors.New(fault.Message)
}

func decodePodman(from io.Reader, into any) error {
	content, err := io.ReadAll(io.LimitReader(from, maxPodmanAnswer+1))
	if err != nil {
		return err
	}
	if len(content) > maxPodmanAnswer {
		return fmt.Errorf("it is larger than %d bytes", maxPodmanAnswer)
	}
	return json.Unmarshal(content, into) //nolint:forbidigo // the daemon's words, which have members that we do not know
}
