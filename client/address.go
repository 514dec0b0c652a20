package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// address is where a service listens.
type address struct {
	base   *url.URL // http or https
	name   string
	socket string // its path, or ""
	// loopback says that a connection may lead to this host alone, whatever its name resolves to.
	loopback bool
}

func parseAddress(options Options) (address, error) {
	if options.URL == "" && options.Transport != nil {
		return address{base: &url.URL{Scheme: "http", Host: "hotcell"}, name: "this process"}, nil
	}
	given, err := url.Parse(options.URL)
	if err != nil { // whose text repeats the URL, and the password in it
		return address{}, errors.New("new client: the URL of the service cannot be read: want https://HOST, http://127.0.0.1:PORT or unix:///PATH")
	}
	if given.User != nil || given.RawQuery != "" || given.Fragment != "" {
		return address{}, errors.New("new client: the URL of a service has no user, no ? and no #: a token has a place of its own")
	}
	switch given.Scheme {
	case "unix":
		return socketAddress(given)
	case "https", "http":
		return hostAddress(given, options)
	default:
		return address{}, fmt.Errorf("new client: %q is no URL of a service: want https://HOST, http://127.0.0.1:PORT or unix:///PATH", options.URL)
	}
}

func socketAddress(given *url.URL) (address, error) {
	if given.Host != "" || !filepath.IsAbs(given.Path) {
		return address{}, fmt.Errorf("new client: %q has no absolute path of a socket: want unix:///PATH", given)
	}
	return address{base: &url.URL{Scheme: "http", Host: "hotcell"}, name: given.String(), socket: given.Path}, nil
}

func hostAddress(given *url.URL, options Options) (address, error) {
	if given.Hostname() == "" || strings.Trim(given.Path, "/") != "" {
		return address{}, fmt.Errorf("new client: %q is no URL of a service: want %s://HOST[:PORT], without a path", given, given.Scheme)
	}
	to := address{base: &url.URL{Scheme: given.Scheme, Host: given.Host}}
	to.name = to.base.String()
	if given.Scheme == "https" {
		return to, nil
	}
	if options.TLS != nil {
		return address{}, fmt.Errorf("new client: %s does not use TLS: want https://", to.name)
	}
	to.loopback = options.Token != "" || options.TokenSource != nil
	if to.loopback && !isLoopback(given.Hostname()) {
		return address{}, fmt.Errorf("new client: a token would go to %s in plain text: want https://, or a service of this host", to.name)
	}
	return to, nil
}

// isLoopback takes localhost for this host. What it resolves to is looked at when it is dialled.
func isLoopback(host string) bool {
	if parsed, err := netip.ParseAddr(host); err == nil {
		return parsed.Unmap().IsLoopback()
	}
	return host == "localhost"
}

const (
	dialTime  = 10 * time.Second
	idleConns = 90 * time.Second
)

// transport asks the network.
func (a address) transport(options Options) http.RoundTripper {
	dialer := &net.Dialer{Timeout: dialTime}
	if a.loopback {
		dialer.ControlContext = onlyLoopback
	}
	made := &http.Transport{
		DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSClientConfig: options.TLS.Clone(), TLSHandshakeTimeout: dialTime,
		DisableCompression: true, // what is bounded is what was sent
		IdleConnTimeout:    idleConns, MaxIdleConnsPerHost: 8, MaxResponseHeaderBytes: 64 << 10,
	}
	switch {
	case a.socket != "":
		made.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, "unix", a.socket)
		}
	case !a.loopback:
		made.Proxy = http.ProxyFromEnvironment
	}
	return made
}

// onlyLoopback is asked before each connection, with the address that a name had just now.
func onlyLoopback(_ context.Context, _, to string, _ syscall.RawConn) error {
	found, err := netip.ParseAddrPort(to)
	if err != nil || !found.Addr().Unmap().IsLoopback() {
		return errors.New("the name leads to another host, to which no token goes in plain text")
	}
	return nil
}

// maxToken is above what any JWT has.
const maxToken = 16 << 10

// checkToken holds a token to what a header can carry. The error does not repeat it.
func checkToken(token string) error {
	if token == "" || len(token) > maxToken {
		return fmt.Errorf("the token is empty, or has more than %d bytes", maxToken)
	}
	for _, letter := range []byte(token) {
		if letter <= ' ' || letter > '~' {
			return errors.New("the token has white space, or what is no ASCII: give the token alone")
		}
	}
	return nil
}
