package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"hotcell/api"
	"hotcell/internal/bundle"
	"hotcell/internal/policy"
	"hotcell/internal/runner"
)

// catalogue is what the principals of a front may name. What cannot be read is left out of
// its lists, with a warning: one damaged file must not hide all others.
type catalogue struct {
	policies *policy.Catalog
	tools    policy.HostTools
	bundles  *bundle.Store
	logger   *slog.Logger
}

// Policies implements engineapi.Catalogue.
func (c catalogue) Policies(context.Context) ([]api.PolicyInfo, error) {
	names, err := c.policies.Names()
	if err != nil {
		return nil, err
	}
	all := []api.PolicyInfo{}
	for _, name := range names {
		found, err := c.policies.Find(name)
		switch {
		case err != nil:
			c.logger.Warn("a policy is left out of a list", "policy", name, "reason", err)
		case found.Policy.Guard.Mode != policy.GuardOff: // no principal may run under such a one
			all = append(all, policyInfo(found))
		}
	}
	return all, nil
}

func policyInfo(found policy.Entry) api.PolicyInfo {
	return api.PolicyInfo{
		Name: found.Policy.Name, Description: found.Policy.Description, SHA256: string(found.Policy.SHA256),
		Sessions: found.Policy.Session != nil, RequiredTables: found.Policy.Guard.RequiredTables,
	}
}

// Policy implements engineapi.Catalogue.
func (c catalogue) Policy(_ context.Context, name string) (api.PolicyInfo, error) {
	found, err := offered(c.policies, name)
	if err != nil {
		return api.PolicyInfo{}, err
	}
	info := policyInfo(found)
	if info.Example, err = c.policies.Example(found); err != nil { // the policy is as good without
		c.logger.Warn("the example of a policy is left out", "policy", name, "reason", err)
	}
	info.Imports, info.Text = slices.Concat([]string{}, found.Policy.Guard.Imports), string(found.Source)
	return info, nil
}

// Bundles implements engineapi.Catalogue.
func (c catalogue) Bundles(ctx context.Context) ([]api.BundleInfo, error) {
	found, err := c.bundles.List(ctx)
	if found == nil {
		return nil, err
	}
	if err != nil {
		c.logger.Warn("a bundle is left out of a list", "reason", err)
	}
	all := []api.BundleInfo{}
	for _, one := range found {
		all = append(all, bundleInfo(one))
	}
	return all, nil
}

func bundleInfo(found bundle.Bundle) api.BundleInfo {
	manifest := found.Manifest
	return api.BundleInfo{
		Name: manifest.Name, Version: manifest.BundleVersion, Digest: found.Digest.String(), Study: manifest.Study,
		ValidUntil: manifest.Deidentification.ValidUntil,
	}
}

// Bundle implements engineapi.Catalogue: shapes, and no row.
func (c catalogue) Bundle(ctx context.Context, reference string) (api.BundleInfo, error) {
	found, err := c.bundles.Lookup(ctx, reference)
	if _, named := errors.AsType[*bundle.FaultError](err); named {
		return api.BundleInfo{}, fmt.Errorf("%w: %w", runner.ErrInput, err)
	}
	if err != nil {
		return api.BundleInfo{}, err
	}
	info := bundleInfo(found)
	info.Tables = []api.TableInfo{}
	for _, file := range found.Manifest.Files {
		if file.Table != "" {
			info.Tables = append(info.Tables, tableInfo(found, file))
		}
	}
	return info, nil
}

func tableInfo(of bundle.Bundle, file bundle.DataFile) api.TableInfo {
	info := api.TableInfo{Name: file.Table, Columns: []api.ColumnInfo{}}
	for _, prepared := range of.Tables {
		if prepared.Table == file.Table {
			info.Rows = prepared.Rows
		}
	}
	if file.Schema == nil {
		return info
	}
	for _, field := range file.Schema.Fields {
		info.Columns = append(info.Columns, api.ColumnInfo{Name: field.Name, Type: string(field.Type)})
	}
	return info
}

// Tools implements engineapi.Catalogue.
func (c catalogue) Tools(context.Context) ([]api.ToolInfo, error) {
	names, err := c.policies.Names()
	if err != nil {
		return nil, err
	}
	all := []api.ToolInfo{}
	for _, name := range names {
		found, err := c.policies.Get(name)
		if err != nil || found.Tools == nil || found.Guard.Mode == policy.GuardOff {
			continue // what cannot be read is told of by Policies
		}
		programs, err := found.Tools.Programs()
		if err != nil {
			return nil, err
		}
		registered, err := c.tools.Of(found)
		if err != nil {
			return nil, err
		}
		for _, one := range append(programs, registered...) {
			all = append(all, api.ToolInfo{Policy: name, Name: one.Name, Schema: one.Schema})
		}
	}
	return all, nil
}
