package httpapi

import "hotcell/internal/access"

// routes are all ways to ask. What answers for GET answers for HEAD. api/openapi.yaml has the
// same ones.
func routes() []route {
	runs, follows := []access.Scope{access.ScopeRun}, []access.Scope{access.ScopeRun, access.ScopeRecords}
	records, checks := []access.Scope{access.ScopeRecords}, []access.Scope{access.ScopeCheck, access.ScopeRun}
	bundles, hosts := []access.Scope{access.ScopeBundles}, []access.Scope{access.ScopeAdmin}
	after, pages := []string{"after"}, []string{"status", "policy", "since", "limit", "cursor"}
	return []route{
		{pattern: "POST /v1/runs", scopes: runs, body: true, answer: (*call).createRun},
		{pattern: "GET /v1/runs", scopes: follows, query: pages, answer: (*call).listRuns},
		{pattern: "GET /v1/runs/{id}", scopes: follows, answer: (*call).getRun},
		{pattern: "POST /v1/runs/{id}/cancel", scopes: runs, answer: (*call).cancelRun},
		{pattern: "GET /v1/runs/{id}/events", scopes: follows, query: after, answer: (*call).runEvents},
		{pattern: "GET /v1/runs/{id}/files", scopes: records, answer: (*call).listFiles},
		{pattern: "GET /v1/runs/{id}/files/{path...}", scopes: records, answer: (*call).getFile},
		{pattern: "GET /v1/runs/{id}/record", scopes: records, answer: (*call).getRecord},
		{pattern: "GET /v1/runs/{id}/attestation", scopes: records, answer: (*call).getAttestation},
		{pattern: "POST /v1/checks", scopes: checks, body: true, answer: (*call).check},
		{pattern: "POST /v1/sessions", scopes: runs, body: true, answer: (*call).openSession},
		{pattern: "GET /v1/sessions", scopes: follows, query: []string{"status", "limit", "cursor"}, answer: (*call).listSessions},
		{pattern: "GET /v1/sessions/{id}", scopes: follows, answer: (*call).getSession},
		{pattern: "DELETE /v1/sessions/{id}", scopes: runs, answer: (*call).closeSession},
		{pattern: "POST /v1/sessions/{id}/steps", scopes: runs, body: true, answer: (*call).createStep},
		{pattern: "GET /v1/sessions/{id}/steps/{number}", scopes: follows, answer: (*call).getStep},
		{pattern: "POST /v1/sessions/{id}/cancel", scopes: runs, answer: (*call).cancelStep},
		{pattern: "GET /v1/sessions/{id}/events", scopes: follows, query: after, answer: (*call).sessionEvents},
		{pattern: "GET /v1/policies", answer: (*call).listPolicies},
		{pattern: "GET /v1/policies/{name}", answer: (*call).getPolicy},
		{pattern: "GET /v1/bundles", scopes: bundles, answer: (*call).listBundles},
		{pattern: "GET /v1/bundles/{reference}", scopes: bundles, answer: (*call).getBundle},
		{pattern: "GET /v1/tools", answer: (*call).listTools},
		{pattern: "GET /v1/host", scopes: hosts, answer: (*call).getHost},
		{pattern: "GET /v1/openapi.json", answer: (*call).getDocument},
		{pattern: "GET /v1/me", answer: (*call).getMe},
		{pattern: "GET /v1/version", answer: (*call).getVersion},
		{pattern: "GET /livez", open: true, answer: (*call).lives},
		{pattern: "GET /readyz", open: true, answer: (*call).ready},
	}
}
