package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hotcell/api"
	"hotcell/internal/strictjson"
)

// maxDepth is how deep JSON may be nested: a run's inputs are below two levels of our own.
const maxDepth = 64

// body reads the JSON of a request, which must have the required members. Its bytes have a place
// until the call ends, or what is asked for has been made, and c.held is freed: until then there
// are copies of it.
func (c *call) body(into any, required ...string) error {
	if err := c.isJSON(); err != nil {
		return err
	}
	if c.r.ContentLength > c.door.Limits.BodyBytes {
		return c.tooLarge()
	}
	text, err := c.whole()
	if err != nil {
		return err
	}
	if err := strictjson.CheckValue(text, maxDepth); err != nil {
		return refuse(wordBadRequest, detail(wordBadRequest, err.Error()))
	}
	members := strictjson.Members(text)
	for _, name := range []string{"imports", "tables"} { // each item takes more than it has bytes
		if bytes.Count(members[name], []byte{','}) >= api.MaxListed {
			return refuse(wordBadRequest, fmt.Sprintf("%s has more than %d names", name, api.MaxListed))
		}
	}
	if err := strictjson.Decode(text, len(text), into); err != nil {
		return unlike(text, into, err)
	}
	missing := slices.DeleteFunc(required, func(name string) bool { value, ok := members[name]; return ok && string(value) != "null" })
	if len(missing) > 0 {
		return refuse(wordBadRequest, "the body lacks "+strings.Join(missing, ", "))
	}
	return nil
}

// slowBody is what a body may take before who sent it is asked for again.
const slowBody = time.Second

// isJSON refuses every other media type, and compressed bodies: a few bytes could become
// gigabytes.
func (c *call) isJSON() error {
	given := c.r.Header.Values("Content-Type")
	if len(given) != 1 {
		return refuse(wordMediaType, "there has to be one Content-Type, which is application/json")
	}
	kind, parameters, err := mime.ParseMediaType(given[0])
	charset, other := parameters["charset"]
	if err != nil || kind != "application/json" || other && !strings.EqualFold(charset, "utf-8") {
		return refuse(wordMediaType, "Content-Type has to be application/json, in UTF-8")
	}
	if encoding := c.r.Header.Values("Content-Encoding"); len(encoding) > 0 && !slices.Equal(encoding, []string{"identity"}) {
		return refuse(wordMediaType, "the body has to come as it is, without Content-Encoding")
	}
	return nil
}

// Within what time a body has to come: so much of it within Limits.BodyTime, and one that nobody
// wants, and that net/http reads before it goes on, within this.
const (
	perPiece = 1 << 20
	unwanted = time.Second
)

// deadlines replaces those of the connection's last request. A body is nobody's until hold gives it
// the time of one; net/http ends it with the body.
func (c *call) deadlines() error {
	if err := c.w.control.SetWriteDeadline(time.Now().Add(c.w.each)); err != nil {
		return fmt.Errorf("bound the time of a write: %w", err)
	}
	if c.r.ContentLength == 0 {
		return nil
	}
	return c.bodyWithin(unwanted)
}

func (c *call) bodyWithin(most time.Duration) error {
	if err := c.w.control.SetReadDeadline(time.Now().Add(most)); err != nil {
		return fmt.Errorf("bound the time of a body: %w", err)
	}
	return nil
}

// whole reads the body, asks again for who has sent it where that took long, and takes a place among
// requests then: what is only announced holds none.
func (c *call) whole() ([]byte, error) {
	from, err := c.hold()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	text, err := c.read(from)
	if err != nil {
		return nil, err
	}
	if time.Since(began) > slowBody { // who asks may have been turned out meanwhile
		err = c.standing.ask()
	}
	if err = errors.Join(c.fallen(), err); err != nil {
		return nil, err
	}
	return text, c.enter()
}

// read reads a body.
func (c *call) read(from *heldBody) ([]byte, error) {
	var text bytes.Buffer // which grows with what has come, not with what somebody says will
	_, err := text.ReadFrom(from)
	if err == nil {
		return text.Bytes(), nil
	}
	c.w.Header().Set("Connection", "close")
	if from.refused {
		return nil, busy("bodies")
	}
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, c.tooLarge()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, refuse(wordSlowBody, "the body has to come faster")
	}
	return nil, refuse(wordBadRequest, "the body ended before its end")
}

func (c *call) tooLarge() error {
	c.w.Header().Set("Connection", "close") // the rest of it is nothing to wait for
	return refuse(wordTooLarge, "the body has to be smaller, or the administrator of the service to take more (limits.body_bytes)")
}

// hasOnly refuses what a route does not know: a parameter that is passed over is a filter
// that did not hold, and a body that is, a limit.
func (c *call) hasOnly(one route) error {
	if one.foreign {
		return nil
	}
	if !one.body && c.r.ContentLength != 0 {
		return refuse(wordBadRequest, "this request has no body")
	}
	given, err := url.ParseQuery(c.r.URL.RawQuery)
	if err != nil {
		return refuse(wordBadRequest, "the query is not one")
	}
	for name, values := range given {
		if !slices.Contains(one.query, name) {
			return refuse(wordBadRequest, "a parameter of the query is unknown"+known(one.query))
		}
		if len(values) != 1 {
			return refuse(wordBadRequest, "the parameter "+name+" is there twice")
		}
	}
	return nil
}

// known lists the parameters that a route has.
func known(names []string) string {
	if len(names) == 0 {
		return ": this request has none"
	}
	return ": there are " + strings.Join(names, ", ")
}

// maxPath is of a path as it is sent.
const maxPath = 4096

// plain reports whether a path is one that has one reading: nothing to be cleaned or decoded
// once more, no separators of other systems, nothing that does not print.
func plain(address *url.URL) bool {
	sent := strings.ToLower(address.EscapedPath())
	if len(sent) > maxPath || strings.Contains(sent, "%2f") || strings.Contains(sent, "%5c") || !strings.HasPrefix(sent, "/") {
		return false
	}
	path := address.Path
	if !utf8.ValidString(path) || strings.ContainsRune(path, '\\') || strings.ContainsFunc(path, unicode.IsControl) {
		return false
	}
	for element := range strings.SplitSeq(path[1:], "/") {
		if element == "" && path != "/" || element == "." || element == ".." {
			return false
		}
	}
	return true
}
