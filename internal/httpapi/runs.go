package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/service"
)

func (c *call) createRun() error {
	key, err := c.key()
	if err != nil {
		return err
	}
	wait, err := c.wait()
	if err != nil {
		return err
	}
	creation := service.Creation{Key: key, Trace: c.trace()}
	if err := c.body(&creation.Request, "policy", "code"); err != nil {
		return err
	}
	if err := checkRun(creation.Request); err != nil {
		return err
	}
	run, replayed, err := c.door.Backend.Create(c.r.Context(), c.by, creation)
	if err != nil {
		return err
	}
	c.run = run.RunID.String()
	if replayed {
		c.w.Header().Set("Idempotency-Replayed", "true")
	}
	creation = service.Creation{} // what waits keeps no script
	c.held.Free()
	if replayed && run.Ended() { // with its result, which a replay has not
		return c.tell(c.created(true, "/v1/runs/"+c.run), func(ctx context.Context) (any, error) {
			return c.door.Backend.Run(ctx, c.by, run.RunID)
		})
	}
	made := run
	if !run.Ended() && wait > 0 {
		run, err = waitFor(c, wait, run, func(ctx context.Context) (api.Run, error) {
			return c.door.Backend.Wait(ctx, c.by, run.RunID)
		})
		if err != nil {
			return err
		}
	}
	return c.tellMade("/v1/runs/"+c.run, made, run)
}

// tellMade answers with something new: as it has become, or, where there is no place for that, as it
// was when it was made. It is there: an answer that says otherwise would have it made again.
func (c *call) tellMade(location string, made, become any) error {
	found, err := c.look(func(context.Context) (any, error) { return become, nil })
	if err == nil {
		defer found.free()
		return c.text(c.created(nameOf(become) != "", location), "application/json", found.line)
	}
	line, err := encoded(made) // which has no result
	if err != nil {
		return err
	}
	c.w.Header().Set("Preference-Applied", "wait=0")
	return c.text(c.created(nameOf(made) != "", location), "application/json", line)
}

// waitFor asks for something until it has ended, or the time is over, or the server ends. A
// request for which there is no place waits no time: what it asked for is there already. Its answer
// has the place of a request while it is written: where there is none, or the wait fails, it is what
// was there before, which is small. It ends with an error for who may not ask any more.
func waitFor[T any](c *call, wait time.Duration, now T, end func(context.Context) (T, error)) (T, error) {
	waits, ok := c.door.waits.Take(c.by.Name, 1)
	if !ok {
		c.w.Header().Set("Preference-Applied", "wait=0")
		return now, nil
	}
	defer waits.Free()
	c.place.Free() // others may ask meanwhile
	ctx, done := c.door.long.begin(c.r.Context())
	defer done(nil)
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	ended, err := end(ctx)
	if fallen := c.fallen(); fallen != nil {
		return now, fallen
	}
	if cause := ownFault(err); cause != nil && ctx.Err() == nil {
		c.door.Logger.WarnContext(c.r.Context(), "a wait has ended before its time", "request_id", c.id, "error", cause.Error())
	}
	if c.place, ok = c.door.requests.Take(c.by.Name, 1); !ok || err != nil {
		c.w.Header().Set("Preference-Applied", "wait=0")
		return now, nil
	}
	return ended, nil
}

// The members of a request for a run that are numbers, by what they can be. Whether a policy
// allows them is the back end's to say.
const (
	maxPriority = 100
	maxSeed     = 1<<48 - 1
)

func checkRun(request api.CreateRun) error {
	if request.Priority < -maxPriority || request.Priority > maxPriority {
		return refuse(wordBadRequest, "priority has to be from -100 to 100")
	}
	if err := checkInputs(request.Inputs); err != nil {
		return err
	}
	return checkTightened(request.Limits, request.Seed)
}

func checkInputs(inputs json.RawMessage) error {
	if len(inputs) > 0 && inputs[0] != '{' && string(inputs) != "null" {
		return refuse(wordBadRequest, "inputs have to be an object")
	}
	return nil
}

func checkTightened(limits api.Tightened, seed int64) error {
	for _, limit := range []int64{
		limits.WallClockMS, limits.MemoryBytes, limits.CPUMillis, limits.PIDs, limits.Operations, limits.LoopIterations, limits.ToolCalls,
	} {
		if limit < 0 {
			return refuse(wordBadRequest, "a limit has to be greater than zero, or 0 for the policy's")
		}
	}
	if seed < 0 || seed > maxSeed {
		return refuse(wordBadRequest, "seed has to be from 1 to 281474976710655, or 0 for one that is drawn")
	}
	return nil
}

func (c *call) getRun() error { return answerFor(c, http.StatusOK, c.door.Backend.Run) }

func (c *call) cancelRun() error { return answerFor(c, http.StatusAccepted, c.door.Backend.Cancel) }

func (c *call) check() error {
	var request api.CreateRun
	if err := c.body(&request, "policy", "code"); err != nil {
		return err
	}
	if err := checkRun(request); err != nil {
		return err
	}
	checked, err := c.door.Backend.Check(c.r.Context(), c.by, request)
	if err != nil {
		return err
	}
	c.held.Free()
	return c.json(http.StatusOK, checked)
}

// The pages of a list.
const (
	pageDefault = 50
	pageMost    = 200
)

// What a list may be narrowed by.
var (
	saneCursor = regexp.MustCompile(`^[A-Za-z0-9._~=+/-]{1,512}$`)
	saneName   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)
)

func (c *call) listRuns() error {
	filter, err := readFilter(c.r.URL.Query())
	if err != nil {
		return err
	}
	page, err := c.door.Backend.Runs(c.r.Context(), c.by, filter)
	if err != nil {
		return err
	}
	c.linkNext(page.NextCursor)
	return c.json(http.StatusOK, page)
}

func readFilter(query url.Values) (service.Filter, error) {
	filter := service.Filter{Status: api.State(query.Get("status")), Policy: query.Get("policy")}
	if query.Has("status") && !slices.Contains(states(), filter.Status) {
		return filter, refuse(wordBadRequest, "status has to be one of "+listed(states()))
	}
	if query.Has("policy") && !saneName.MatchString(filter.Policy) {
		return filter, refuse(wordBadRequest, "policy has to be a policy's name")
	}
	var err error
	if query.Has("since") {
		if filter.Since, err = time.Parse(time.RFC3339, query.Get("since")); err != nil {
			return filter, refuse(wordBadRequest, "since has to be a time such as 2026-11-27T09:00:00Z")
		}
	}
	filter.Limit, filter.Cursor, err = readPage(query)
	return filter, err
}

// readPage is how long a page is to be, and the cursor of the one before.
func readPage(query url.Values) (limit int, cursor string, err error) {
	limit, cursor = pageDefault, query.Get("cursor")
	if query.Has("cursor") && !saneCursor.MatchString(cursor) {
		return 0, "", refuse(wordBadRequest, "cursor has to be the next_cursor of the page before")
	}
	if query.Has("limit") {
		if limit, err = strconv.Atoi(query.Get("limit")); err != nil || limit < 1 || limit > pageMost {
			return 0, "", refuse(wordBadRequest, "limit has to be from 1 to 200")
		}
	}
	return limit, cursor, nil
}

// linkNext says where the next page of a list is, if there is one.
func (c *call) linkNext(cursor string) {
	if cursor == "" {
		return
	}
	query := c.r.URL.Query()
	query.Set("cursor", cursor)
	c.w.Header().Set("Link", fmt.Sprintf(`<%s?%s>; rel="next"`, c.r.URL.Path, query.Encode()))
}

func listed(states []api.State) string {
	words := make([]string, len(states))
	for index, one := range states {
		words[index] = string(one)
	}
	return strings.Join(words, ", ")
}

// states are all that a run can have.
func states() []api.State {
	all := []api.State{api.StateQueued, api.StateRunning, api.StateError}
	for _, status := range job.Statuses() {
		all = append(all, api.State(status))
	}
	return all
}
