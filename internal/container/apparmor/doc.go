// Package apparmor loads the profile of the sandboxes, policies/apparmor/sandbox,
// into the kernel, and reads under which profile a process runs.
//
// It decides whether the profile that the kernel holds is ours, byte for byte, and
// refuses to guess: where it cannot tell, it loads it anew. It does not decide
// whether a host without AppArmor is accepted (the policy does), and takes no
// profile away: an old version's is confining its last sandboxes, costs a few
// pages, and is gone with the next boot. The engines that run on this kernel use it;
// Load is the function to begin with.
package apparmor
