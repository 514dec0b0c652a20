package engineapi

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// Front is the engine that listens at a socket for one other user, as that user sees it.
type Front struct {
	path      string
	transport *http.Transport
}

var _ Detached = (*Front)(nil)

// NewFront asks nothing yet: an engine may come and go.
func NewFront(path string) *Front {
	f := &Front{path: path}
	f.transport = &http.Transport{
		DialContext:        func(ctx context.Context, _, _ string) (net.Conn, error) { return dialFront(ctx, path) },
		DisableCompression: true, MaxIdleConnsPerHost: 16, MaxResponseHeaderBytes: 16 << 10,
		IdleConnTimeout: patience / 2, // before the engine's: it would go while something is sent
	}
	return f
}

// Close ends the connections that nobody uses.
func (f *Front) Close() { f.transport.CloseIdleConnections() }

// About implements Detached.
func (f *Front) About(ctx context.Context) (Description, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, answerTime, errSlow)
	defer cancel()
	return ask[Description](ctx, f, "engine", nothing{})
}

// Status implements Detached.
func (f *Front) Status(ctx context.Context) (Overview, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, answerTime, errSlow)
	defer cancel()
	return ask[Overview](ctx, f, "status", nothing{})
}

var errSlow = fmt.Errorf("%w: it does not say what it is within %s", ErrLost, answerTime)

// Resolve implements Detached.
func (f *Front) Resolve(ctx context.Context, by Principal, request job.Request) error {
	_, err := give[nothing](ctx, f, "resolve", given{Principal: by, Request: requestOf(runner.Ask{Request: request})})
	return err
}

// Check implements Detached.
func (f *Front) Check(ctx context.Context, by Principal, request job.Request) (runner.Checked, error) {
	said, err := give[*answer](ctx, f, "check", given{Principal: by, Request: requestOf(runner.Ask{Request: request})})
	if err != nil {
		return runner.Checked{}, err
	}
	return checkedOf(said)
}

// Start implements Detached.
func (f *Front) Start(ctx context.Context, id job.ID, by Principal, request job.Request) error {
	_, err := give[nothing](ctx, f, "start", given{ID: id, Principal: by, Request: requestOf(runner.Ask{Request: request})})
	return err
}

// Offer implements Detached.
func (f *Front) Offer(ctx context.Context, id job.ID, by Principal, request job.Request) error {
	_, err := give[nothing](ctx, f, "offer", given{ID: id, Principal: by, Request: requestOf(runner.Ask{Request: request})})
	return err
}

// Begin implements Detached.
func (f *Front) Begin(ctx context.Context, id job.ID, by Principal) error {
	_, err := ask[nothing](ctx, f, "begin", question{ID: id, Principal: by})
	return err
}

// Outcome implements Detached.
func (f *Front) Outcome(ctx context.Context, id job.ID, by Principal) (Outcome, error) {
	found, err := ask[fated[*answer]](ctx, f, "outcome", question{ID: id, Principal: by})
	if err != nil {
		return Outcome{Fate: found.Fate}, err
	}
	return outcomeOf(found)
}

// Follow implements Detached.
func (f *Front) Follow(ctx context.Context, id job.ID, after int64, take func(api.Event) error) (Outcome, error) {
	events, err := f.post(ctx, "follow", question{ID: id, After: after})
	if err != nil {
		return Outcome{}, err
	}
	defer events.Close()
	lines := bufio.NewReaderSize(events, 64<<10)
	for {
		var next followed[*answer]
		if err := decode(lines, maxLine, &next); err != nil {
			return Outcome{}, lostAt(ctx, err)
		}
		switch {
		case next.End != nil:
			_, _ = io.Copy(io.Discard, io.LimitReader(lines, maxQuestion)) // so that the connection can be used again
			if next.End.Outcome == nil || next.End.Error != nil {
				return Outcome{}, next.End.Error.err()
			}
			return outcomeOf(*next.End.Outcome)
		case next.Event == nil:
			return Outcome{}, ErrMalformed
		}
		if err := take(*next.Event); err != nil {
			return Outcome{}, err
		}
	}
}

// Cancel implements Detached.
func (f *Front) Cancel(ctx context.Context, id job.ID) error {
	_, err := ask[nothing](ctx, f, "cancel", question{ID: id})
	return err
}

// OpenSession implements Detached. ask's id, caller and output directory count for nothing.
func (f *Front) OpenSession(ctx context.Context, id job.ID, by Principal, ask runner.Ask) (Session, error) {
	if err := by.check(); err != nil {
		return nil, err
	}
	conn, err := dialFront(ctx, f.path)
	if err != nil {
		return nil, lostAt(ctx, err)
	}
	ask.OutputDir = ""
	first := given{ID: id, Principal: by, Request: requestOf(ask)}
	return openSession(ctx, &connection{conn, bufio.NewReaderSize(conn, 64<<10)}, opening{frontPath("session"), first}, ask)
}

// List implements Detached.
func (f *Front) List(ctx context.Context, cursor string, most int) ([]Recorded, string, error) {
	page, err := ask[listed](ctx, f, "list", question{Cursor: cursor, Most: most})
	return page.Runs, page.Next, err
}

// Read implements Detached.
func (f *Front) Read(ctx context.Context, id job.ID, by Principal, part string) (io.ReadCloser, int64, error) {
	if err := by.check(); err != nil {
		return nil, 0, err
	}
	response, err := f.send(ctx, "read", question{ID: id, Principal: by, Name: part})
	if err != nil {
		return nil, 0, err
	}
	if response.Header.Get("Content-Type") == contentBytes && response.ContentLength >= 0 {
		return &lossy{response.Body, ctx}, response.ContentLength, nil
	}
	defer response.Body.Close()
	said, err := oneAnswer[nothing](ctx, response.Body)
	if err == nil {
		err = fmt.Errorf("%w: %s: %v", ErrMalformed, response.Status, said)
	}
	return nil, 0, err
}

// Policies implements Detached.
func (f *Front) Policies(ctx context.Context) ([]api.PolicyInfo, error) {
	return ask[[]api.PolicyInfo](ctx, f, "policies", nothing{})
}

// Policy implements Detached.
func (f *Front) Policy(ctx context.Context, name string) (api.PolicyInfo, error) {
	return ask[api.PolicyInfo](ctx, f, "policy", question{Name: name})
}

// Bundles implements Detached.
func (f *Front) Bundles(ctx context.Context) ([]api.BundleInfo, error) {
	return ask[[]api.BundleInfo](ctx, f, "bundles", nothing{})
}

// Bundle implements Detached.
func (f *Front) Bundle(ctx context.Context, reference string) (api.BundleInfo, error) {
	return ask[api.BundleInfo](ctx, f, "bundle", question{Name: reference})
}

// Tools implements Detached.
func (f *Front) Tools(ctx context.Context) ([]api.ToolInfo, error) {
	return ask[[]api.ToolInfo](ctx, f, "tools", nothing{})
}

// give is ask, in the name of a principal. JSON would make another one of a name that is no
// text.
func give[A any](ctx context.Context, f *Front, name string, asked given) (A, error) {
	if err := asked.Principal.check(); err != nil {
		var none A
		return none, err
	}
	return ask[A](ctx, f, name, asked)
}

// ask asks a question that one line answers.
func ask[A any](ctx context.Context, f *Front, name string, asked any) (A, error) {
	answer, err := f.post(ctx, name, asked)
	if err != nil {
		var none A
		return none, err
	}
	defer answer.Close()
	return oneAnswer[A](ctx, answer)
}

func oneAnswer[A any](ctx context.Context, answer io.Reader) (A, error) {
	var said told[A]
	lines := bufio.NewReaderSize(answer, 64<<10)
	if err := decode(lines, maxLine, &said); err != nil {
		return said.Value, lostAt(ctx, err)
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(lines, maxQuestion)) // so that the connection can be used again
	return said.Value, said.Error.err()
}

// post is send, for an answer of lines.
func (f *Front) post(ctx context.Context, name string, asked any) (io.ReadCloser, error) {
	response, err := f.send(ctx, name, asked)
	if err != nil {
		return nil, err
	}
	if response.Header.Get("Content-Type") != contentType {
		return nil, errors.Join(fmt.Errorf("%w: %s", ErrMalformed, response.Status), response.Body.Close())
	}
	return response.Body, nil
}

// send asks once: what is asked for may have begun when a connection ends.
func (f *Front) send(ctx context.Context, name string, asked any) (*http.Response, error) {
	text, err := encode(asked)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://hotcell"+frontPath(name), bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	request.GetBody = nil // the transport sends nothing again
	response, err := f.transport.RoundTrip(request)
	if err != nil {
		return nil, lostAt(ctx, err)
	}
	return response, nil
}

// lostAt words why no answer came.
func lostAt(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, ErrMalformed), errors.Is(err, ErrLost), errors.Is(err, ErrNone), errors.Is(err, ErrDead), errors.Is(err, ErrOthers):
		return err
	default:
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
}

// lossy is a part of a record that stops where the engine has gone.
type lossy struct {
	io.ReadCloser
	ctx context.Context //nolint:containedctx // of the one call that returned it
}

// Read implements io.Reader.
func (l *lossy) Read(to []byte) (int, error) {
	n, err := l.ReadCloser.Read(to)
	if err != nil && !errors.Is(err, io.EOF) {
		err = lostAt(l.ctx, err)
	}
	return n, err
}
