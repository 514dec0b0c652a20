package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"hotcell/api"
	"hotcell/internal/service"
)

func (c *call) openSession() error {
	var ask api.OpenSession
	if err := c.body(&ask, "policy"); err != nil {
		return err
	}
	if err := checkInputs(ask.Inputs); err != nil {
		return err
	}
	if err := checkTightened(ask.Limits, ask.Seed); err != nil {
		return err
	}
	if ask.IdleMS < 0 || ask.TotalMS < 0 {
		return refuse(wordBadRequest, "idle_ms and total_ms have to be greater than zero, or 0 for the service's own")
	}
	session, err := c.door.Backend.OpenSession(c.r.Context(), c.by, ask)
	if err != nil {
		return err
	}
	c.run = session.SessionID.String()
	c.held.Free()
	return c.json(c.created(session.Status != api.SessionOpening, "/v1/sessions/"+c.run), session)
}

func (c *call) listSessions() error {
	query := c.r.URL.Query()
	filter := service.SessionFilter{Status: api.SessionState(query.Get("status"))}
	if query.Has("status") && !slices.Contains(api.SessionStates(), filter.Status) {
		return refuse(wordBadRequest, "status has to be opening, open, busy or closed")
	}
	var err error
	if filter.Limit, filter.Cursor, err = readPage(query); err != nil {
		return err
	}
	page, err := c.door.Backend.ListSessions(c.r.Context(), c.by, filter)
	if err != nil {
		return err
	}
	c.linkNext(page.NextCursor)
	return c.json(http.StatusOK, page)
}

func (c *call) getSession() error { return answerFor(c, http.StatusOK, c.door.Backend.Session) }

func (c *call) closeSession() error {
	return answerFor(c, http.StatusAccepted, c.door.Backend.CloseSession)
}

func (c *call) cancelStep() error {
	return answerFor(c, http.StatusAccepted, c.door.Backend.CancelStep)
}

func (c *call) createStep() error {
	id, err := c.runID()
	if err != nil {
		return err
	}
	wait, err := c.wait()
	if err != nil {
		return err
	}
	var ask api.CreateStep
	if err := c.body(&ask, "code"); err != nil {
		return err
	}
	if ask.WallClockMS < 0 {
		return refuse(wordBadRequest, "wall_clock_ms has to be greater than zero, or 0 for the policy's")
	}
	step, err := c.door.Backend.Step(c.r.Context(), c.by, id, ask)
	if err != nil {
		return err
	}
	ask = api.CreateStep{} // what waits keeps no script
	c.held.Free()
	made := step
	if !stepEnded(step) && wait > 0 {
		step, err = waitFor(c, wait, step, func(ctx context.Context) (api.Step, error) {
			return c.door.Backend.WaitStep(ctx, c.by, id, step.Number)
		})
		if err != nil {
			return err
		}
	}
	return c.tellMade(fmt.Sprintf("/v1/sessions/%s/steps/%d", id, step.Number), ofSession{id, made}, ofSession{id, step})
}

func stepEnded(step api.Step) bool { return step.Status != api.StateRunning }

func (c *call) getStep() error {
	id, err := c.runID()
	if err != nil {
		return err
	}
	text := c.r.PathValue("number")
	number, err := strconv.ParseUint(text, 10, 31)
	if err != nil || strconv.FormatUint(number, 10) != text {
		return service.ErrNoStep
	}
	return c.tell(http.StatusOK, func(ctx context.Context) (any, error) {
		step, err := c.door.Backend.StepNow(ctx, c.by, id, int(number))
		return ofSession{id, step}, err
	})
}
