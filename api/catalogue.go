package api

import (
	"encoding/json"
	"time"
)

// PolicyInfo is what a service says of one of its policies.
type PolicyInfo struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	SHA256      string `json:"sha256"`
	Sessions    bool   `json:"sessions"`
	// RequiredTables are those that a run's bundle must have. Without them each is refused.
	RequiredTables []string `json:"required_tables,omitzero"`
	// Imports is every module that scripts may import. Lists leave it out.
	Imports []string `json:"imports,omitzero"`
	// Text is the policy's own YAML. Lists leave it out.
	Text string `json:"text,omitzero"`
	// Example is a script that the policy accepts, where there is one. Lists leave it out.
	Example string `json:"example,omitzero"`
}

// PolicyList is all of them, by name.
type PolicyList struct {
	Policies []PolicyInfo `json:"policies"`
}

// BundleInfo is what a service says of a bundle: shapes, and never rows.
type BundleInfo struct {
	Name       string      `json:"name"`
	Version    string      `json:"version"`
	Digest     string      `json:"digest"`
	Study      string      `json:"study"`
	ValidUntil string      `json:"valid_until,omitzero"` // YYYY-MM-DD
	Tables     []TableInfo `json:"tables,omitzero"`      // lists leave them out
}

// TableInfo is one table of a bundle.
type TableInfo struct {
	Name    string       `json:"name"`
	Rows    int64        `json:"rows"`
	Columns []ColumnInfo `json:"columns"`
}

// ColumnInfo is one column.
type ColumnInfo struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// BundleList is all of them, by name and version.
type BundleList struct {
	Bundles []BundleInfo `json:"bundles"`
}

// ToolInfo is a tool that a policy offers to scripts.
type ToolInfo struct {
	Policy string          `json:"policy"`
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema,omitzero"`
}

// ToolList is all of them.
type ToolList struct {
	Tools []ToolInfo `json:"tools"`
}

// FileInfo is a released file of a run.
type FileInfo struct {
	Path      string `json:"path"`
	Bytes     int64  `json:"bytes"`
	SHA256    string `json:"sha256"`
	MediaType string `json:"media_type"`
	Role      string `json:"role"`
}

// FileList is all of a run's.
type FileList struct {
	Files []FileInfo `json:"files"`
}

// VersionInfo is what answers.
type VersionInfo struct {
	Version   string    `json:"version"`
	API       string    `json:"api"` // v1
	Engine    string    `json:"engine"`
	StartedAt time.Time `json:"started_at"`
}

// Load is what a service does just now.
type Load struct {
	Draining  bool  `json:"draining"`         // it ends, and takes no new request
	Answers   bool  `json:"engine_answers"`   // its engine does
	Queued    int   `json:"queued"`           // runs that have not begun
	OldestMS  int64 `json:"oldest_queued_ms"` // how long the first of them has waited
	Running   int   `json:"running"`
	Sessions  int   `json:"sessions"`  // open ones
	Followers int   `json:"followers"` // of events
}

// EngineInfo is what an engine process does just now, for all who ask it.
type EngineInfo struct {
	Version        string `json:"version"`
	Engine         string `json:"engine"` // oci or docker
	Places         int    `json:"places"` // how many runs there may be at a time
	Running        int    `json:"running"`
	Waiting        int    `json:"waiting"`
	Draining       bool   `json:"draining"`
	RemovalsFailed int64  `json:"removals_failed"`
}

// HostInfo is a service and its engine, for administrators.
type HostInfo struct {
	Service Load        `json:"service"`
	Engine  *EngineInfo `json:"engine,omitempty"` // where it answers
}

// Me is a principal, as a service sees it.
type Me struct {
	Principal string     `json:"principal"`
	Scopes    []string   `json:"scopes"`
	Quotas    []QuotaUse `json:"quotas"`
}

// QuotaUse is how much of a quota is used just now.
type QuotaUse struct {
	Quota string `json:"quota"`          // as the configuration calls it
	Limit int64  `json:"limit,omitzero"` // absent where it is without bound
	Used  int64  `json:"used"`
}
