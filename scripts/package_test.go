package scripts_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/serveconfig"
)

// TestThePackagedConfigurationReachesNothing: as it is installed, nobody on the network is
// listened to, and it fits the units.
func TestThePackagedConfigurationReachesNothing(t *testing.T) {
	copied := filepath.Join(t.TempDir(), "serve.yaml")
	text, err := os.ReadFile("../packaging/serve.yaml")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(copied, text, 0o600))
	config, err := serveconfig.Load(copied)
	require.NoError(t, err)
	require.Len(t, config.Listen, 1)
	require.Empty(t, config.Listen[0].TCP)
	require.Equal(t, "hotcell", config.Listen[0].Group)
	require.Nil(t, config.Metrics)
	require.Nil(t, config.Authentication.Tokens)

	engine, err := os.ReadFile("../packaging/hotcell-engine.service")
	require.NoError(t, err)
	require.Contains(t, string(engine), "--front-socket "+config.Engine+" ")
	front, err := os.ReadFile("../packaging/hotcell.service")
	require.NoError(t, err)
	require.Equal(t, "/var/lib/"+setting(t, front, "StateDirectory"), config.Data)
	require.True(t, strings.HasPrefix(config.Listen[0].Unix, "/run/"+setting(t, front, "RuntimeDirectory")+"/"))
	require.True(t, strings.HasPrefix(config.Engine, "/run/"+setting(t, engine, "RuntimeDirectory")+"/"))
	require.NotEqual(t, setting(t, engine, "RuntimeDirectory"), setting(t, front, "RuntimeDirectory"),
		"who can write the one must not be able to write the other")
	require.Contains(t, string(engine), "--front-user "+setting(t, front, "User"))
}

// TestTheEngineHasNoFilterOfSystemd: the engine wants each sandbox to have as many filters as its
// policy has, and sees one that it has inherited as one more.
func TestTheEngineHasNoFilterOfSystemd(t *testing.T) {
	engine, err := os.ReadFile("../packaging/hotcell-engine.service")
	require.NoError(t, err)
	require.NotRegexp(t, `(?m)^(SystemCall\w+|LockPersonality|Restrict\w+|MemoryDenyWriteExecute|NoNewPrivileges|Protect\w+|Private\w+)=`, string(engine))
}

// setting is the one value of a unit's setting.
func setting(t *testing.T, unit []byte, name string) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^`+name+`=(.*)$`).FindAllSubmatch(unit, -1)
	require.Len(t, found, 1, name)
	return string(found[0][1])
}
