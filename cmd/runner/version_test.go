package main

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersionIsTheLinkersThenGosThenTheCommits(t *testing.T) {
	commit := []debug.BuildSetting{{Key: "vcs.revision", Value: "3e4c08bd4f3b6d1a2c5e7f8091a2b3c4d5e6f708"}, {Key: "vcs.modified", Value: "false"}}
	changed := []debug.BuildSetting{commit[0], {Key: "vcs.modified", Value: "true"}}
	tests := map[string]struct {
		linked string
		info   debug.BuildInfo
		want   string
	}{
		"linked":             {"v0.1.0", debug.BuildInfo{Main: debug.Module{Version: "v0.2.0"}, Settings: commit}, "v0.1.0"},
		"go install":         {"", debug.BuildInfo{Main: debug.Module{Version: "v0.2.0"}}, "v0.2.0"},
		"a commit":           {"", debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: commit}, "3e4c08bd4f3b"},
		"a changed commit":   {"", debug.BuildInfo{Settings: changed}, "3e4c08bd4f3b-dirty"},
		"nothing to know it": {"", debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "development"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, versionOf(test.linked, &test.info))
		})
	}
}
