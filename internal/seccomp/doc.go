// Package seccomp turns a profile, a file of system call rules with the reason
// for each, into what enforces it and into what explains it.
//
// It decides whether a profile is sound: default deny, every name real, every
// argument compared as the kernel reads it. It does not decide which profile a
// run gets (internal/policy) and knows no container. Use Load; then OCI for a
// runtime's configuration, Compile for the BPF program itself, Evaluate for what
// a profile says about one call, and Count for how much it lets through.
//
// A profile has two stages, two files: NAME, which the runtime loads, and NAME.user,
// which the guard loads over it before user code (UserCode). See docs/seccomp.md.
//
// # File format, version 1
//
// UTF-8 JSON, without duplicate, unknown or case-variant names, null or trailing
// bytes. Every field is required unless it says otherwise.
//
//	version         1
//	name            the file's name without .json; stage 2 ends in .user
//	description     for whom and for which stage
//	default_action  SCMP_ACT_ERRNO or SCMP_ACT_KILL_PROCESS
//	default_errno   EPERM; only with SCMP_ACT_ERRNO
//	architectures   of SCMP_ARCH_X86_64, SCMP_ARCH_AARCH64; any other is killed
//	syscalls[]
//	  names         system calls, as in libseccomp
//	  action        SCMP_ACT_ALLOW, SCMP_ACT_ERRNO or SCMP_ACT_KILL_PROCESS
//	  errno         EPERM, ENOSYS, ENOTTY or EACCES; only with SCMP_ACT_ERRNO
//	  args[]        optional; the rule holds when all of them do
//	    index       0 to 5, each at most once in a rule
//	    mask        optional; hexadecimal string, all 64 bits when absent
//	    value       hexadecimal string; holds when argument & mask == value
//	  architectures optional; some of the file's, when the rule is not for all
//	  reason        why, in a sentence
//
// # What is refused, and why
//
// A call may have several rules, if all have the same action and all have args;
// any of them may hold. A second rule without args, or of another action, would
// make the outcome depend on the runtime's order. A call must exist on every
// architecture that its rule names, or on one of the file's when it names none.
//
// There is one comparison. An inequality can be satisfied with bits that the
// kernel ignores (CVE-2019-10063 was one), and two conditions on one argument
// become alternatives in runc. An argument that the kernel reads as 32 bits must
// be compared with a mask of at most 32 bits, and an argument whose width is not
// in this package's table not at all.
//
// SCMP_ACT_LOG, _TRACE, _NOTIFY, _TRAP and _KILL_THREAD are refused: the first
// three permit or ask, a trap can be handled by the code that it should stop, and
// a killed thread leaves the others running.
//
// # Names that a host's libseccomp does not know
//
// runc, crun and Docker skip such a name without a word. For a rule that allows,
// Compile makes it an error. For one that denies, the default action answers
// instead, which denies too: EPERM in place of a kill. Program.Unknown lists
// these calls.
package seccomp
