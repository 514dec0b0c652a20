package main

import (
	"os/user"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/output"
)

func TestTheCallerOfSudoIsAUserWithTheirOwnGroup(t *testing.T) {
	nobody, err := user.Lookup("nobody")
	require.NoError(t, err)
	daemon, err := user.Lookup("daemon")
	require.NoError(t, err)
	for name, test := range map[string]struct {
		euid     int
		uid, gid string
		given    bool
		fault    string
	}{
		"sudo by a user":            {0, nobody.Uid, nobody.Gid, true, ""},
		"no sudo":                   {0, "", "", false, ""},
		"sudo by root":              {0, "0", "0", false, ""},
		"not root":                  {1000, nobody.Uid, nobody.Gid, false, ""},
		"not root, and nonsense":    {1000, "x", "y", false, ""},
		"a word":                    {0, "nobody", nobody.Gid, false, `SUDO_UID is "nobody"`},
		"a word for a group":        {0, nobody.Uid, "nogroup", false, `SUDO_GID is "nogroup"`},
		"below zero":                {0, "-1", nobody.Gid, false, "SUDO_UID"},
		"all ones":                  {0, "4294967295", nobody.Gid, false, "no user"},
		"more than a number":        {0, "99999999999999999999", nobody.Gid, false, "SUDO_UID"},
		"another base":              {0, "0x10", nobody.Gid, false, "SUDO_UID"},
		"zeros before it":           {0, "0" + nobody.Uid, nobody.Gid, false, "SUDO_UID"},
		"a line after it":           {0, nobody.Uid + "\n", nobody.Gid, false, "SUDO_UID"},
		"a user without a group":    {0, nobody.Uid, "", false, "SUDO_GID"},
		"a group without a user":    {0, "", nobody.Gid, false, "SUDO_UID"},
		"the group of root":         {0, nobody.Uid, "0", false, "SUDO_GID 0 is not the group"},
		"the group of another user": {0, nobody.Uid, daemon.Gid, false, "is not the group"},
		"a user that there is not":  {0, "3999999999", "3999999999", false, "no user"},
	} {
		t.Run(name, func(t *testing.T) {
			owner, err := sudoOwner(test.euid, func(name string) string {
				return map[string]string{"SUDO_UID": test.uid, "SUDO_GID": test.gid, "SUDO_USER": "root"}[name]
			})
			if test.fault != "" {
				require.ErrorContains(t, err, test.fault)
				require.Nil(t, owner)
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.given, owner != nil)
			if owner != nil {
				require.NotEqual(t, output.Owner{}, *owner)
			}
		})
	}
}

func TestNumberedDirectories(t *testing.T) {
	require.Equal(t, "out", numberedName("out", 1))
	require.Equal(t, "out-2", numberedName("out", 2))
	require.Equal(t, "a/out-3", numberedName("a/out/", 3))
	require.NotContains(t, numberedName("out", maxNumber), " ")
}
