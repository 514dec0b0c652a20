package httpapi

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"hotcell/internal/access"
)

// pages tells requests that a browser may have sent for a page of somebody else's. It is the one
// rule for all paths, those of mounted handlers included.
type pages struct {
	hosts  []string // beside those of loopback, in lower case
	origin *http.CrossOriginProtection
}

func newPages(hosts, origins []string) (pages, error) {
	p := pages{origin: http.NewCrossOriginProtection()}
	for _, one := range hosts {
		p.hosts = append(p.hosts, strings.ToLower(one))
	}
	var faults []error
	for _, one := range origins {
		if err := p.origin.AddTrustedOrigin(one); err != nil {
			faults = append(faults, fmt.Errorf("origin %q: %w", one, err))
		}
	}
	return p, errors.Join(faults...)
}

// check refuses a page of another origin, whatever the method: what runs have printed is not for
// other pages to read, either. A page whose name has been made to lead to this host is of the same
// origin as what it asks (DNS rebinding): on loopback without TLS the name has to be a known one.
func (p pages) check(r *http.Request) error {
	if access.Of(r.Context()).Name != "" { // of a mounted handler, whose own request was looked at
		return nil
	}
	if !p.known(r) {
		return refuse(wordHost, "the service answers here to localhost, 127.0.0.1, [::1], and to `hosts` of its configuration")
	}
	asIfPosted := &http.Request{Method: http.MethodPost, Header: r.Header, Host: r.Host, URL: r.URL}
	if p.origin.Check(asIfPosted) != nil {
		return refuse(wordOrigin, "a page of another origin asks: a program sends no Origin, and `origins` of the configuration has the pages that may")
	}
	return nil
}

// ForPrograms holds a handler that is no path of the Door's, and asks nobody who they are, to the same
// rule: metrics on loopback are for programs of the host, and not for the pages that its users look at.
func (d *Door) ForPrograms(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := d.pages.check(r); err != nil {
			told := problemOf(err)
			http.Error(w, told.detail, told.word.status)
			return
		}
		handler.ServeHTTP(w, r)
	})
}

func (p pages) known(r *http.Request) bool {
	at, tcp := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !tcp || r.TLS != nil || !at.IP.IsLoopback() {
		return true // a browser has no socket of unix, and a certificate has names
	}
	host := strings.ToLower(r.Host)
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.Unmap().IsLoopback() || slices.Contains(p.hosts, host)
}
