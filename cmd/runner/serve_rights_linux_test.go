package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const statusWithoutRights = `Name:	runner
Uid:	990	990	990	990
Gid:	990	990	990	990
Groups:	990 991
CapInh:	0000000000000000
CapPrm:	0000000000000400
CapEff:	0000000000000000
CapBnd:	000001ffffffffff
CapAmb:	0000000000000000
`

func TestAFrontWithRightsOfRootsIsRefused(t *testing.T) {
	groups := map[string]string{"0": "root", "105": "docker"}
	require.NoError(t, withoutRightsIn(statusWithoutRights, groups))
	require.NoError(t, withoutRightsIn(strings.Replace(statusWithoutRights, "990 991", "", 1), groups))
	for name, test := range map[string]struct{ from, to, says string }{
		"real user":       {"Uid:\t990", "Uid:\t0", "not do so as root"},
		"saved user":      {"Uid:\t990\t990\t990", "Uid:\t990\t990\t0", "not do so as root"},
		"effective user":  {"Uid:\t990\t990", "Uid:\t990\t0", "not do so as root"},
		"saved group":     {"Gid:\t990\t990\t990", "Gid:\t990\t990\t0", `group "root" (0)`},
		"root's group":    {"990 991", "990 0", `group "root" (0)`},
		"docker's group":  {"990 991", "105 990", `group "docker" (105), whose members can become root: start it`},
		"inheritable":     {"CapInh:\t0000000000000000", "CapInh:\t0000000000000002", "CapInh is 0000000000000002"},
		"permitted":       {"CapPrm:\t0000000000000400", "CapPrm:\t0000000000001400", "CapPrm is"},
		"effective":       {"CapEff:\t0000000000000000", "CapEff:\t0000000000200000", "CapEff is"},
		"ambient":         {"CapAmb:\t0000000000000000", "CapAmb:\t0000000000000002", "CapAmb is"},
		"nothing is told": {"Uid:", "", "does not show Uid"},
	} {
		t.Run(name, func(t *testing.T) {
			status := strings.Replace(statusWithoutRights, test.from, test.to, 1)
			require.NotEqual(t, statusWithoutRights, status)
			require.ErrorContains(t, withoutRightsIn(status, groups), test.says)
		})
	}
	require.Equal(t, "root", gidsLikeRoot()["0"])
}
