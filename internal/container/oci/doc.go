// Package oci is the engine that needs no daemon: it writes a runtime-spec bundle
// and runs it through crun or runc.
//
// It decides how a sandbox is made, watched, killed and removed on this host, and
// it verifies from the outside that every control really is in force before the
// guard gets a byte of input. It does not decide what a sandbox has: that is
// container.Config. cmd/runner alone imports it; begin with New.
//
// # Mounts
//
// All mounts of an engine are made in a mount namespace of its own, which no
// other process of the host enters. They vanish with the process, however it
// ends, and crun, which refuses a hybrid cgroup tree, does not see the v2 half
// of it there. Threads enter the namespace for one call and then end.
//
// # Templates
//
// With crun and runc it is a container.Warmer. A template is a container of its own in which a
// guard prepares, and each sandbox that comes from it is made by the runtime as any other; a
// process forked from the template then joins it (template.go, fork.go). What the template is
// asked for, and nothing else, is in its control group (census.go). With gVisor, whose guest
// forks into no other, nothing is prepared.
//
// # What changes in the process
//
// The engine changes the process that uses it, and does not change it back:
//
//   - It becomes a child subreaper (prctl(2)) at the first use, so that a sandbox's first
//     process is its child once the runtime has gone, and its wait status is the kernel's
//     own. The rest of the program must not reap children that it does not know.
//   - Hard resource limits that are lower than those of a sandbox are raised.
//   - Signals that are ignored are no longer: they are caught and dropped, and from number
//     32 on they get their default action. Runtimes would hand them on as ignored.
//   - Huge pages are allowed, merging of equal pages (KSM) is off, and core dumps have the
//     kernel's usual contents (/proc/self/coredump_filter).
//   - Without Options.CgroupParent, on cgroup v2, cgroup.Home may move the process into a
//     leaf below its own control group, or start a systemd scope with one process that
//     waits for the end of this one.
//
// All else (namespaces, umask, personality, scheduling, affinity, signal masks) is changed
// on threads that then end.
//
// # State directory
//
//	locks/<id>        flock'ed by the owner for the sandbox's whole life: taken first, removed last
//	sandboxes/<id>/   config.json, the runtime's log and pid file
//	runtimes/<name>/  the state of crun and runc (their --root)
//
// Whatever a dead owner left is found by its lock, which the kernel let go.
package oci
