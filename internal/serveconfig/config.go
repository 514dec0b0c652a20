// Package serveconfig reads the file that configures a service (runner serve), strictly and with
// all faults at once, and makes of it what listens and what tells who asks.
//
// Without a file there is one unix socket and nothing else. No key, token or password has a
// default. Who may ask from another host is refused where it could be overheard, and where
// nobody could say who they are.
package serveconfig

import (
	"cmp"
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/goccy/go-yaml"

	"hotcell/internal/access"
	"hotcell/internal/durable"
	"hotcell/internal/strictyaml"
)

// DefaultPath is the file of a host.
const DefaultPath = "/etc/hotcell/serve.yaml"

// Config is what a service is told. Every field of one that Load or Default has made is set, but
// where its comment says otherwise.
type Config struct {
	Version        int            `yaml:"version"`
	Engine         string         `yaml:"engine"` // the socket of the engine process for fronts
	Data           string         `yaml:"data"`   // the service's own directory
	Listen         []Listen       `yaml:"listen"`
	Hosts          []string       `yaml:"hosts"`   // names of loopback listeners beside localhost
	Origins        []string       `yaml:"origins"` // of web pages that may ask
	Metrics        *Metrics       `yaml:"metrics"` // nil where none are shown
	Authentication Authentication `yaml:"authentication"`
	Quotas         Quotas         `yaml:"quotas"`
	Limits         Totals         `yaml:"limits"`
	Sessions       Sessions       `yaml:"sessions"`
	Drain          time.Duration  `yaml:"drain"` // how long a service that ends waits for what runs
	Log            Log            `yaml:"log"`
}

// Listen is a unix socket or an address of TCP: one of Unix and TCP is set.
type Listen struct {
	Unix  string `yaml:"unix"`
	Mode  string `yaml:"mode"`  // of the socket, as 0660
	Group string `yaml:"group"` // of the socket, or "" for the service's own
	TCP   string `yaml:"tcp"`
	TLS   *TLS   `yaml:"tls"` // nil on loopback alone
}

// String is where it is.
func (l Listen) String() string {
	if l.Unix != "" {
		return l.Unix
	}
	return l.TCP
}

// TLS is files of PEM.
type TLS struct {
	Certificate string `yaml:"certificate"`
	Key         string `yaml:"key"`
	ClientCA    string `yaml:"client_ca"` // "" where clients need no certificate
}

// Metrics are shown on a listener of their own, to whoever can connect.
type Metrics struct {
	Listen Listen `yaml:"listen"`
}

// Authentication is the ways to be known. A nil one is none.
type Authentication struct {
	Unix         *Unix         `yaml:"unix"`
	Tokens       *Tokens       `yaml:"tokens"`
	Certificates *Certificates `yaml:"certificates"`
	OIDC         []OIDC        `yaml:"oidc"`
}

// Unix is who may ask over a unix socket beside root, who always may.
type Unix struct {
	Users  []string       `yaml:"users"`
	Groups []string       `yaml:"groups"`
	Scopes []access.Scope `yaml:"scopes"`
}

// Tokens are those of a file of `runner token`.
type Tokens struct {
	File string `yaml:"file"`
}

// Certificates are the clients that are known by one.
type Certificates struct {
	Field access.Field              `yaml:"field"`
	Names map[string][]access.Scope `yaml:"names"`
}

// OIDC is a provider whose JWTs are believed.
type OIDC struct {
	Issuer            string                    `yaml:"issuer"`
	Audience          string                    `yaml:"audience"`
	AuthorizedParties []string                  `yaml:"authorized_parties"`
	Algorithms        []string                  `yaml:"algorithms"`
	ClockSkew         *time.Duration            `yaml:"clock_skew"`
	Claim             string                    `yaml:"claim"`
	Scopes            map[string][]access.Scope `yaml:"scopes"`
}

// Quotas bound principals.
type Quotas struct {
	Default    Quota            `yaml:"default"`
	Principals map[string]Quota `yaml:"principals"`
}

// Quota bounds one principal. Zero bounds nothing.
type Quota struct {
	Running             int   `yaml:"running"`
	Queued              int   `yaml:"queued"`
	QueuedBytes         int64 `yaml:"queued_bytes"`
	CPUSecondsPerDay    int64 `yaml:"cpu_seconds_per_day"`
	RecordedBytesPerDay int64 `yaml:"recorded_bytes_per_day"`
	RequestsPerMinute   int   `yaml:"requests_per_minute"`
	ReadsPerMinute      int   `yaml:"reads_per_minute"`
	Sessions            int   `yaml:"sessions"`
}

// For is a principal's quota: what is said of it by name, and for the rest the default.
func (q Quotas) For(principal string) Quota {
	own := q.Principals[principal]
	own.Running = cmp.Or(own.Running, q.Default.Running)
	own.Queued = cmp.Or(own.Queued, q.Default.Queued)
	own.QueuedBytes = cmp.Or(own.QueuedBytes, q.Default.QueuedBytes)
	own.CPUSecondsPerDay = cmp.Or(own.CPUSecondsPerDay, q.Default.CPUSecondsPerDay)
	own.RecordedBytesPerDay = cmp.Or(own.RecordedBytesPerDay, q.Default.RecordedBytesPerDay)
	own.RequestsPerMinute = cmp.Or(own.RequestsPerMinute, q.Default.RequestsPerMinute)
	own.ReadsPerMinute = cmp.Or(own.ReadsPerMinute, q.Default.ReadsPerMinute)
	own.Sessions = cmp.Or(own.Sessions, q.Default.Sessions)
	return own
}

// Totals bound all together.
type Totals struct {
	BodyBytes   int64 `yaml:"body_bytes"`  // of one request
	Queue       int   `yaml:"queue"`       // runs that wait
	QueueBytes  int64 `yaml:"queue_bytes"` // of the requests of those
	Connections int   `yaml:"connections"` // at a time
}

// Sessions bound how long one lives.
type Sessions struct {
	Idle  time.Duration `yaml:"idle"`
	Total time.Duration `yaml:"total"`
	Most  int           `yaml:"most"` // open at a time, or 0 for one less than the engine's places
}

// Log is what is logged.
type Log struct {
	Level string `yaml:"level"`
}

// Default is a service of a host that has no file: one unix socket, for root and the group hotcell.
func Default() Config { return Config{Version: 1}.completed() }

// completed puts what is the default in the place of what is not said.
func (c Config) completed() Config {
	c.Engine = cmp.Or(c.Engine, "/run/hotcell-engine/engine.sock")
	c.Data = cmp.Or(c.Data, "/var/lib/hotcell-serve")
	if c.Listen == nil {
		c.Listen = []Listen{{Unix: "/run/hotcell/hotcell.sock", Group: defaultGroup}}
	}
	for index := range c.Listen {
		c.Listen[index].complete()
	}
	if c.Metrics != nil {
		c.Metrics.Listen.complete()
	}
	c.Authentication.complete(c.Listen)
	c.Limits.BodyBytes = cmp.Or(c.Limits.BodyBytes, 8<<20)
	c.Limits.Queue = cmp.Or(c.Limits.Queue, 100_000)
	c.Limits.QueueBytes = cmp.Or(c.Limits.QueueBytes, 128*c.Limits.BodyBytes)
	c.Limits.Connections = cmp.Or(c.Limits.Connections, 8192)
	c.Quotas.Default.complete(c)
	c.Sessions.Idle = cmp.Or(c.Sessions.Idle, 15*time.Minute)
	c.Sessions.Total = cmp.Or(c.Sessions.Total, 8*time.Hour)
	c.Drain = cmp.Or(c.Drain, 30*time.Second)
	c.Log.Level = cmp.Or(c.Log.Level, "info")
	return c
}

func (q *Quota) complete(of Config) {
	q.Running = cmp.Or(q.Running, 8)
	q.Queued = cmp.Or(q.Queued, 1000)
	q.QueuedBytes = cmp.Or(q.QueuedBytes, 8*of.Limits.BodyBytes)
	q.RecordedBytesPerDay = cmp.Or(q.RecordedBytesPerDay, 4<<30) // a small run every half second
	q.RequestsPerMinute = cmp.Or(q.RequestsPerMinute, 600)
	q.ReadsPerMinute = cmp.Or(q.ReadsPerMinute, 3000)
	sessions := 4
	if most := of.Sessions.Most; most > 1 {
		sessions = min(sessions, most-1)
	}
	q.Sessions = cmp.Or(q.Sessions, sessions)
}

func (l *Listen) complete() {
	if l.Unix != "" {
		l.Mode = cmp.Or(l.Mode, "0660")
	}
}

// everyday are the scopes of users without a word about theirs.
func everyday() []access.Scope {
	return []access.Scope{access.ScopeRun, access.ScopeCheck, access.ScopeBundles, access.ScopeRecords}
}

func (a *Authentication) complete(listen []Listen) {
	for _, one := range listen {
		if one.Unix != "" && a.Unix == nil {
			a.Unix = &Unix{Groups: []string{defaultGroup}}
		}
	}
	if a.Unix != nil && a.Unix.Scopes == nil {
		a.Unix.Scopes = everyday()
	}
	for index := range a.OIDC {
		one := &a.OIDC[index]
		if one.Algorithms == nil {
			one.Algorithms = []string{"RS256", "ES256"}
		}
		if one.ClockSkew == nil {
			skew := 30 * time.Second
			one.ClockSkew = &skew
		}
	}
}

// defaultGroup is whose members may ask where nobody is named. The service is not of it: who may
// ask is not to read its files.
const defaultGroup = "hotcell"

//go:embed serve.schema.json
var schemaText []byte

// Schema is the JSON Schema of the file.
func Schema() []byte { return schemaText }

var loadedSchema = sync.OnceValues(func() (strictyaml.Schema, error) {
	return strictyaml.NewSchema("serve.schema.json", schemaText)
})

// InvalidError is all that is wrong with a file.
type InvalidError struct {
	Path   string
	Faults []strictyaml.Fault
}

// Error lists the faults, one to a line.
func (e *InvalidError) Error() string {
	lines := make([]string, len(e.Faults))
	for index, fault := range e.Faults {
		lines[index] = fault.String()
	}
	return fmt.Sprintf("configuration %s is not valid: %s", e.Path, strings.Join(lines, "\n"))
}

// Load reads a file that only its administrator can have written. Where there is none the error
// wraps fs.ErrNotExist, and what is wrong in it is an *InvalidError.
func Load(path string) (Config, error) {
	data, _, err := durable.ReadTrusted(path, strictyaml.MaxBytes)
	if err != nil {
		return Config{}, fmt.Errorf("read configuration %s: %w", path, err)
	}
	return parse(path, data)
}

func parse(path string, data []byte) (Config, error) {
	schema, err := loadedSchema()
	if err != nil {
		return Config{}, fmt.Errorf("compile schema of configuration: %w", err)
	}
	document, faults := strictyaml.Parse(data)
	if document == nil {
		return Config{}, &InvalidError{path, strictyaml.Listed(faults)}
	}
	faults = append(faults, schema.Faults(document)...)
	var options []yaml.DecodeOption
	if faults == nil {
		options = append(options, yaml.Strict())
	}
	var read Config
	err = yaml.NodeToValue(document, &read, options...)
	switch {
	case err != nil && faults == nil:
		faults = []strictyaml.Fault{strictyaml.FaultOf(err)}
	case err == nil:
		check := checker{config: read.completed(), document: document, said: faults}
		faults = append(faults, check.run()...)
		read = check.config
	}
	if len(faults) > 0 {
		return Config{}, &InvalidError{path, strictyaml.Listed(faults)}
	}
	return read, nil
}
