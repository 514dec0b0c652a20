package engineapi

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"time"

	"hotcell/internal/runner"
)

// ErrNone is wrapped by Connect's error where a state directory has no engine.
var ErrNone = errors.New("no engine listens")

// ErrDead is wrapped by Connect's error where an engine has left its socket, and has ended.
var ErrDead = errors.New("nobody listens there: the engine process has died: start it again, or remove its socket")

// Client has an engine carry requests out. What it is asked, it asks once.
type Client struct {
	dir   string
	about Description
	idle  *connection // that was asked what listens, or nil once it is used
}

// Connect asks the engine of a state directory what it is. dir is a directory that nobody
// else may enter.
func Connect(ctx context.Context, dir string) (*Client, error) {
	conn, err := connect(ctx, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", ErrNone, err)
	}
	if err != nil {
		return nil, err
	}
	c := &Client{dir: dir, idle: conn}
	if err := conn.question(ctx, "/v1/engine", &c.about); err != nil {
		return nil, errors.Join(fmt.Errorf("ask what listens at %s: %w", SocketName, err), conn.Close())
	}
	return c, nil
}

// Status asks what the engine does just now.
func (c *Client) Status(ctx context.Context) (overview Overview, err error) {
	conn, err := c.connection(ctx)
	if err != nil {
		return overview, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	err = conn.question(ctx, "/v1/status", &overview)
	return overview, err
}

// About is what the engine said that it is.
func (c *Client) About() Description { return c.about }

// Close ends a connection that was not used.
func (c *Client) Close() error {
	if c.idle == nil {
		return nil
	}
	idle := c.idle
	c.idle = nil
	return idle.Close()
}

func (c *Client) connection(ctx context.Context) (*connection, error) {
	if idle := c.idle; idle != nil {
		c.idle = nil
		return idle, nil
	}
	return connect(ctx, c.dir)
}

// Run implements Service. The caller is whom the engine takes us for; the files are copied
// here, with our own rights.
func (c *Client) Run(ctx context.Context, ask runner.Ask) (runner.Response, error) {
	if err := runner.CheckOutput(ctx, ask.OutputDir); err != nil {
		return runner.Response{}, err
	}
	last, lost, err := c.once(ctx, "/v1/run", ask)
	if err != nil {
		return runner.Response{}, err
	}
	response, err := last.response()
	response.StreamError = lost
	return response, errors.Join(err, response.Export(ctx, ask.OutputDir))
}

// Check implements Service.
func (c *Client) Check(ctx context.Context, ask runner.Ask) (runner.Checked, error) {
	last, _, err := c.once(ctx, "/v1/check", ask)
	if err != nil {
		return runner.Checked{}, err
	}
	return checkedOf(last)
}

func checkedOf(last *answer) (runner.Checked, error) {
	switch {
	case last == nil || last.Check == nil && last.Error == nil:
		return runner.Checked{}, ErrMalformed
	case last.Check == nil:
		return runner.Checked{}, last.Error.err()
	}
	return runner.Checked{Violations: last.Check.Violations, Policy: last.Check.Policy, PolicySHA256: last.Check.PolicySHA256}, nil
}

// once sends a request of one line, and returns the last line of its answer, and why
// ask's listeners could not be told everything.
func (c *Client) once(ctx context.Context, path string, ask runner.Ask) (last *answer, lost, err error) {
	conn, err := c.connection(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	body, err := encode(requestOf(ask))
	if err != nil {
		return nil, nil, err
	}
	// The end of our half is how we cancel: the answer still comes.
	defer context.AfterFunc(ctx, conn.hangUp)()
	box, err := conn.answerAfter(ctx, conn.send(ctx, path, bytes.NewReader(body)))
	if err != nil {
		return nil, nil, err
	}
	defer box.wait()
	told := newListeners(ask.Events)
	for {
		next, err := box.next()
		if err != nil {
			// What still comes is not waited for: the end of the connection, at our return, cancels the run.
			return nil, nil, errors.Join(err, conn.SetReadDeadline(time.Unix(1, 0)))
		}
		if next.Final != nil {
			return next.Final, told.lost(), conn.SetReadDeadline(time.Now().Add(answerTime)) // for the end of the stream
		}
		told.tell(next)
	}
}

// sent words why a request got no answer. One that was cancelled while it was sent has
// not begun.
func sent(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(err, ErrMalformed) {
		return context.Canceled
	}
	return fmt.Errorf("%w: %w", ErrLost, err)
}

// connection is one to an engine, for one request.
type connection struct {
	*net.UnixConn
	reader *bufio.Reader
}

func connect(ctx context.Context, dir string) (*connection, error) {
	conn, err := dial(ctx, dir)
	if err != nil {
		return nil, err
	}
	return &connection{conn, bufio.NewReaderSize(conn, 64<<10)}, nil
}

// question has a time limit, for its answer waits for nothing.
func (c *connection) question(ctx context.Context, path string, answer any) error {
	if err := c.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return err
	}
	request, err := newRequest(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	if err := request.Write(c); err != nil {
		return err
	}
	body, err := c.response()
	if err != nil {
		return err
	}
	if err := decode(bufio.NewReader(body), maxDescription, answer); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, io.LimitReader(body, maxDescription)); err != nil {
		return err
	}
	return c.SetDeadline(time.Time{})
}

const maxDescription = 64 << 10

// newRequest has nothing of ctx's end: it is for hangUp to cancel, which leaves the answer
// its way.
func newRequest(ctx context.Context, method, path string, body io.Reader) (*http.Request, error) {
	return http.NewRequestWithContext(context.WithoutCancel(ctx), method, "http://hotcell"+path, body)
}

func (c *connection) send(ctx context.Context, path string, body io.Reader) error {
	request, err := newRequest(ctx, http.MethodPost, path, body)
	if err != nil {
		return err
	}
	return request.Write(c)
}

// response reads a header, and returns the body, which needs no end.
func (c *connection) response() (io.Reader, error) {
	response, err := http.ReadResponse(c.reader, nil) //nolint:bodyclose // it ends with the connection
	if err != nil {
		return nil, err
	}
	if response.Header.Get("Content-Type") != contentType {
		return nil, fmt.Errorf("%w: %s", ErrMalformed, response.Status)
	}
	return response.Body, nil
}

// answer begins to take the lines of an answer.
func (c *connection) answer() (*inbox, error) {
	body, err := c.response()
	if err != nil {
		return nil, err
	}
	return newInbox(bufio.NewReaderSize(body, 64<<10)), nil
}

// answerAfter is answer, after a request that was sent but for the error failed. Who
// refuses one has not read all of it, and closes the connection: the answer is there.
func (c *connection) answerAfter(ctx context.Context, failed error) (*inbox, error) {
	if failed != nil && ctx.Err() != nil {
		return nil, sent(ctx, failed)
	}
	if failed != nil {
		if err := c.SetReadDeadline(time.Now().Add(answerTime)); err != nil {
			return nil, sent(ctx, errors.Join(failed, err))
		}
	}
	box, err := c.answer()
	if err != nil {
		return nil, sent(ctx, errors.Join(failed, err))
	}
	return box, nil
}

// hangUp ends our half of the connection. Where the other has gone there is nothing to end.
func (c *connection) hangUp() { _ = c.CloseWrite() }
