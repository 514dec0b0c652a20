package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// testPackages are those whose tests run in guests, compiled here: a guest has no Go.
var testPackages = []string{
	"./internal/container/apparmor", "./internal/container/cgroup", "./internal/container/oci", "./internal/container/docker", "./internal/seccomp",
	"./tests/integration",
}

// makePayload makes the directory that is shared with a guest: the runner, the
// compiled tests in bin, the sources that they read, the checks and the job. The
// caller removes it.
func makePayload(ctx context.Context, chosen options, plan planned) (share string, err error) {
	share, err = os.MkdirTemp("/var/tmp", "hotcell-hosts-")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(share))
		}
	}()
	for _, dir := range []string{"bin", "out", "checks"} {
		if err := os.Mkdir(filepath.Join(share, dir), 0o755); err != nil {
			return "", err
		}
	}
	if err := os.Chmod(share, 0o755); err != nil { // guests have users, too
		return "", err
	}
	if err := writeScripts(share, plan.checks); err != nil {
		return "", err
	}
	if err := copySources(filepath.Join(share, "source")); err != nil {
		return "", err
	}
	if plan.packaged() {
		if err := copyPackage(chosen, filepath.Join(share, "hotcell.deb")); err != nil {
			return "", err
		}
	}
	return share, compile(ctx, chosen, plan.guest.arch, filepath.Join(share, "bin"))
}

func writeScripts(share string, checks []check) error {
	all, err := fs.Sub(scripts, "checks")
	if err != nil {
		return err
	}
	var lines strings.Builder
	for _, each := range checks {
		fmt.Fprintf(&lines, "%s %d\n", each.name, int(each.limit.Seconds()))
	}
	return errors.Join(
		os.CopyFS(filepath.Join(share, "checks"), all),
		os.WriteFile(filepath.Join(share, "job.sh"), job, 0o755),
		os.WriteFile(filepath.Join(share, "plan"), []byte(lines.String()), 0o644),
		os.WriteFile(filepath.Join(share, "bin", "gotest"), goTest, 0o755),
		os.WriteFile(filepath.Join(share, "bin", "start-docker"), startDocker, 0o755),
	)
}

// copySources takes what tests read: data, policies, documents.
func copySources(to string) error {
	for _, dir := range []string{"cmd", "docs", "examples", "images", "internal", "policies", "tests"} {
		if err := os.CopyFS(filepath.Join(to, dir), os.DirFS(dir)); err != nil {
			return err
		}
	}
	return nil
}

// packaged tells whether a check of the plan needs the Debian package.
func (p planned) packaged() bool {
	return slices.ContainsFunc(p.checks, func(each check) bool { return each.packaged })
}

// debianPackage is the one that there is for this machine.
func debianPackage(chosen options) (string, error) {
	found, err := filepath.Glob(filepath.Join(chosen.packages, "hotcell_*_"+runtime.GOARCH+".deb"))
	if err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", fmt.Errorf("there are %d packages for this machine in %s, and not one: make package", len(found), chosen.packages)
	}
	return found[0], nil
}

func copyPackage(chosen options, to string) error {
	from, err := debianPackage(chosen)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o644)
}

// runnerFor is as make build and make cross name it.
func runnerFor(chosen options, arch string) string {
	if arch == runtime.GOARCH {
		return chosen.runner
	}
	return chosen.runner + "-" + arch
}

func compile(ctx context.Context, chosen options, arch, bin string) error {
	build := []string{"go"}
	if arch != runtime.GOARCH {
		build = []string{"scripts/cross-build.sh", arch}
	}
	runner, err := os.ReadFile(runnerFor(chosen, arch))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(bin, "runner"), runner, 0o755); err != nil {
		return err
	}
	return run(ctx, slices.Concat(build, []string{"test", "-vet=off", "-c", "-o", bin + "/"}, testPackages)...)
}

// result is how a check ended.
type result struct {
	guest, check string
	code         int
	seconds      int
}

// readResults returns one for each planned check: what is not in the guest's list has
// not run, and has failed.
func readResults(share string, plan planned) ([]result, error) {
	said, err := guestsWord(filepath.Join(share, "out", "results"))
	var all []result
	for _, each := range plan.checks {
		found, known := said[each.name]
		if !known {
			found.code = notRun
		}
		found.guest, found.check = plan.guest.name, each.name
		all = append(all, found)
	}
	return all, err
}

// notRun is no exit code of a process.
const notRun = -1

func guestsWord(path string) (map[string]result, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the guest has told nothing: %w", err)
	}
	defer file.Close()
	said := map[string]result{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 {
			return nil, fmt.Errorf("the guest told %q", lines.Text())
		}
		code, codeFault := strconv.Atoi(fields[1])
		seconds, secondsFault := strconv.Atoi(fields[2])
		if err := errors.Join(codeFault, secondsFault); err != nil {
			return nil, fmt.Errorf("the guest told %q: %w", lines.Text(), err)
		}
		said[fields[0]] = result{code: code, seconds: seconds}
	}
	return said, lines.Err()
}
