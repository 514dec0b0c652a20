// Package policies holds the built-in policies, their import profiles, the seccomp
// profiles and the schema of policies as files, for people to read and for the
// binary to carry.
//
// It decides nothing: internal/policy and internal/seccomp load what lies here.
package policies

import "embed"

// Files has NAME.yaml for every policy, examples/NAME.py for a script that it accepts, imports/NAME.yaml for every import profile,
// imports/floor.yaml for what no policy can import, names/* for what one can deny, baseline/baseline.yaml for what
// policies are measured against, seccomp/NAME.json for every profile,
// seccomp/NAME.ARCH.bpf for stage 2 as libseccomp compiles it (written by
// go test ./internal/seccomp -update), for hosts without it, apparmor/sandbox for the engines, and schema/*.json.
//
//go:embed *.yaml examples/*.py apparmor/sandbox imports/*.yaml baseline/*.yaml seccomp/*.json seccomp/*.bpf schema/*.json names/*
var Files embed.FS
