package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// bubblewrap is bwrap with namespaces of its own, and nothing to limit it.
func (l *lab) bubblewrap(s script, data string) process {
	argv := []string{"bwrap", "--ro-bind", l.image.Rootfs, "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"}
	if s.table {
		argv = append(argv, "--ro-bind", data, "/bundle")
	}
	return process{append(argv, "--unshare-all", "--die-with-parent", "--clearenv", "/usr/bin/python3", "-c", s.plain()), s.checkPlain}
}

// nsjail is nsjail with its own limits out of the way of a table.
func (l *lab) nsjail(s script, data string) process {
	argv := []string{"nsjail", "-Mo", "--quiet", "--chroot", l.image.Rootfs, "--user", "65534", "--group", "65534"}
	argv = append(argv, "--rlimit_as", "max", "--rlimit_cpu", "max", "--rlimit_nofile", "64", "--time_limit", "60")
	if s.table {
		argv = append(argv, "--bindmount_ro", data+":/bundle")
	}
	return process{append(argv, "--", "/usr/bin/python3", "-c", s.plain()), s.checkPlain}
}

// judge is a go-judge that listens. It makes containers once, and uses them again.
type judge struct{ address string }

// startJudge starts one with the image's files and the data. The lab ends it.
func (l *lab) startJudge(ctx context.Context, data string) (*judge, error) {
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	mounts, err := l.judgeMounts(data)
	if err != nil {
		return nil, err
	}
	prefix := fmt.Sprintf("hotcell-bench-%d", os.Getpid())
	// It is ended in order, also after a signal.
	command := exec.CommandContext(context.WithoutCancel(ctx), "go-judge", "-http-addr", address, "-mount-conf", mounts,
		"-dir", l.path("judge"), "-cgroup-prefix", prefix, "-silent", "-release")
	command.Env = append(os.Environ(), "GIN_MODE=release")
	if err := errors.Join(os.Mkdir(l.path("judge"), 0o700), command.Start()); err != nil {
		return nil, err
	}
	l.atEnd(func() error {
		_ = command.Process.Signal(os.Interrupt)
		_ = command.Wait() // by its signal
		return removeGroups(prefix)
	})
	j := &judge{address}
	for range 100 {
		if _, err = j.once(ctx, one); err == nil {
			return j, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return nil, fmt.Errorf("start go-judge: %w", err)
}

func freeAddress(ctx context.Context) (string, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// judgeMounts writes its list of mounts: the image's directories, the data, devices.
func (l *lab) judgeMounts(data string) (string, error) {
	type mount struct {
		Type     string `json:"type"`
		Source   string `json:"source,omitempty"`
		Target   string `json:"target"`
		Data     string `json:"data,omitempty"`
		Readonly bool   `json:"readonly"`
	}
	mounts := []mount{{Type: "bind", Source: "/dev/null", Target: "/dev/null"}, {Type: "bind", Source: "/dev/urandom", Target: "/dev/urandom"}}
	for _, name := range []string{"usr", "lib", "lib64", "etc"} {
		mounts = append(mounts, mount{Type: "bind", Source: filepath.Join(l.image.Rootfs, name), Target: "/" + name, Readonly: true})
	}
	mounts = append(mounts, mount{Type: "bind", Source: data, Target: "/bundle", Readonly: true})
	for _, name := range []string{"/w", "/tmp"} {
		mounts = append(mounts, mount{Type: "tmpfs", Target: name, Data: "size=64m,nr_inodes=4k"})
	}
	text, err := json.Marshal(map[string]any{"mount": mounts, "proc": true, "workDir": "/w", "hostName": "bench", "domainName": "bench", "uid": 65534, "gid": 65534})
	if err != nil {
		return "", err
	}
	file := l.path("judge.yaml") // JSON is YAML
	return file, os.WriteFile(file, text, 0o600)
}

// once has it run a script.
func (j *judge) once(ctx context.Context, s script) (_ float64, err error) {
	const gigabyte = 1 << 30
	body, err := json.Marshal(map[string]any{"cmd": []any{map[string]any{
		"args": []string{"/usr/bin/python3", "-c", s.plain()}, "env": []string{"PATH=/usr/bin:/bin"},
		"files":    []any{map[string]any{"content": ""}, map[string]any{"name": "stdout", "max": 1 << 16}, map[string]any{"name": "stderr", "max": 1 << 16}},
		"cpuLimit": time.Minute, "clockLimit": time.Minute, "memoryLimit": gigabyte, "procLimit": 50,
	}}})
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+j.address+"/run", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	var results []struct {
		Status string            `json:"status"`
		Files  map[string]string `json:"files"`
	}
	if err := json.NewDecoder(response.Body).Decode(&results); err != nil {
		return 0, err
	}
	took := sinceMS(begun)
	if len(results) != 1 || results[0].Status != "Accepted" {
		return 0, fmt.Errorf("go-judge answered %+v", results)
	}
	return took, s.checkPlain(results[0].Files["stdout"])
}

// removeGroups removes the control groups that it leaves, the deepest first.
func removeGroups(prefix string) error {
	var groups []string
	tops, err := filepath.Glob("/sys/fs/cgroup/*/" + prefix)
	if err != nil {
		return err
	}
	for _, top := range append(tops, "/sys/fs/cgroup/"+prefix) {
		err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() {
				groups = append(groups, path)
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	var faults []error
	for _, group := range slices.Backward(slices.SortedFunc(slices.Values(groups), strings.Compare)) {
		if err := os.Remove(group); !errors.Is(err, fs.ErrNotExist) {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}
