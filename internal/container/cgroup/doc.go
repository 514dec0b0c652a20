// Package cgroup makes, reads, limits, kills and removes the control group of one
// sandbox, on hosts with cgroup v1, v1 beside v2 ("hybrid") and v2.
//
// It decides where groups are made, which on v2 under systemd is what systemd gives
// (Home; docs/decisions/0004-a-place-for-control-groups.md), and how a kernel's
// counters become a Usage. It refuses to guess: a counter that this kernel does not
// keep is -1 or an error, never 0. It does not decide what the counters mean for a run
// (internal/runner). The engines that run on the host use it; Load is the function to
// begin with, Create where the engine makes the group itself.
//
// # Counters of nested groups
//
// On v2 a group's counters include those of its descendants, dead ones too, but for
// pids.events before Linux 6.11. On v1 that holds for CPU time and memory only:
// oom_kill and pids.events count in the group of the process itself and vanish with
// it. An engine whose runtime makes and removes a group below the one that it was
// given must therefore, on v1, move the sandbox's first process into its own group
// with AddProc; and on v2, where CountsBelow says no, have WatchDenials watch the
// runtime's.
package cgroup
