package client

import (
	"context"
	"net/http"

	"hotcell/api"
)

// Policies are all that requests may name, without their text.
func (c *Client) Policies(ctx context.Context) ([]api.PolicyInfo, error) {
	var list api.PolicyList
	err := c.ask(ctx, c.get("policies"), &list)
	return list.Policies, err
}

// Policy is one, with its text.
func (c *Client) Policy(ctx context.Context, name string) (policy api.PolicyInfo, err error) {
	err = c.ask(ctx, c.get("policies", name), &policy)
	if err == nil && policy.Name != name {
		err = c.malformed("it is about another policy")
	}
	return policy, err
}

// Bundles are all that requests may name, without their tables.
func (c *Client) Bundles(ctx context.Context) ([]api.BundleInfo, error) {
	var list api.BundleList
	err := c.ask(ctx, c.get("bundles"), &list)
	return list.Bundles, err
}

// Bundle is one by its digest, name or name@version, with the shapes of its tables.
func (c *Client) Bundle(ctx context.Context, reference string) (bundle api.BundleInfo, err error) {
	err = c.ask(ctx, c.get("bundles", reference), &bundle)
	if err == nil && reference != bundle.Digest && reference != bundle.Name && reference != bundle.Name+"@"+bundle.Version {
		err = c.malformed("it is about another bundle")
	}
	return bundle, err
}

// Tools are those that policies offer to scripts.
func (c *Client) Tools(ctx context.Context) ([]api.ToolInfo, error) {
	var list api.ToolList
	err := c.ask(ctx, c.get("tools"), &list)
	return list.Tools, err
}

// Host is what the service says of its engine, for who may administer it.
func (c *Client) Host(ctx context.Context) (host api.HostInfo, err error) {
	err = c.ask(ctx, c.get("host"), &host)
	return host, err
}

// Me is as whom the service knows the caller, what they may do, and how much of their quotas is used.
func (c *Client) Me(ctx context.Context) (me api.Me, err error) {
	err = c.ask(ctx, c.get("me"), &me)
	if err == nil && me.Principal == "" {
		err = c.malformed("it does not say who asks")
	}
	return me, err
}

// Version is what answers.
func (c *Client) Version(ctx context.Context) (version api.VersionInfo, err error) {
	err = c.ask(ctx, c.get("version"), &version)
	if err == nil && version.API != "v1" {
		err = c.malformed("it speaks the API %q, and this is a client of v1", version.API)
	}
	return version, err
}

// Ready is nil where the service takes requests.
func (c *Client) Ready(ctx context.Context) error {
	_, err := c.once(ctx, call{method: http.MethodGet, path: []string{"readyz"}, header: anything(), most: maxSmall})
	return err
}
