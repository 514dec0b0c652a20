package serveconfig

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/access"
)

const full = `version: 1
engine: /run/engine/front.sock
data: /srv/front
hosts: [hotcell.example]
origins: ["https://tools.example:8443"]
listen:
  - unix: /run/hotcell/hotcell.sock
    mode: "0660"
    group: hotcell
  - tcp: 127.0.0.1:8080
  - tcp: "[::]:8443"
    tls:
      certificate: /etc/hotcell/tls/cert.pem
      key: /etc/hotcell/tls/key.pem
      client_ca: /etc/hotcell/tls/clients.pem
metrics:
  listen:
    tcp: 127.0.0.1:9464
authentication:
  unix:
    users: [anna, uid-1000]
    groups: [hotcell]
    scopes: [run]
  tokens:
    file: /etc/hotcell/tokens.json
  certificates:
    field: uri
    names:
      spiffe://example.org/ci: [run, check]
  oidc:
    - issuer: https://login.example.org/realms/x
      audience: hotcell
      authorized_parties: [cli]
      algorithms: [RS256]
      clock_skew: 60s
      claim: realm_access.roles
      scopes:
        analysts: [run, check]
quotas:
  default:
    running: 2
    cpu_seconds_per_day: 3600
    recorded_bytes_per_day: 2147483648
  principals:
    token:ci:
      running: 16
      recorded_bytes_per_day: 1073741824
limits:
  body_bytes: 1048576
  queue: 100
  connections: 64
sessions:
  idle: 5m
  total: 1h
  most: 4
drain: 1m30s
log:
  level: warn
`

func TestAFileSaysAll(t *testing.T) {
	read, err := parse("serve.yaml", []byte(full))
	require.NoError(t, err)
	require.Equal(t, "/run/engine/front.sock", read.Engine)
	require.Equal(t, "/srv/front", read.Data)
	require.Len(t, read.Listen, 3)
	require.Equal(t, "/etc/hotcell/tls/clients.pem", read.Listen[2].TLS.ClientCA)
	require.Equal(t, []access.Scope{access.ScopeRun, access.ScopeCheck}, read.Authentication.Certificates.Names["spiffe://example.org/ci"])
	require.Equal(t, time.Minute, *read.Authentication.OIDC[0].ClockSkew)
	require.Equal(t, Quota{
		Running: 16, Queued: 1000, QueuedBytes: 8 << 20, CPUSecondsPerDay: 3600, RecordedBytesPerDay: 1 << 30, RequestsPerMinute: 600, ReadsPerMinute: 3000, Sessions: 3,
	}, read.Quotas.For("token:ci"))
	require.Equal(t, 2, read.Quotas.For("user:anna").Running)
	require.EqualValues(t, 2<<30, read.Quotas.For("user:anna").RecordedBytesPerDay)
	require.Equal(t, 90*time.Second, read.Drain)
	require.Equal(t, []string{"hotcell.example"}, read.Hosts)
	require.Equal(t, []string{"https://tools.example:8443"}, read.Origins)
	require.Equal(t, "warn", read.Log.Level)
}

func TestWithoutAFileThereIsOneUnixSocket(t *testing.T) {
	made := Default()
	require.Equal(t, []Listen{{Unix: "/run/hotcell/hotcell.sock", Mode: "0660", Group: "hotcell"}}, made.Listen)
	require.Equal(t, Authentication{Unix: &Unix{Groups: []string{"hotcell"}, Scopes: everyday()}}, made.Authentication)
	require.Nil(t, made.Metrics)
	require.NotContains(t, made.Authentication.Unix.Scopes, access.ScopeAdmin)
	read, err := parse("serve.yaml", []byte("version: 1\n"))
	require.NoError(t, err)
	require.Equal(t, made, read, "a file that says nothing says the same")
	read, err = parse("serve.yaml", []byte("version: 1\nlisten: [{tcp: 127.0.0.1:1}]\nauthentication: {tokens: {file: /t}}\n"))
	require.NoError(t, err)
	require.Nil(t, read.Authentication.Unix, "no socket, nobody who is known by one")
}

func TestWhatIsRefused(t *testing.T) {
	for name, test := range map[string]struct{ from, to, want string }{
		"an unknown key":               {"engine:", "engin:", "line 2: unknown key engin: known are authentication, data, drain"},
		"all sessions for one":         {"running: 16", "sessions: 4", "quotas.principals.token:ci.sessions: one principal could have all 4 sessions"},
		"all sessions for each":        {"running: 2", "sessions: 5", "quotas.default.sessions: one principal could have all 4 sessions"},
		"less than a request":          {"running: 2", "queued_bytes: 1048575", "quotas.default.queued_bytes: it is less than one request"},
		"less than a request of one":   {"running: 16", "queued_bytes: 2048", "quotas.principals.token:ci.queued_bytes: it is less"},
		"a queue for no request":       {"queue: 100", "queue_bytes: 1048575", "limits.queue_bytes: it is less than one request"},
		"a key twice":                  {"engine:", "version: 1\nengine:", "already defined"},
		"another version":              {"version: 1", "version: 2", "version"},
		"two documents":                {"log:\n", "---\nlog:\n", "exactly one"},
		"an anchor":                    {"[anna, uid-1000]", "&a [anna]", "anchors"},
		"TCP in the clear":             {"tcp: 127.0.0.1:8080", "tcp: 192.0.2.1:8080", "line 10: listen.1.tcp: tokens and data would cross the network in the clear: give it tls"},
		"TCP everywhere in the clear":  {"tcp: 127.0.0.1:8080", "tcp: 0.0.0.0:8080", "in the clear"},
		"TCP by a name":                {"tcp: 127.0.0.1:8080", "tcp: localhost:8080", "An IP address and a port"},
		"TCP without a port":           {"tcp: 127.0.0.1:8080", "tcp: 127.0.0.1", "An IP address and a port"},
		"a port too large":             {"tcp: 127.0.0.1:8080", "tcp: 127.0.0.1:99999", "no address with a port"},
		"an address too large":         {"tcp: 127.0.0.1:8080", "tcp: 127.0.0.256:80", "no address with a port"},
		"a socket in the data":         {"- tcp: 127.0.0.1:8080", "- unix: /srv/front/a.sock", "listen.1.unix: it is in the service's own directory (data: /srv/front)"},
		"a socket below the data":      {"- tcp: 127.0.0.1:8080", "- unix: /srv/front/x/a.sock", "listen.1.unix: it is in the service's own directory"},
		"metrics in the data":          {"tcp: 127.0.0.1:9464", "unix: /srv/front/m.sock", "metrics.listen.unix: it is in the service's own directory"},
		"the engine in the data":       {"/run/engine/front.sock", "/srv/front/e.sock", "engine: it is in the service's own directory"},
		"the root as data":             {"/srv/front", "/", "it is in the service's own directory (data: /)"},
		"a socket that is an address":  {"- tcp: 127.0.0.1:8080", "- {tcp: 127.0.0.1:8080, unix: /run/x.sock}", "name one of unix"},
		"a listener that is nothing":   {"- tcp: 127.0.0.1:8080", "- {}", "name one of unix"},
		"no listener":                  {full[strings.Index(full, "  - unix"):strings.Index(full, "metrics")], "", "listen"},
		"two at one place":             {"127.0.0.1:8080", "127.0.0.1:9464", "twice"},
		"a mode of an address":         {"- tcp: 127.0.0.1:8080", "- {tcp: 127.0.0.1:8080, mode: \"0600\"}", "are of a unix socket"},
		"a mode that is a number":      {`mode: "0660"`, "mode: 660", "must be text"},
		"a mode that is none":          {`mode: "0660"`, `mode: "0999"`, "four octal digits"},
		"TLS of a socket":              {"group: hotcell\n", "group: hotcell\n    tls: {certificate: /c, key: /k}\n", "a unix socket has none"},
		"TLS without a key":            {"      key: /etc/hotcell/tls/key.pem\n", "", "key listen.2.tls.key is missing"},
		"a relative path":              {"/srv/front", "front", "absolute path"},
		"a path with detours":          {"/srv/front", "/srv/../etc", "without detours: /etc"},
		"metrics for all":              {"tcp: 127.0.0.1:9464", "tcp: 0.0.0.0:9464", "metrics are shown to whoever connects"},
		"certificates nobody asks for": {"      client_ca: /etc/hotcell/tls/clients.pem\n", "", "no listener asks for one"},
		"a wildcard":                   {"spiffe://example.org/ci:", "\"*.example.org\":", "without *"},
		"a field that is none":         {"field: uri", "field: email", "known are uri, dns, cn"},
		"an unknown scope":             {"[run]", "[root]", "known are run, check"},
		"an issuer in the clear":       {"https://login", "http://login", "in the clear"},
		"an issuer with a fragment":    {"realms/x", "realms/x#", "no plain URL"},
		"an issuer that leads up":      {"realms/x", "realms/../x", "no plain URL"},
		"a clock too wrong":            {"clock_skew: 60s", "clock_skew: 61s", "more than 60s"},
		"a symmetric algorithm":        {"[RS256]", "[HS256]", "HS256 is unknown"},
		"no algorithm":                 {"[RS256]", "[none]", "none is unknown"},
		"no audience":                  {"      audience: hotcell\n", "", "audience is missing"},
		"two rules for an issuer":      {"quotas:", "    - {issuer: \"https://login.example.org/realms/x\", audience: a, claim: c, scopes: {a: [run]}}\nquotas:", "stands twice"},
		"a session that never idles":   {"idle: 5m", "idle: 2h", "longer than the whole session"},
		"a time without a unit":        {"idle: 5m", "idle: 300", "must be text"},
		"a principal of no kind":       {"token:ci:\n      running: 16", "ci:\n      running: 16", "A principal is user:NAME"},
		"a host with a port":           {"[hotcell.example]", "[\"hotcell.example:80\"]", "hosts"},
		"a host in capitals":           {"[hotcell.example]", "[Hotcell.example]", "hosts"},
		"any host":                     {"[hotcell.example]", "[\"*\"]", "hosts"},
		"an origin with a path":        {"https://tools.example:8443", "https://tools.example/x", "origins"},
		"an origin without a scheme":   {"https://tools.example:8443", "tools.example", "origins"},
		"an origin that is none":       {"https://tools.example:8443", "https://:::", "it is no origin"},
		"hosts that nobody asks by":    {"tcp: 127.0.0.1:8080", "unix: /run/y.sock", "leave it out"},
		"a quota of nothing":           {"running: 2", "running: 0", "must be 1 or more"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, full, test.from)
			_, err := parse("/etc/hotcell/serve.yaml", []byte(strings.Replace(full, test.from, test.to, 1)))
			_, ok := errors.AsType[*InvalidError](err)
			require.True(t, ok, "%v", err)
			require.ErrorContains(t, err, test.want)
			require.ErrorContains(t, err, "/etc/hotcell/serve.yaml")
		})
	}
}

// Who cannot say who they are could do nothing, or everything.
func TestNoAddressWithoutAWayToBeKnown(t *testing.T) {
	for name, text := range map[string]string{
		"nothing at all":                    "",
		"users of sockets alone":            "authentication: {unix: {users: [anna]}}\n",
		"certificates without an authority": "authentication: {certificates: {field: dns, names: {a: [run]}}}\n",
	} {
		_, err := parse("x", []byte("version: 1\nlisten: [{tcp: 127.0.0.1:8080}]\n"+text))
		require.ErrorContains(t, err, "nobody could say who they are there", name)
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	_, err := parse("x", []byte("version: 1\nlisten: [{tcp: 192.0.2.1:80}]\nsessions: {idle: 2h, total: 1h}\ndata: /a/../b\nsizes: 3\n"))
	for _, want := range []string{"in the clear", "nobody could say", "longer than", "detours", "unknown key sizes"} {
		require.ErrorContains(t, err, want)
	}
}

func TestAFileThatOthersCouldHaveWritten(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o755))
	path := filepath.Join(dir, "serve.yaml")
	_, err := Load(path)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(path, []byte("version: 1\n"), 0o644))
	_, err = Load(path)
	require.NoError(t, err)
	require.NoError(t, os.Chmod(path, 0o664))
	_, err = Load(path)
	require.ErrorContains(t, err, "chmod go-w")
	require.NoError(t, os.Chmod(path, 0o644))
	require.NoError(t, os.Chmod(dir, 0o777))
	_, err = Load(path)
	require.Error(t, err)
}

func FuzzConfig(f *testing.F) {
	f.Add([]byte(full))
	f.Add([]byte("version: 1\n"))
	f.Add([]byte("version: 1\nlisten: [{tcp: 127.0.0.1:1}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := parse("x", data)
		if err != nil {
			return
		}
		require.NotEmpty(t, read.Listen)
		for _, one := range read.Listen {
			if one.TCP != "" && one.TLS == nil {
				require.False(t, open(one.TCP))
			}
			by := read.Authentication
			require.True(t, one.TCP == "" || by.Tokens != nil || by.OIDC != nil || by.Certificates != nil)
		}
	})
}

// What is told as no address is not told as one that is open to others, too.
func TestAnAddressThatIsNoneIsToldOnce(t *testing.T) {
	for _, one := range []string{"127.0.0.1", "localhost:8081", "127.0.0.1:99999", "::1:80", "[::1]", ":80"} {
		for _, key := range []string{"listen: [{tcp: ADDRESS}]", "metrics: {listen: {tcp: ADDRESS}}"} {
			_, err := parse("serve.yaml", []byte("version: 1\nauthentication: {tokens: {file: /t}}\n"+strings.Replace(key, "ADDRESS", strconv.Quote(one), 1)+"\n"))
			invalid, ok := errors.AsType[*InvalidError](err)
			require.True(t, ok, "%s: %v", one, err)
			require.Len(t, invalid.Faults, 1, "%v", err)
			require.ErrorContains(t, err, "127.0.0.1:", "for example")
		}
	}
}
