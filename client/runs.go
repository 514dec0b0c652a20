package client

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// ParseID reads the id of a run or a session.
func ParseID(text string) (job.ID, error) { return job.ParseID(text) }

// CreateOptions say how a run is created.
type CreateOptions struct {
	// Key names the request: who asks twice with one key gets one run. "" makes one, by which a
	// lost answer is asked for again.
	Key string
	// Once makes none, so that the service keeps none: the request is sent once. It is for a
	// service in this process, whose answers are not lost on their way.
	Once bool
	// Wait is how long the service may wait for the run's end before it answers, up to a minute.
	Wait time.Duration
}

const (
	longestWait = time.Minute
	// lastWords is how long the answer to a creation is waited for whose caller has gone: who has
	// asked for a run has to know of it, to cancel it.
	lastWords = 2 * time.Second
	maxKey    = 255
)

// CreateRun asks for a run. It is queued when this returns, or further: see api.Run. Where ctx ends
// while the answer is on its way, that is waited for a moment longer, and returned.
func (c *Client) CreateRun(ctx context.Context, request api.CreateRun, options CreateOptions) (api.Run, error) {
	key := options.Key
	if key == "" && !options.Once {
		key = rand.Text()
	}
	asked := call{
		method: http.MethodPost, path: []string{"v1", "runs"}, header: http.Header{}, body: request,
		wait: min(max(options.Wait, 0), longestWait), most: c.most, repeat: key != "", linger: lastWords,
	}
	if key != "" {
		if err := CheckKey(key); err != nil {
			return api.Run{}, err
		}
		asked.header.Set("Idempotency-Key", key)
	}
	var run api.Run
	err := c.ask(ctx, asked, &run)
	if err != nil {
		return api.Run{}, err
	}
	return run, c.believe(checkRun(run, run.RunID))
}

// CheckKey says why a key cannot be one of CreateOptions that names a request.
func CheckKey(key string) error {
	if key == "" {
		return errors.New("the key of a request is empty")
	}
	if len(key) > maxKey {
		return fmt.Errorf("the key of a request has more than %d characters", maxKey)
	}
	for _, letter := range []byte(key) {
		if letter <= ' ' || letter > '~' {
			return errors.New("the key of a request has white space, or what is no ASCII")
		}
	}
	return nil
}

// checkRun holds what is said of a run to the one that was asked for.
func checkRun(run api.Run, id job.ID) error {
	switch {
	case run.RunID == job.ID{} || run.RunID != id:
		return errors.New("it is about another run")
	case run.Status == "":
		return errors.New("it does not say how far the run is")
	case !run.Ended():
		return nil
	case run.Status == api.StateError && run.Error == nil:
		return errors.New("it does not say why there is no result")
	case run.Status == api.StateError, run.Status == api.State(job.Cancelled) && run.Result == nil: // before it had begun
		return nil
	}
	return checkResult(run.Result, run.Status, id)
}

func checkResult(result *api.RunResult, status api.State, id job.ID) error {
	switch {
	case result == nil:
		return errors.New("it says how the run has ended, and has no result")
	case result.RunID != id || api.State(result.Status) != status:
		return errors.New("its result is of another run, or says otherwise how that has ended")
	}
	return checkFiles(infos(result.Files))
}

// believe makes an error of what cannot be believed.
func (c *Client) believe(err error) error {
	if err == nil {
		return nil
	}
	return &AnswerError{c.name, err}
}

func (c *Client) get(path ...string) call {
	return call{method: http.MethodGet, path: append([]string{"v1"}, path...), most: maxSmall}
}

// Run is how far a run is, with its result once it has ended.
func (c *Client) Run(ctx context.Context, id job.ID) (run api.Run, err error) {
	asked := c.get("runs", id.String())
	asked.most, asked.repeat = c.most, true
	if err := c.ask(ctx, asked, &run); err != nil {
		return api.Run{}, err
	}
	if err := checkRun(run, id); err != nil {
		return api.Run{}, c.believe(err)
	}
	return run, nil
}

// Wait is Run once the run has ended. It lives through a service that is away for no longer
// than Options.Patience, and asks once as long as nothing breaks.
func (c *Client) Wait(ctx context.Context, id job.ID) (run api.Run, err error) {
	err = c.Follow(ctx, id, 0, func(event api.Event) error {
		if event.Type != api.EventResult {
			return nil
		}
		return strictjson.DecodeKnown(event.Data, len(event.Data), &run)
	})
	if err != nil || run.Ended() && run.Status != "" {
		return run, err
	}
	return c.Run(ctx, id)
}

// WaitEnd is Wait without the run, of which Run tells then: nothing of its result is read.
func (c *Client) WaitEnd(ctx context.Context, id job.ID) error {
	f := &follower{client: c, path: []string{"v1", "runs", id.String(), "events"}, endAlone: true}
	f.take = func(api.Event) error { return nil }
	return f.follow(ctx)
}

// Filter narrows a list of runs. Zero fields narrow nothing.
type Filter struct {
	Status api.State
	Policy string
	Since  time.Time
	Page   int // how many are asked for at a time; 0 for the service's own number
}

// Runs lists the runs that the caller may see, the newest first, without their results. It asks
// for each page when it is wanted. The error is the last of what it gives.
func (c *Client) Runs(ctx context.Context, filter Filter) iter.Seq2[api.Run, error] {
	return pages(c, func(cursor string) ([]api.Run, string, error) {
		page, err := c.page(ctx, filter, cursor)
		return page.Runs, page.NextCursor, err
	})
}

// pages gives what is in the pages of a list, and asks for each when it is wanted.
func pages[T any](c *Client, ask func(cursor string) (page []T, next string, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		seen := map[string]bool{}
		for cursor := ""; ; {
			page, next, err := ask(cursor)
			if err == nil && next != "" && seen[next] {
				err = c.believe(ErrCut)
			}
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, one := range page {
				if !yield(one, nil) {
					return
				}
			}
			if cursor = next; cursor == "" {
				return
			}
			seen[cursor] = true
		}
	}
}

func (c *Client) page(ctx context.Context, filter Filter, cursor string) (page api.Runs, err error) {
	asked := c.get("runs")
	asked.query = url.Values{}
	for name, value := range map[string]string{"status": string(filter.Status), "policy": filter.Policy, "cursor": cursor} {
		if value != "" {
			asked.query.Set(name, value)
		}
	}
	if !filter.Since.IsZero() {
		asked.query.Set("since", filter.Since.UTC().Format(time.RFC3339))
	}
	if filter.Page > 0 {
		asked.query.Set("limit", strconv.Itoa(filter.Page))
	}
	if err := c.ask(ctx, asked, &page); err != nil {
		return api.Runs{}, err
	}
	if slices.ContainsFunc(page.Runs, func(run api.Run) bool { return run.RunID == job.ID{} || run.Status == "" }) {
		return api.Runs{}, c.malformed("a run of the list has no id, or no status")
	}
	return page, nil
}

// Cancel asks for the end of a run, and does not wait for it. One that has ended stays as it is.
func (c *Client) Cancel(ctx context.Context, id job.ID) error {
	return c.ask(ctx, call{method: http.MethodPost, path: []string{"v1", "runs", id.String(), "cancel"}, header: anything(), most: maxSmall, repeat: true}, nil)
}

// anything is for an answer that is not looked at.
func anything() http.Header { return http.Header{"Accept": {"*/*"}} }

// Check has code vetted, and not run. What only a run has is not used.
func (c *Client) Check(ctx context.Context, request api.CreateRun) (checked api.Checked, err error) {
	err = c.ask(ctx, call{method: http.MethodPost, path: []string{"v1", "checks"}, body: request, wait: checkTime, most: maxSmall, repeat: true}, &checked)
	if err == nil && (checked.Policy == "" || checked.PolicySHA256 == "" || checked.Violations == nil) {
		err = c.malformed("it does not say what was found, and by which policy")
	}
	if err != nil {
		return api.Checked{}, err
	}
	return checked, nil
}

// checkTime is how long a check may take: a sandbox is made for it.
const checkTime = time.Minute
