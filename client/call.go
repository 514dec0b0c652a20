package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"hotcell/api"
	"hotcell/internal/strictjson"
)

// call is one request.
type call struct {
	method string
	path   []string // of the URL, unescaped
	query  url.Values
	header http.Header
	body   any           // becomes JSON; nil for none
	wait   time.Duration // how long the service may wait before it answers
	most   int64         // bytes of the answer
	// repeat asks again when an answer was lost: nothing is done twice by it.
	repeat bool
	// linger lets an answer come that is on its way when the caller's context ends.
	linger time.Duration
}

// answerTime is how long an answer may take, besides what it may wait.
const answerTime = 30 * time.Second

// answer is what was said to a call.
type answer struct {
	status int
	body   []byte
}

// ask sends a call until it has an answer that stays, and reads it into a pointer, or not at all
// for nil.
func (c *Client) ask(ctx context.Context, call call, into any) error {
	got, err := c.insist(ctx, call)
	if err != nil || into == nil {
		return err
	}
	// A newer service may say more than is known here: that is no fault of its answer. What is
	// known has to be right all the same.
	if err := strictjson.DecodeKnown(got.body, len(got.body), into); err != nil {
		return &AnswerError{c.name, err}
	}
	return nil
}

// insist repeats a call where that does nothing twice.
func (c *Client) insist(ctx context.Context, call call) (answer, error) {
	retry, lost := c.retry(), false
	for {
		if ctx.Err() != nil {
			return answer{}, context.Cause(ctx)
		}
		got, err := c.once(ctx, call)
		if err == nil {
			return got, nil
		}
		after, again := busy(err), false
		switch {
		case after > 0:
			again = true
		case call.repeat && (isLost(err) || lost && isInFlight(err)): // else somebody else has the key
			after, again, lost = retry.backoff(), true, true
		}
		if !again || !retry.pause(ctx, err, after) {
			return answer{}, c.ended(ctx, err)
		}
	}
}

// ended prefers what the caller has done to what came of it.
func (c *Client) ended(ctx context.Context, err error) error {
	if ctx.Err() != nil && isLost(err) {
		return context.Cause(ctx)
	}
	return err
}

// once sends a call, and reads the answer to its end.
func (c *Client) once(ctx context.Context, call call) (answer, error) {
	ctx, stop := lingering(ctx, call.linger)
	defer stop()
	ctx, cancel := context.WithTimeoutCause(ctx, call.wait+answerTime, errSlow)
	defer cancel()
	response, err := c.send(ctx, call)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, call.most+1))
	switch {
	case err != nil:
		return answer{}, c.lost(ctx, err)
	case int64(len(body)) > call.most:
		return answer{}, c.malformed("it has more than %d bytes", call.most)
	}
	return answer{response.StatusCode, body}, nil
}

// lingering is a context that ends a while after another.
func lingering(ctx context.Context, while time.Duration) (context.Context, func()) {
	if while == 0 {
		return ctx, func() {}
	}
	longer, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		clock := time.AfterFunc(while, func() { cancel(context.Cause(ctx)) })
		context.AfterFunc(longer, func() { clock.Stop() })
	})
	return longer, func() { stop(); cancel(nil) }
}

// send returns the response to a call that was not refused. Its body is the caller's to close.
func (c *Client) send(ctx context.Context, call call) (*http.Response, error) {
	request, err := c.request(ctx, call)
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, c.lost(ctx, err)
	}
	if response.StatusCode >= 200 && response.StatusCode < 300 {
		want := request.Header.Get("Accept")
		if want == "*/*" || response.StatusCode == http.StatusNoContent || mediaType(response) == want {
			return response, nil
		}
		return nil, errors.Join(c.malformed("it is no %s: is it the address of a service (runner serve)?", want), response.Body.Close())
	}
	defer response.Body.Close()
	return nil, c.refusal(ctx, response)
}

func mediaType(response *http.Response) string {
	media, _, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return media
}

// request makes a call's.
func (c *Client) request(ctx context.Context, call call) (*http.Request, error) {
	to := *c.base
	for _, part := range call.path {
		to.Path += "/" + part
		to.RawPath += "/" + url.PathEscape(part)
	}
	to.RawQuery = call.query.Encode()
	var body io.Reader
	if call.body != nil {
		encoded, err := strictjson.Encode(call.body)
		if err != nil {
			return nil, fmt.Errorf("write request: %w", err)
		}
		body = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, call.method, to.String(), body)
	if err != nil {
		return nil, fmt.Errorf("make request: %w", err)
	}
	if call.header != nil {
		request.Header = call.header.Clone()
	}
	setDefault(request.Header, "Accept", "application/json")
	request.Header.Set("Accept-Encoding", "identity")
	request.Header.Set("User-Agent", c.userAgent)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if call.wait > 0 {
		request.Header.Set("Prefer", fmt.Sprintf("wait=%d", int(call.wait.Seconds())))
	}
	return request, c.authorise(request)
}

func setDefault(header http.Header, name, value string) {
	if header.Get(name) == "" {
		header.Set(name, value)
	}
}

// authorise adds the token.
func (c *Client) authorise(request *http.Request) error {
	if c.token == nil {
		return nil
	}
	token, err := c.token(request.Context())
	if err != nil {
		return fmt.Errorf("get the token for %s: %w", c.name, err)
	}
	if err := checkToken(token); err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	return nil
}

// lost words why there is no answer. The library's error repeats the URL.
func (c *Client) lost(ctx context.Context, err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if errors.Is(err, fs.ErrPermission) {
		return &ForbiddenError{c.name}
	}
	return &TransportError{c.name, err}
}

const maxProblem = 1 << 20

// wantsTLS is what Go's server of TLS says to who has none.
const wantsTLS = "sent an HTTP request to an HTTPS server"

// refusal reads an answer that is an error.
func (c *Client) refusal(ctx context.Context, response *http.Response) error {
	other := &StatusError{Service: c.name, Status: response.StatusCode}
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err == nil && seconds > 0 && seconds < maxRetryAfter {
		other.RetryAfter = time.Duration(seconds) * time.Second
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxProblem+1))
	if err != nil {
		return c.lost(ctx, err)
	}
	if mediaType(response) != "application/problem+json" {
		other.TLS = response.StatusCode == http.StatusBadRequest && strings.Contains(string(body), wantsTLS)
		return other
	}
	problem := &api.Problem{}
	if err := strictjson.DecodeKnown(body, maxProblem, problem); err != nil || problem.Title == "" {
		return other
	}
	problem.Status, problem.RetryAfter = response.StatusCode, int(other.RetryAfter/time.Second)
	return problem
}

// maxRetryAfter is a week, in seconds: nobody waits for it, and it is told.
const maxRetryAfter = 7 * 24 * 3600

// retry is when something is asked again, and for how long.
type retry struct {
	client *Client
	since  time.Time // the service was heard last
	next   time.Duration
}

const firstPause, longestPause = 250 * time.Millisecond, 8 * time.Second

func (c *Client) retry() *retry { return &retry{client: c, since: time.Now(), next: firstPause} }

// heard begins anew: the service is there.
func (r *retry) heard() { r.since, r.next = time.Now(), firstPause }

// backoff is the next pause: twice the last one, and not the same for all who wait.
func (r *retry) backoff() time.Duration {
	pause := r.next/2 + rand.N(r.next/2) //nolint:gosec // nobody gains by guessing it
	r.next = min(2*r.next, longestPause)
	return pause
}

// pause waits, and reports whether to go on.
func (r *retry) pause(ctx context.Context, why error, after time.Duration) bool {
	if ctx.Err() != nil || time.Since(r.since)+after > r.client.patience {
		return false
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < after {
		return false
	}
	r.client.waiting(why, after)
	clock := time.NewTimer(after)
	defer clock.Stop()
	select {
	case <-clock.C:
		return true
	case <-ctx.Done():
		return false
	}
}
