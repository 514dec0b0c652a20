package scripts_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
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

// TestLaterSourcesHaveAHigherVersion: apt refuses what it takes for an older package.
func TestLaterSourcesHaveAHigherVersion(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("packages are made on Linux")
	}
	before := "0.0.0~before-1" // the packages that tests upgrade from
	for _, next := range []struct{ version, time string }{
		{"f2a91102", "1795820963"}, // no tag: by their commits' times
		{"52191102", "1795820964"},
		{"5beec764", "1795835336"},
		{"5beec764-dirty", "1795835336"},
		{"0a12345", "1795835337"},
		{"v0.1.0-alpha1", "1"}, // from here on by their names alone
		{"v0.1.0-rc1", "9"},
		{"v0.1.0-rc1-2-gfeedbee", "8"},
		{"v0.1.0", "7"},
		{"v0.1.0-9-gfeedbee", "6"},
		{"v0.1.0-10-gbeef000", "5"},
		{"v0.1.0-10-gbeef000-dirty", "5"},
		{"0.1.1", "4"}, // VERSION= of who has no git
		{"v1", "3"},
	} {
		output, err := exec.CommandContext(t.Context(), "./debian-version.sh", next.version, next.time).CombinedOutput()
		require.NoError(t, err, "%s", output)
		version := strings.TrimSpace(string(output))
		require.NoError(t, exec.CommandContext(t.Context(), "dpkg", "--validate-version", version).Run(), version)
		require.NoError(t, exec.CommandContext(t.Context(), "dpkg", "--compare-versions", before, "lt", version).Run(), "%s, then %s", before, version)
		before = version
	}
}

// setting is the one value of a unit's setting.
func setting(t *testing.T, unit []byte, name string) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^`+name+`=(.*)$`).FindAllSubmatch(unit, -1)
	require.Len(t, found, 1, name)
	return string(found[0][1])
}
