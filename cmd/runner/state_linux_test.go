package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheStateOfAUserIsHisOwn(t *testing.T) {
	tests := map[string]struct {
		uid         int
		environment map[string]string
		want        string
	}{
		"root":                             {0, map[string]string{"XDG_STATE_HOME": "/x", "HOME": "/root"}, "/var/lib/hotcell"},
		"a user":                           {1000, map[string]string{"HOME": "/home/ute"}, "/home/ute/.local/state/hotcell"},
		"a user with a place for states":   {1000, map[string]string{"HOME": "/home/ute", "XDG_STATE_HOME": "/data/ute"}, "/data/ute/hotcell"},
		"a relative place counts for none": {1000, map[string]string{"HOME": "/home/ute", "XDG_STATE_HOME": "data"}, "/home/ute/.local/state/hotcell"},
		"HOTCELL_STATE before all":         {0, map[string]string{"HOTCELL_STATE": "/srv/state"}, "/srv/state"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, stateOf(test.uid, func(name string) string { return test.environment[name] }))
		})
	}
}
