package mcpserver

import (
	"context"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hotcell/api"
)

// How much of the catalogue an answer has.
const (
	maxPolicies   = 100
	maxBundles    = 200
	maxImports    = 500
	maxTables     = 100
	maxColumns    = 1_000 // of all tables together
	maxPolicyText = 32 << 10
	maxExample    = 8 << 10
)

func (s *Server) addCatalogueTools() {
	addTool(s, tool{
		name: "list_policies", title: "List policies", reads: true, output: schemaOf[policiesAnswer](),
		description: "List the policies by which code may be run: what each is for, and whether it has sessions.",
	}, listPolicies)
	addTool(s, tool{
		name: "describe_policy", title: "Describe a policy", reads: true, output: schemaOf[policyAnswer](),
		description: "Tell what a policy allows: a script that it accepts, to begin from, the modules that a script may import, and its own text with all limits and what its output may look like.",
	}, describePolicy)
	addTool(s, tool{
		name: "list_bundles", title: "List bundles", reads: true, output: schemaOf[bundlesAnswer](),
		description: "List the bundles of de-identified data that runs can be given.",
	}, listBundles)
	addTool(s, tool{
		name: "bundle_describe", title: "Describe a bundle", reads: true, output: schemaOf[bundleAnswer](),
		description: "Tell what a bundle has: its tables, how many rows they have, and the names and types of their columns. Never rows.",
	}, describeBundle)
}

type policyLine struct {
	Name        said `json:"name"`
	Description said `json:"description"`
	Sessions    bool `json:"sessions"`
}

type policiesAnswer struct {
	noted
	Policies      []policyLine `json:"policies" jsonschema:"at most 100 of them"`
	PoliciesTotal int          `json:"policies_total"`
}

func listPolicies(ctx context.Context, c *call, _ noArguments) (*mcp.CallToolResult, error) {
	list, err := c.policies(ctx)
	if err != nil {
		return nil, err
	}
	answer := policiesAnswer{noted: noted{catalogueNote}, Policies: []policyLine{}, PoliciesTotal: len(list)}
	for _, p := range list[:min(len(list), maxPolicies)] {
		answer.Policies = append(answer.Policies, policyLine{saidShort(p.Name, maxName), saidShort(p.Description, maxDetail), p.Sessions})
	}
	return structured(answer)
}

type policyAnswer struct {
	noted
	Name         said   `json:"name"`
	Description  said   `json:"description"`
	SHA256       string `json:"sha256"`
	Sessions     bool   `json:"sessions"`
	Example      said   `json:"example,omitzero" jsonschema:"a script that the policy accepts"`
	Imports      []said `json:"imports" jsonschema:"at most 500 of them"`
	ImportsTotal int    `json:"imports_total"`
	Text         said   `json:"text" jsonschema:"the policy itself, as YAML"`
	TextLeftOut  int    `json:"text_left_out" jsonschema:"bytes of the text that are not there"`
}

func describePolicy(ctx context.Context, c *call, in policyArguments) (*mcp.CallToolResult, error) {
	found, err := c.backend.Policy(ctx, c.server.ask(in.Policy, "", "").Policy)
	if err != nil {
		return nil, err
	}
	text, left := cut(clean(found.Text), maxPolicyText)
	answer := policyAnswer{
		noted: noted{catalogueNote}, Name: saidShort(found.Name, maxName), Description: saidShort(found.Description, maxDetail), SHA256: found.SHA256,
		Sessions: found.Sessions, Example: saidShort(found.Example, maxExample), Imports: []said{}, ImportsTotal: len(found.Imports), Text: said(text), TextLeftOut: left,
	}
	for _, module := range found.Imports[:min(len(found.Imports), maxImports)] {
		answer.Imports = append(answer.Imports, saidShort(module, maxName))
	}
	return structured(answer)
}

type bundleLine struct {
	Name       said   `json:"name"`
	Version    said   `json:"version"`
	Digest     string `json:"digest"`
	Study      said   `json:"study"`
	ValidUntil string `json:"valid_until,omitzero"`
}

func lineOf(b api.BundleInfo) bundleLine {
	return bundleLine{saidShort(b.Name, maxName), saidShort(b.Version, maxName), b.Digest, saidShort(b.Study, maxName), b.ValidUntil}
}

type bundlesAnswer struct {
	noted
	Bundles      []bundleLine `json:"bundles" jsonschema:"at most 200 of them"`
	BundlesTotal int          `json:"bundles_total"`
}

func listBundles(ctx context.Context, c *call, _ noArguments) (*mcp.CallToolResult, error) {
	list, err := c.bundles(ctx)
	if err != nil {
		return nil, err
	}
	answer := bundlesAnswer{noted: noted{catalogueNote}, Bundles: []bundleLine{}, BundlesTotal: len(list)}
	for _, b := range list[:min(len(list), maxBundles)] {
		answer.Bundles = append(answer.Bundles, lineOf(b))
	}
	return structured(answer)
}

type column struct {
	Name said `json:"name"`
	Type said `json:"type"`
}

type table struct {
	Name         said     `json:"name"`
	Rows         int64    `json:"rows"`
	Columns      []column `json:"columns"`
	ColumnsTotal int      `json:"columns_total"`
}

type bundleAnswer struct {
	noted
	Bundle      bundleLine `json:"bundle"`
	Tables      []table    `json:"tables" jsonschema:"at most 100 of them, and 1000 columns of all together"`
	TablesTotal int        `json:"tables_total"`
}

func describeBundle(ctx context.Context, c *call, in bundleArguments) (*mcp.CallToolResult, error) {
	reference := c.server.ask("", in.Bundle, "").Bundle
	if reference == "" {
		return nil, refused("runs have no bundle here")
	}
	found, err := c.backend.Bundle(ctx, reference)
	if err != nil {
		return nil, err
	}
	tables := c.server.visible(found.Tables)
	answer := bundleAnswer{noted: noted{catalogueNote}, Bundle: lineOf(found), Tables: []table{}, TablesTotal: len(tables)}
	left := maxColumns
	for _, t := range tables[:min(len(tables), maxTables)] {
		told := table{Name: saidShort(t.Name, maxName), Rows: t.Rows, Columns: []column{}, ColumnsTotal: len(t.Columns)}
		for _, of := range t.Columns[:min(len(t.Columns), left)] {
			told.Columns = append(told.Columns, column{saidShort(of.Name, maxName), saidShort(of.Type, maxName)})
		}
		left -= len(told.Columns)
		answer.Tables = append(answer.Tables, told)
	}
	return structured(answer)
}

// policies are those that the caller can choose, or the one that is pinned.
func (c *call) policies(ctx context.Context) ([]api.PolicyInfo, error) {
	pinned := c.server.options.Pin.Policy
	if pinned == "" {
		return c.backend.Policies(ctx)
	}
	only, err := c.backend.Policy(ctx, pinned)
	return []api.PolicyInfo{only}, err
}

// bundles are as policies.
func (c *call) bundles(ctx context.Context) ([]api.BundleInfo, error) {
	switch pin := c.server.options.Pin; {
	case pin.Policy == "":
		return c.backend.Bundles(ctx)
	case pin.Bundle == "":
		return nil, nil
	default:
		only, err := c.backend.Bundle(ctx, pin.Bundle)
		return []api.BundleInfo{only}, err
	}
}

// visible are the tables that runs are given.
func (s *Server) visible(tables []api.TableInfo) []api.TableInfo {
	if s.options.Pin.Tables == nil {
		return tables
	}
	return slices.DeleteFunc(slices.Clone(tables), func(t api.TableInfo) bool { return !slices.Contains(s.options.Pin.Tables, t.Name) })
}
