package main

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"hotcell/internal/durable"
)

// disks are the files that a guest boots from.
type disks struct {
	kernel, initrd string
	system         string // its root file system
	state          string // a state directory with an image that has been verified there
}

// stateScript makes the disk with the state directory.
//
//go:embed state.sh
var stateScript string

// prepareDisks takes disks from the cache, or makes them.
func prepareDisks(ctx context.Context, chosen options, from guest) (disks, error) {
	if err := os.MkdirAll(chosen.cache, 0o700); err != nil {
		return disks{}, err
	}
	lock, err := durable.Lock(ctx, filepath.Join(chosen.cache, "lock"))
	if err != nil {
		return disks{}, fmt.Errorf("wait for another that makes disks: %w", err)
	}
	defer lock.Close()
	system := filepath.Join(chosen.cache, from.recipe())
	if err := cached(chosen, system, from.name+"-", func(dir string) error { return makeSystem(ctx, from, dir) }); err != nil {
		return disks{}, err
	}
	key, err := stateKey(chosen, from.arch)
	if err != nil {
		return disks{}, err
	}
	prefix := "state-" + from.arch + "-"
	state := filepath.Join(chosen.cache, prefix+key)
	if err := cached(chosen, state, prefix, func(dir string) error { return makeState(ctx, chosen, from.arch, dir) }); err != nil {
		return disks{}, err
	}
	return disks{
		kernel: filepath.Join(system, "vmlinuz"), initrd: filepath.Join(system, "initrd.img"),
		system: filepath.Join(system, "disk"), state: filepath.Join(state, "disk"),
	}, nil
}

// cached calls fill for a directory that is not there, which it becomes as a whole
// or not at all. Others with the prefix are of an older recipe, and go.
func cached(chosen options, dir, prefix string, fill func(dir string) error) (err error) {
	if _, err := os.Stat(dir); err == nil && !chosen.fresh {
		return nil
	}
	old, err := filepath.Glob(filepath.Join(chosen.cache, prefix+"*"))
	if err != nil {
		return err
	}
	for _, each := range old {
		if err := os.RemoveAll(each); err != nil {
			return err
		}
	}
	work, err := os.MkdirTemp(chosen.cache, prefix+"making-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	made := filepath.Join(work, "made")
	if err := errors.Join(os.Mkdir(made, 0o700), fill(made)); err != nil {
		return err
	}
	return os.Rename(made, dir)
}

// systemSize is sparse; what the guest writes lies in another file.
const systemSize = "8G"

// makeSystem installs the guest's packages and turns the tree into a disk.
func makeSystem(ctx context.Context, from guest, dir string) error {
	log.Printf("%s: making its disk from Debian %s (%s)", from.name, from.suite, from.arch)
	tree := filepath.Join(dir, "tree")
	script := filepath.Join(dir, "prepare.sh")
	if err := os.WriteFile(script, from.preparation(), 0o700); err != nil {
		return err
	}
	packages := strings.Join(append([]string{from.kernel}, from.packages...), ",")
	bootstrap := slices.Concat([]string{"mmdebstrap", "--quiet", "--architectures=" + from.arch}, from.bootstrap(),
		[]string{"--aptopt=APT::Install-Recommends \"false\"", "--include=" + packages, from.suite, tree})
	if mirror := os.Getenv("MIRROR"); mirror != "" { // without Debian's updates, which lie elsewhere
		bootstrap = append(bootstrap, mirror)
	}
	for _, argv := range [][]string{
		bootstrap,
		{script, tree, dir},
		{"mke2fs", "-q", "-t", "ext4", "-d", tree, filepath.Join(dir, "disk"), systemSize},
	} {
		if err := run(ctx, argv...); err != nil {
			return err
		}
	}
	return errors.Join(os.RemoveAll(tree), os.Remove(script))
}

// makeState unpacks and verifies the image on the disk itself, whose inodes and times
// the guest will see: it would have to read every byte of it once more, which takes
// minutes there.
func makeState(ctx context.Context, chosen options, arch, dir string) error {
	log.Printf("making the disk with the image for %s", arch)
	images, err := filepath.Abs(chosen.images)
	if err != nil {
		return err
	}
	runner, err := filepath.Abs(chosen.runner)
	if err != nil {
		return err
	}
	return run(ctx, "unshare", "--mount", "--propagation", "private", "sh", "-euc", stateScript, "state.sh", images, runner, arch, dir)
}

// stateKey changes with the images of the store.
func stateKey(chosen options, arch string) (string, error) {
	index, err := os.Open(filepath.Join(chosen.images, "index.json"))
	if err != nil {
		return "", fmt.Errorf("there is no image (make image): %w", err)
	}
	defer index.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, index); err != nil {
		return "", err
	}
	fmt.Fprintln(sum, arch, stateScript)
	return hex.EncodeToString(sum.Sum(nil))[:16], nil
}

// run tells what a program said when it fails.
func run(ctx context.Context, argv ...string) error {
	output, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput() // #nosec G702 -- programs of this repository and of Debian, without a shell
	if err != nil {
		return fmt.Errorf("run %s: %w: %s", argv[0], err, lastLines(output, 15))
	}
	return nil
}

func lastLines(output []byte, count int) string {
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	return strings.Join(lines[max(0, len(lines)-count):], "\n")
}
