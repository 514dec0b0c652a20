package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// quiet is how long a stream may say nothing: a service says every 15 seconds that it is there.
const quiet = 45 * time.Second

// Follow hands on each event of a run after a number, in order and once, until the run has
// ended: EventResult is the last one. It connects again when the stream breaks, and is nil when
// there is nothing more to come, which is at once where after is the last one's number. Where
// events are missing, an EventGap says which. Types that are not known here are handed on. An
// error of take ends it, and is returned as it is. take is called by this goroutine.
func (c *Client) Follow(ctx context.Context, id job.ID, after int64, take func(api.Event) error) error {
	f := &follower{client: c, path: []string{"v1", "runs", id.String(), "events"}, last: after, take: take}
	f.check = func(result []byte) error {
		var run api.Run
		if err := strictjson.DecodeKnown(result, len(result), &run); err != nil {
			return err
		}
		if !run.Ended() {
			return errNoEnd
		}
		return checkRun(run, id)
	}
	return f.follow(ctx)
}

var errNoEnd = errors.New("it has a result, and does not say that it has ended")

// follower is one Follow.
type follower struct {
	client *Client
	path   []string
	last   int64 // the number of the event that was handed on last
	take   func(api.Event) error
	check  func(result []byte) error
	retry  *retry
	over   bool // the result was handed on, or nothing follows
	// endAlone is for who wants to know that there is a result, and nothing of it.
	endAlone bool
}

// takeError is what take has returned.
type takeError struct{ error }

func (f *follower) follow(ctx context.Context) error {
	f.retry = f.client.retry()
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		err := f.connect(ctx)
		if f.over {
			return err
		}
		if own, ok := errors.AsType[takeError](err); ok {
			return own.error
		}
		after := busy(err)
		switch {
		case after > 0:
		case isLost(err):
			after = f.retry.backoff()
		default:
			return err
		}
		if !f.retry.pause(ctx, err, after) {
			return f.client.ended(ctx, err)
		}
	}
}

// connect takes what one connection brings. Its end alone is no end of the run.
func (f *follower) connect(ctx context.Context) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	clock := time.AfterFunc(quiet, func() { cancel(errIdle) })
	defer clock.Stop()
	header := http.Header{"Accept": {"text/event-stream"}, "Cache-Control": {"no-store"}}
	if f.last > 0 {
		header.Set("Last-Event-ID", strconv.FormatInt(f.last, 10))
	}
	response, err := f.client.send(ctx, call{method: http.MethodGet, path: f.path, header: header})
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNoContent {
		f.over = true
		return nil
	}
	stream := newMessages(&heard{response.Body, clock}, int(f.client.most))
	if f.endAlone {
		stream.until = string(api.EventResult)
	}
	begun := time.Now()
	for !f.over {
		next, err := stream.next()
		if time.Since(begun) > quiet/3 { // one that breaks at once, again and again, is as good as none
			f.retry.heard()
		}
		switch {
		case errors.Is(err, errLong), errors.Is(err, errID):
			return &AnswerError{f.client.name, err}
		case err == io.EOF: //nolint:errorlint // as bufio returns it
			return &TransportError{f.client.name, errors.New("the stream of events broke off")}
		case err != nil:
			return f.client.lost(ctx, err)
		}
		if err := f.handOn(next); err != nil {
			return err
		}
	}
	return nil
}

// heard notes that something has come.
type heard struct {
	from  io.Reader
	clock *time.Timer
}

// Read implements io.Reader.
func (h *heard) Read(into []byte) (int, error) {
	n, err := h.from.Read(into)
	if n > 0 {
		h.clock.Reset(quiet)
	}
	return n, err
}

// handOn hands on an event, unless it was before.
func (f *follower) handOn(next message) error {
	event := api.Event{Seq: next.id, Type: api.EventType(next.kind), Data: next.data}
	if event.Type == "" {
		return f.client.malformed("an event has no type")
	}
	if f.endAlone && event.Type == api.EventResult {
		f.over = true
		return nil
	}
	if err := strictjson.CheckValue(next.data, maxDepth); err != nil {
		return &AnswerError{f.client.name, fmt.Errorf("an event: %w", err)}
	}
	if event.Type == api.EventResult {
		if err := f.check(next.data); err != nil {
			return &AnswerError{f.client.name, err}
		}
		f.over = true
	}
	switch {
	case event.Type == api.EventGap:
		return f.skip(event)
	case event.Seq > 0 && event.Seq <= f.last && !f.over: // from before a connection broke
		return nil
	case event.Seq > f.last+1: // the server does not say so, but they are missing
		if err := f.gap(api.GapEvent{From: f.last + 1, To: event.Seq - 1}); err != nil {
			return err
		}
	}
	f.last = max(f.last, event.Seq)
	f.retry.heard()
	return f.give(event)
}

// maxDepth is of the data of an event: a result holds a chart, and that what its library likes.
const maxDepth = 1000

// skip hands on that events are missing.
func (f *follower) skip(event api.Event) error {
	var gap api.GapEvent
	if err := strictjson.DecodeKnown(event.Data, len(event.Data), &gap); err != nil || gap.From < 1 || gap.To < gap.From {
		return f.client.malformed("it says that events are missing, and not which")
	}
	if gap.To <= f.last {
		return nil
	}
	gap.From = max(gap.From, f.last+1)
	return f.gap(gap)
}

func (f *follower) gap(gap api.GapEvent) error {
	data, err := strictjson.Encode(gap)
	if err != nil {
		return err
	}
	f.last = gap.To
	return f.give(api.Event{Type: api.EventGap, Data: data})
}

func (f *follower) give(event api.Event) error {
	if err := f.take(event); err != nil {
		f.over = false
		return takeError{err}
	}
	return nil
}
