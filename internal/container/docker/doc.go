// Package docker is the engine that makes sandboxes through a Docker Engine, from
// 20.10 on, or through Podman's service, from 5.0 on.
//
// It decides how a container.Spec is expressed in Docker's terms (containerConfig,
// hostConfig, seccompOption) and in Podman's (podmanContainer), where the output
// file system lies, and whether what the daemon made is what was asked for. It does
// not decide what a run may do or what became of it. Only cmd/runner uses it, through
// New, and DefaultHost to tell which daemon that is.
//
// # Two places for a daemon
//
// A daemon that shares this kernel and this mount namespace is checked from
// outside: before the first byte of a run is sent, /proc shows that the process
// has the namespaces, mounts, identity, seccomp filter and cgroup that were
// asked for, and the kernel's own counters tell how it ended. Output is a tmpfs
// of ours that outlives the container.
//
// A daemon elsewhere (Docker Desktop's virtual machine, another host, a rootless
// daemon) is asked: what it accepted is compared with what was requested, and
// figures come from its API. Output is a tmpfs volume that a second, idle
// container keeps mounted, and is read back as a tar stream that is treated as
// hostile. The kernel's oom_kill counter cannot be seen from here, so that a
// policy must allow the absence of that control. CPU time is read once a second,
// peaks and refused forks not at all, and exit(137) looks like SIGKILL. Docker
// leaves sockets out of the tar stream, so that no verifier sees them.
//
// # Daemons with a user namespace
//
// With userns-remap a daemon is checked from outside like any other, and uid_map and
// gid_map too: the guard's user must have another number on this host, and no user of
// the container may be the host's root. The output directory is open to all (mode 0777), because
// only the sandbox and root reach it.
//
// A rootless daemon has mounts of its own, in which nothing of ours appears, and is
// treated as one elsewhere: output is a volume, oom_kill is inactive, CPU time is read
// once a second, there are no peaks, and what was accepted is compared, but not looked
// at in /proc. Its cgroup controllers are those that systemd delegates to the user: one
// that is missing is named with the setting, and a run without it refused. DefaultHost
// finds the daemon where a user has one.
//
// # Podman
//
// Its service answers to Docker's API, but through that masks no paths, caps no
// inodes of /tmp, adds writable file systems on /run, /var/tmp and /dev/shm, and
// takes a seccomp profile only from a file. Containers are therefore made through
// its own API, prepared, and compared by the configuration that its OCI runtime was
// given, before they are started; all else is as with Docker. That
// configuration may hold nothing that was not compared, and Podman's own mounts must be
// the kernel file systems that they are called: containers.conf, hooks and annotations of
// the host's administrator get into it past the request. Two settings that do not show in it
// (no_pivot_root, keyring) are looked for in how conmon was called. A container of the
// system's Podman has a user namespace of its own. A user's Podman has one for all
// of the user's: its containers are checked through /proc as those of a daemon
// beside us, with the limits that the kernel holds for them, but their output is a
// volume of Podman's, and oom_kill cannot be read after their end.
//
// It always mounts an empty /run/.containerenv, which is masked, adds HOSTNAME to
// the environment, with the value that the host name has anyway, and names the
// sandbox's own group as an additional one. What waits for a container (conmon) is
// in a control group of its own.
//
// # Sandboxes in advance
//
// A daemon that shares this kernel can have sandboxes ready (container.Warmer): containers
// that are started, checked and told to prepare before there is a run, which goes on with
// the same streams. None comes from another. What they use up before is kept apart by the
// kernel's figures (standby), which is why a daemon elsewhere has none.
//
// # Differences from the oci engine
//
// Docker always mounts /dev/pts, /dev/mqueue and /sys, and files of its own on
// /etc/hosts, /etc/hostname and /etc/resolv.conf. All but hosts and hostname are
// masked here, and the loopback interface is up. The
// environment is exactly that of container.Spec: HOSTNAME, which Docker
// adds, is taken out again.
package docker
