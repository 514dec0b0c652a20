// Package integration_test runs the real command against real engines and looks
// at what is left of it: processes, containers, mounts, control groups, files.
//
// It decides nothing about isolation (tests/security) or about one engine's
// behaviour (internal/container/containertest). It needs root, the image
// (`make image`), crun, runc and a Docker daemon; with HOTCELL_REQUIRE_ALL=1 the
// lack of one is a failure.
package integration_test
