// Command hosts boots emulated machines and tries the runner on each: hosts with
// another kernel, another init system and other engines than the one on which it is
// built. Nothing of them is left but their logs.
//
// It decides how such a machine is made (guest, and prepare.sh), what it is given
// (payload) and what it is asked (the scripts in checks, of which each guest names
// its own). It does not decide what is right: the scripts do, and the tests that
// they start.
//
// A machine is emulated by qemu without KVM, because the tests run where there is none,
// and on hosts of another architecture. It has no network. Its disk, made from
// Debian's archive, is kept in a cache by the hash of what it is made from; what it
// writes there is thrown away. One directory of this host is shared with it.
package main
