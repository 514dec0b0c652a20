// Package policies holds the built-in policies, seccomp profiles and the schema
// of both as files, for people to read and for the binary to carry.
//
// It decides nothing: internal/policy and internal/seccomp load what lies here.
package policies

import "embed"

// Files has NAME.yaml for every policy, seccomp/NAME.json for every profile and
// schema/*.json.
//
//go:embed *.yaml seccomp/*.json schema/*.json
var Files embed.FS
