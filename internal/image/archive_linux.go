package image

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	pythonanalysis "hotcell/images/python-analysis"
)

const (
	defaultMirror         = "http://deb.debian.org/debian"
	defaultSecurityMirror = "http://deb.debian.org/debian-security"
)

// sourcesList fills in where the packages come from. Plain HTTP is enough: apt
// verifies all that it fetches with Debian's keys.
func sourcesList(ctx context.Context, options BuildOptions) ([]byte, error) {
	keyring, err := debianKeyring()
	if err != nil {
		return nil, err
	}
	mirror, security := options.Mirror, options.SecurityMirror
	if mirror == "" {
		mirror = hostMirror(ctx, "Debian", defaultMirror)
	}
	if security == "" {
		security = hostMirror(ctx, "Debian-Security", defaultSecurityMirror)
	}
	template, err := fs.ReadFile(pythonanalysis.Recipe(), "sources.list")
	if err != nil {
		return nil, err
	}
	filled := strings.NewReplacer("@KEYRING@", keyring, "@MIRROR@", mirror, "@SECURITY_MIRROR@", security)
	return []byte(filled.Replace(string(template))), nil
}

// debianKeyring finds Debian's keys; the file has a new suffix since trixie.
func debianKeyring() (string, error) {
	for _, path := range []string{
		"/usr/share/keyrings/debian-archive-keyring.pgp",
		"/usr/share/keyrings/debian-archive-keyring.gpg",
	} {
		if exists(path) {
			return path, nil
		}
	}
	return "", errors.New("archive keys of Debian are missing: apt-get install debian-archive-keyring")
}

// hostMirror returns the archive with this label that the host's own apt uses, or
// fallback on a host that uses none or is no Debian.
func hostMirror(ctx context.Context, label, fallback string) string {
	command := exec.CommandContext(ctx, "apt-get", "indextargets", "--format", "$(REPO_URI)",
		"Created-By: Packages", "Origin: Debian", "Label: "+label)
	command.Env = BuildEnvironment()
	output, err := command.Output()
	if err != nil {
		return fallback
	}
	for line := range strings.Lines(string(output)) {
		if mirror := strings.TrimSpace(line); strings.HasPrefix(mirror, "http://") || strings.HasPrefix(mirror, "https://") {
			return mirror
		}
	}
	return fallback
}

// readArchives reads the control data of all .deb files in dir.
func readArchives(ctx context.Context, dir string) ([]debianBinary, error) {
	archives, err := filepath.Glob(filepath.Join(dir, "*.deb"))
	if err != nil {
		return nil, err
	}
	if len(archives) == 0 {
		return nil, fmt.Errorf("read packages: %s holds no .deb files", dir)
	}
	slices.Sort(archives)
	var binaries []debianBinary
	for _, archive := range archives {
		binary, err := readArchive(ctx, archive)
		if err != nil {
			return nil, fmt.Errorf("read package %s: %w", filepath.Base(archive), err)
		}
		binaries = append(binaries, binary)
	}
	return binaries, nil
}

func readArchive(ctx context.Context, archive string) (debianBinary, error) {
	command := exec.CommandContext(ctx, "dpkg-deb", "--ctrl-tarfile", archive)
	command.Env = BuildEnvironment()
	content, err := command.Output()
	if err != nil {
		return debianBinary{}, fmt.Errorf("run dpkg-deb: %w", err)
	}
	return parseControlArchive(bytes.NewReader(content))
}
