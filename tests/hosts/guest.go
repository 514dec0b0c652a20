package main

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"time"
)

// guest is a machine to emulate: Debian of one suite on one architecture.
type guest struct {
	name     string
	suite    string
	arch     string // Debian's name for it
	kernel   string // package
	packages []string
	foreign  bool // nothing of it runs while its disk is made
	checks   []check
}

// check is a script in checks, run as root in the guest.
type check struct {
	name  string
	smoke bool          // is among what each change is tried with
	limit time.Duration // of the guest's clock
	// packaged says that it needs the Debian package, which it finds as /share/hotcell.deb.
	packaged bool
}

//go:embed checks/*.sh
var scripts embed.FS

// prepare makes a tree of Debian packages a guest.
//
//go:embed prepare.sh
var prepare []byte

// prepareForeign is prepare for a tree of another architecture's packages.
//
//go:embed prepare-foreign.sh
var prepareForeign []byte

// job is what a guest runs once it is up.
//
//go:embed job.sh
var job []byte

// goTest starts one package's compiled tests where its sources are.
//
//go:embed gotest.sh
var goTest []byte

// startDocker starts Docker with the image.
//
//go:embed start-docker.sh
var startDocker []byte

// common is what every guest has. There is no init of a container's in Debian's
// minimal set, and no user's session.
var common = []string{
	"systemd-sysv", "dbus", "dbus-user-session", "libpam-systemd", "initramfs-tools", "kmod", "procps", "iproute2",
	"runc", "crun", "libseccomp2", "ca-certificates", "docker.io", "iptables", "podman", "apparmor",
	"uidmap", "slirp4netns", "fuse-overlayfs", "rootlesskit", "strace", "attr", "curl",
}

func guests() []guest {
	return []guest{
		{
			name: "trixie", suite: "trixie", arch: "amd64", kernel: "linux-image-cloud-amd64",
			packages: append([]string{"login", "passt"}, common...),
			checks: append(debianChecks(true),
				check{name: "systemd", limit: 20 * time.Minute},
				check{name: "service", limit: 60 * time.Minute, packaged: true},
				check{name: "apparmor", limit: 60 * time.Minute},
				check{name: "landlock", limit: 60 * time.Minute},
				check{name: "userns-remap", limit: 60 * time.Minute},
				check{name: "rootless-docker", limit: 60 * time.Minute},
				check{name: "podman", limit: 60 * time.Minute},
			),
		},
		{
			name: "bookworm", suite: "bookworm", arch: "amd64", kernel: "linux-image-cloud-amd64",
			packages: common,
			checks:   debianChecks(false), // one smoke is enough for each change
		},
		{
			name: "arm64", suite: "trixie", arch: "arm64", kernel: "linux-image-cloud-arm64", foreign: true,
			packages: []string{
				"base-files", "base-passwd", "bash", "busybox-static", "ca-certificates", "coreutils", "crun", "dash", "debianutils",
				"diffutils", "findutils", "gawk", "grep", "gzip", "hostname", "iproute2", "kmod", "libc-bin", "libseccomp2", "mount",
				"passwd", "procps", "runc", "sed", "strace", "tar", "util-linux",
			},
			checks: []check{{name: "arm64", limit: 60 * time.Minute}},
		},
	}
}

// debianChecks are those of a Debian with every engine.
func debianChecks(smoke bool) []check {
	return []check{
		{name: "doctor", smoke: smoke, limit: 5 * time.Minute},
		{name: "smoke", smoke: smoke, limit: 10 * time.Minute},
		{name: "statuses", limit: 60 * time.Minute},
		{name: "cgroup", limit: 10 * time.Minute},
		{name: "oci", limit: 60 * time.Minute},
		{name: "docker", limit: 90 * time.Minute},
		{name: "selftest", limit: 90 * time.Minute},
		{name: "chaos", limit: 90 * time.Minute},
	}
}

func names(all []guest) []string {
	var found []string
	for _, each := range all {
		found = append(found, each.name)
	}
	return found
}

// recipe names what the guest's disk is made from: the same name, the same packages
// and the same preparation.
func (g guest) recipe() string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q %q %q %q\n", g.suite, g.arch, g.kernel, g.packages, g.bootstrap())
	sum.Write(g.preparation())
	return g.name + "-" + hex.EncodeToString(sum.Sum(nil))[:16]
}

func (g guest) preparation() []byte {
	if g.foreign {
		return prepareForeign
	}
	return prepare
}

// bootstrap is what mmdebstrap does for it.
func (g guest) bootstrap() []string {
	if g.foreign {
		return []string{"--variant=extract", "--skip=chroot/mount,check/qemu"}
	}
	return []string{"--variant=minbase"}
}
