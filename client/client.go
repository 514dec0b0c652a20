package client

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"net/url"
	"time"
)

// TokenSource gives the token of each request anew, for tokens that expire.
type TokenSource func(ctx context.Context) (string, error)

// Options say which service is asked, and who asks.
type Options struct {
	// URL is https://HOST[:PORT], http:// of the same, or unix:///PATH of a socket. It may be ""
	// with a Transport of InProcess.
	URL string
	// Token is sent with each request; TokenSource is asked for one instead. Neither goes to
	// another host in plain text: New refuses them.
	Token       string
	TokenSource TokenSource
	// TLS is for https: a client's certificate, roots of one's own. nil is the host's roots.
	TLS *tls.Config
	// Transport is asked instead of the network: see InProcess.
	Transport http.RoundTripper
	// UserAgent is told to the service; "" for hotcell-client.
	UserAgent string
	// Patience is how long a service may be away, or busy, before that is an error; 0 for two
	// minutes. A service is not away while it says that it is there.
	Patience time.Duration
	// Waiting is told why something is asked again, and after how long. It may be nil, and may be
	// called from any goroutine that calls the Client.
	Waiting func(why error, pause time.Duration)
}

// Client asks one service. Its methods may be called concurrently.
type Client struct {
	base      *url.URL
	name      string // of the service, for people
	http      *http.Client
	token     TokenSource // or nil
	userAgent string
	patience  time.Duration
	waiting   func(error, time.Duration)
	most      int64 // bytes of an answer with a result
}

const (
	defaultPatience = 2 * time.Minute
	// maxResult is above the largest answer: a report of 64 MiB, which the result may have, and
	// what the code has printed beside it.
	maxResult = 256 << 20
	// maxSmall is of every other answer.
	maxSmall = 16 << 20
)

// New checks the options. It asks nobody.
func New(options Options) (*Client, error) {
	to, err := parseAddress(options)
	if err != nil {
		return nil, err
	}
	if options.Token != "" && options.TokenSource != nil {
		return nil, errors.New("new client: give a token or a source of tokens, not both")
	}
	if options.Patience < 0 {
		return nil, errors.New("new client: patience is negative")
	}
	c := &Client{
		base: to.base, name: to.name, token: options.TokenSource, userAgent: cmp.Or(options.UserAgent, "hotcell-client"),
		patience: cmp.Or(options.Patience, defaultPatience), waiting: options.Waiting, most: maxResult,
	}
	if options.Token != "" {
		if err := checkToken(options.Token); err != nil {
			return nil, err
		}
		c.token = func(context.Context) (string, error) { return options.Token, nil }
	}
	if c.waiting == nil {
		c.waiting = func(error, time.Duration) {}
	}
	c.http = &http.Client{
		Transport: options.Transport,
		// Who is sent elsewhere would take the token along, or the code.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if options.Transport == nil {
		c.http.Transport = to.transport(options)
	}
	return c, nil
}

// Name is the address of the service, as people write it.
func (c *Client) Name() string { return c.name }

// Close ends connections that nobody uses.
func (c *Client) Close() { c.http.CloseIdleConnections() }
