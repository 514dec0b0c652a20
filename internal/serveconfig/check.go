package serveconfig

import (
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"hotcell/internal/access/openid"
	"hotcell/internal/strictyaml"
)

// checker finds what the schema cannot say: what contradicts itself, what would be of no effect,
// and what would be open to others.
type checker struct {
	config   Config
	document ast.Node
	said     []strictyaml.Fault // by the schema
	faults   []strictyaml.Fault
}

// add tells a fault, unless the schema has told of the same place.
func (c *checker) add(at strictyaml.Place, format string, args ...any) {
	if slices.ContainsFunc(c.said, func(one strictyaml.Fault) bool { return strings.HasPrefix(one.Message, at.String()+": ") }) {
		return
	}
	message := fmt.Sprintf("%s: %s", at, fmt.Sprintf(format, args...))
	c.faults = append(c.faults, strictyaml.Fault{Line: strictyaml.LineOf(c.document, at), Message: message})
}

func (c *checker) run() []strictyaml.Fault {
	seen := map[string]bool{}
	for index, one := range c.config.Listen {
		at := strictyaml.Place{"listen", strconv.Itoa(index)}
		c.listen(at, one, seen)
		c.known(at, one)
	}
	if metrics := c.config.Metrics; metrics != nil {
		at := strictyaml.Place{"metrics", "listen"}
		c.listen(at, metrics.Listen, seen)
		if open(metrics.Listen.TCP) {
			c.add(append(at, "tcp"), "metrics are shown to whoever connects: listen on loopback (127.0.0.1:9464), or on a unix socket")
		}
	}
	c.paths()
	c.pages()
	c.certificates()
	c.providers()
	c.quotas()
	if c.config.Sessions.Idle > c.config.Sessions.Total {
		c.add(strictyaml.Place{"sessions", "idle"}, "%s is longer than the whole session, sessions.total of %s", c.config.Sessions.Idle, c.config.Sessions.Total)
	}
	return c.faults
}

// listen wants one socket or one address, with what belongs to it.
func (c *checker) listen(at strictyaml.Place, one Listen, seen map[string]bool) {
	switch {
	case (one.Unix == "") == (one.TCP == ""):
		c.add(at, "name one of unix (a socket's path) and tcp (an address and a port)")
		return
	case seen[one.String()]:
		c.add(at, "it listens at %s twice", one)
	case one.Unix != "" && one.TLS != nil:
		c.add(append(at, "tls"), "a unix socket has none: the kernel says who is at the other end")
	case one.TCP != "" && (one.Mode != "" || one.Group != ""):
		c.add(at, "mode and group are of a unix socket: leave them out")
	}
	seen[one.String()] = true
	if one.Unix != "" {
		c.path(append(at, "unix"), one.Unix)
		c.notInData(append(at, "unix"), one.Unix)
		const most = 107
		if len(one.Unix) > most {
			c.add(append(at, "unix"), "it has more than the %d bytes that the kernel takes", most)
		}
		return
	}
	if _, err := netip.ParseAddrPort(one.TCP); err != nil {
		c.add(append(at, "tcp"), "it is no address with a port: want for example 127.0.0.1:8443 or [::]:8443")
	}
}

// known refuses what could be overheard, and where nobody could say who they are.
func (c *checker) known(at strictyaml.Place, one Listen) {
	if one.TCP == "" {
		return
	}
	if one.TLS == nil && open(one.TCP) {
		c.add(append(at, "tcp"), "tokens and data would cross the network in the clear: give it tls (certificate and key), or listen on 127.0.0.1 or ::1")
	}
	by := c.config.Authentication
	certificates := by.Certificates != nil && one.TLS != nil && one.TLS.ClientCA != ""
	if by.Tokens == nil && by.OIDC == nil && !certificates {
		c.add(append(at, "tcp"), "nobody could say who they are there: set authentication.tokens, authentication.oidc, or authentication.certificates with tls.client_ca here")
	}
	if one.TLS != nil {
		for key, path := range map[string]string{"certificate": one.TLS.Certificate, "key": one.TLS.Key, "client_ca": one.TLS.ClientCA} {
			if path != "" {
				c.path(append(at, "tls", key), path)
			}
		}
	}
}

// open reports whether other hosts can connect to an address. One that is none is told as that.
func open(address string) bool {
	parsed, err := netip.ParseAddrPort(address)
	return err == nil && !parsed.Addr().Unmap().IsLoopback()
}

func (c *checker) paths() {
	c.path(strictyaml.Place{"engine"}, c.config.Engine)
	c.notInData(strictyaml.Place{"engine"}, c.config.Engine)
	c.path(strictyaml.Place{"data"}, c.config.Data)
	if tokens := c.config.Authentication.Tokens; tokens != nil {
		c.path(strictyaml.Place{"authentication", "tokens", "file"}, tokens.File)
	}
}

// pages wants names that are asked for, and origins that a browser sends.
func (c *checker) pages() {
	plain := func(one Listen) bool { return one.TCP != "" && one.TLS == nil }
	if len(c.config.Hosts) > 0 && !slices.ContainsFunc(c.config.Listen, plain) {
		c.add(strictyaml.Place{"hosts"}, "only a TCP address without tls is asked by a name that is looked at: leave it out")
	}
	for index, origin := range c.config.Origins {
		if err := http.NewCrossOriginProtection().AddTrustedOrigin(origin); err != nil {
			c.add(strictyaml.Place{"origins", strconv.Itoa(index)}, "it is no origin: want for example https://tools.example.org")
		}
	}
}

// path wants one that says where it leads.
func (c *checker) path(at strictyaml.Place, path string) {
	if clean := filepath.Clean(path); !filepath.IsAbs(path) || clean != path {
		c.add(at, "write it as an absolute path without detours: %s", clean)
	}
}

// notInData refuses a socket in the directory that the service closes to all others: nobody could
// connect.
func (c *checker) notInData(at strictyaml.Place, socket string) {
	if data := c.config.Data; strings.HasPrefix(socket, strings.TrimSuffix(data, "/")+"/") {
		c.add(at, "it is in the service's own directory (data: %s), which nobody else may enter: name another directory here, or there", data)
	}
}

// quotas refuses those by which one principal could have all that there is, or never what a
// request may be.
func (c *checker) quotas() {
	limits, most := c.config.Limits, c.config.Sessions.Most
	check := func(at strictyaml.Place, quota Quota) {
		if quota.QueuedBytes < limits.BodyBytes {
			c.add(append(at, "queued_bytes"), "it is less than one request may have, limits.body_bytes of %d", limits.BodyBytes)
		}
		if most > 1 && quota.Sessions >= most {
			c.add(append(at, "sessions"), "one principal could have all %d sessions (sessions.most): want less", most)
		}
	}
	check(strictyaml.Place{"quotas", "default"}, c.config.Quotas.Default)
	for _, name := range slices.Sorted(maps.Keys(c.config.Quotas.Principals)) {
		if own := c.config.Quotas.Principals[name]; own.QueuedBytes != 0 || own.Sessions != 0 { // else the default's, of which that was said
			check(strictyaml.Place{"quotas", "principals", name}, c.config.Quotas.For(name))
		}
	}
	if limits.QueueBytes < limits.BodyBytes {
		c.add(strictyaml.Place{"limits", "queue_bytes"}, "it is less than one request may have, limits.body_bytes of %d", limits.BodyBytes)
	}
}

func (c *checker) certificates() {
	if c.config.Authentication.Certificates == nil {
		return
	}
	for _, one := range c.config.Listen {
		if one.TLS != nil && one.TLS.ClientCA != "" {
			return
		}
	}
	c.add(strictyaml.Place{"authentication", "certificates"}, "no listener asks for one: set tls.client_ca where they are to connect")
}

func (c *checker) providers() {
	seen := map[string]bool{}
	for index, one := range c.config.Authentication.OIDC {
		at := strictyaml.Place{"authentication", "oidc", strconv.Itoa(index)}
		if seen[one.Issuer] {
			c.add(append(at, "issuer"), "it stands twice: whose rules are to hold?")
		}
		seen[one.Issuer] = true
		if !openid.Trusted(one.Issuer) {
			c.add(append(at, "issuer"), "its keys would come over the network in the clear, or it is no plain URL: want https (http to a loopback address), and no ?, # or .. in it")
		}
		if one.ClockSkew != nil && *one.ClockSkew > time.Minute {
			c.add(append(at, "clock_skew"), "%s is more than 60s: set the clocks instead (chrony, systemd-timesyncd)", *one.ClockSkew)
		}
	}
}
