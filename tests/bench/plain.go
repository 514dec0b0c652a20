package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"
)

func containerName() string { return fmt.Sprintf("hotcell-bench-%d", time.Now().UnixNano()) }

// plainRuntime is `runc run`, or crun's, of the config that `runc spec` writes, with the
// image's root file system and the script.
func (l *lab) plainRuntime(ctx context.Context, runtime string, s script, data string) (func(context.Context) (float64, error), error) {
	dir, err := os.MkdirTemp(l.work, runtime+"-")
	if err != nil {
		return nil, err
	}
	if err := l.writeSpec(ctx, dir, s, data); err != nil {
		return nil, err
	}
	return func(ctx context.Context) (float64, error) {
		argv := []string{runtime, "run", "--bundle", dir, containerName()}
		if runtime == "crun" {
			argv = withoutHybrid(argv)
		}
		return process{argv, s.checkPlain}.once(ctx)
	}, nil
}

func (l *lab) writeSpec(ctx context.Context, dir string, s script, data string) error {
	if out, err := exec.CommandContext(ctx, "runc", "spec", "--bundle", dir).CombinedOutput(); err != nil {
		return fmt.Errorf("runc spec: %w: %s", err, out)
	}
	file := filepath.Join(dir, "config.json")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var spec specs.Spec
	if err := json.Unmarshal(text, &spec); err != nil {
		return fmt.Errorf("read what runc spec wrote: %w", err)
	}
	spec.Root.Path, spec.Root.Readonly = l.image.Rootfs, true
	spec.Process.Terminal, spec.Process.Args = false, []string{"/usr/bin/python3", "-c", s.plain()}
	if s.table {
		spec.Mounts = append(spec.Mounts, specs.Mount{Destination: "/bundle", Type: "bind", Source: data, Options: []string{"bind", "ro"}})
	}
	if text, err = json.Marshal(spec); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

// withoutHybrid hides a v2 hierarchy that is mounted beside those of v1: crun before 1.9
// refuses such a host. It costs two more processes to start.
func withoutHybrid(argv []string) []string {
	const unified = "/sys/fs/cgroup/unified"
	if _, err := os.Stat(unified); errors.Is(err, fs.ErrNotExist) {
		return argv
	}
	return append([]string{"unshare", "--mount", "--propagation", "private", "sh", "-euc", `umount ` + unified + `; exec "$@"`, "sh"}, argv...)
}

// bare is the image's interpreter as a process of the host, in the image's files.
func (l *lab) bare(s script, data string) process {
	argv := []string{"chroot", l.image.Rootfs, "/usr/bin/python3", "-c", s.plain()}
	if s.table {
		mount := `mount --bind "$0" "$1/bundle"; shift; exec chroot "$@"`
		argv = append([]string{"unshare", "--mount", "--propagation", "private", "sh", "-euc", mount, data, l.image.Rootfs}, argv[1:]...)
	}
	return process{argv, s.checkPlain}
}

// plainDocker is `docker run`. The docker engine has given the daemon the image.
func (l *lab) plainDocker(s script, data string) process {
	argv := []string{"docker", "run", "--rm", "--network", "none"}
	if s.table {
		argv = append(argv, "--volume", data+":/bundle:ro")
	}
	return process{append(argv, "--entrypoint", "/usr/bin/python3", l.tag(), "-c", s.plain()), s.checkPlain}
}
