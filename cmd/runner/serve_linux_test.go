package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container/docker"
	"hotcell/internal/engineapi"
	"hotcell/internal/runner"
)

// Who asks an engine process has the name that the command itself would have, and rights
// only as root.
func TestOnlyRootHasRights(t *testing.T) {
	var known callers
	for range 2 { // the second time from memory
		require.Equal(t, runner.Caller{Name: "shell user " + userName(0), Rights: runner.AllRights()}, known.of(0))
		require.Equal(t, runner.Caller{Name: "shell user uid 3999999999"}, known.of(3999999999))
	}
	if os.Getuid() == 0 {
		require.Equal(t, shellUser(), known.of(0))
	}
}

func TestACommandAsksOnlyWhoWouldDoTheSame(t *testing.T) {
	host, _ := docker.DefaultHost()
	same := engineapi.Description{Protocol: engineapi.Protocol, Version: thisBuild().Version, Engine: "oci"}
	change := func(by func(*engineapi.Description)) engineapi.Description {
		other := same
		by(&other)
		return other
	}
	onDocker := change(func(d *engineapi.Description) { d.Engine, d.Daemon = "docker", host })
	require.Empty(t, unfit(same, target{engine: "oci"}))
	require.Empty(t, unfit(same, target{engine: "oci", runtime: "runsc"}))
	require.Empty(t, unfit(onDocker, target{engine: "docker"}))
	require.Contains(t, unfit(change(func(d *engineapi.Description) { d.Version = "v0" }), target{engine: "oci"}), "runner v0")
	require.NotEmpty(t, unfit(change(func(d *engineapi.Description) { d.Protocol++ }), target{engine: "oci"}))
	require.Contains(t, unfit(onDocker, target{engine: "oci"}), "docker, and oci is wanted")
	require.NotEmpty(t, unfit(same, target{engine: "docker"}))
	elsewhere := onDocker
	elsewhere.Daemon = "tcp://elsewhere"
	require.Contains(t, unfit(elsewhere, target{engine: "docker"}), "tcp://elsewhere")
}
