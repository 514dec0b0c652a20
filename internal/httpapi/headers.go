package httpapi

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"hotcell/internal/job"
	"hotcell/internal/service"
)

// runID is the id in a path, of a run or a session. One that is none is told from no other.
func (c *call) runID() (job.ID, error) {
	id, err := job.ParseID(c.r.PathValue("id"))
	if err != nil {
		if strings.HasPrefix(c.r.URL.Path, "/v1/sessions/") {
			return job.ID{}, service.ErrNoSession
		}
		return job.ID{}, service.ErrNoRun
	}
	c.run = id.String()
	return id, nil
}

// saneKey is what RFC 9110 lets a field have, without blanks; Stripe's clients send at most
// 255 characters.
var saneKey = regexp.MustCompile(`^[!-~]{1,255}$`)

// key is that of a request which may be repeated, or "".
func (c *call) key() (string, error) {
	given := c.r.Header.Values("Idempotency-Key")
	if len(given) == 0 {
		return "", nil
	}
	if len(given) != 1 || !saneKey.MatchString(given[0]) {
		return "", refuse(wordBadRequest, "Idempotency-Key has to be there once, with 1 to 255 characters of ASCII and no blanks")
	}
	return given[0], nil
}

// maxWait is how long a request may wait for an end.
const maxWait = 60 * time.Second

// wait is for how long a caller wants to (RFC 7240: Prefer: wait=SECONDS, beside others). What
// is more than maxWait is that; the answer says what was applied.
func (c *call) wait() (time.Duration, error) {
	var wait time.Duration
	for _, line := range c.r.Header.Values("Prefer") {
		for preference := range strings.SplitSeq(line, ",") {
			name, value, _ := strings.Cut(preference, "=")
			if !strings.EqualFold(strings.TrimSpace(name), "wait") {
				continue
			}
			seconds, err := strconv.ParseUint(strings.Trim(strings.TrimSpace(value), `"`), 10, 31)
			if err != nil {
				return 0, refuse(wordBadRequest, "Prefer: wait has to have a number of seconds")
			}
			wait = min(time.Duration(seconds)*time.Second, maxWait)
		}
	}
	if wait > 0 {
		c.w.Header().Set("Preference-Applied", "wait="+strconv.Itoa(int(wait/time.Second)))
	}
	return wait, nil
}

// after is the number of the event that a follower has seen: a browser that connects again
// sends the header, whatever the address says.
func (c *call) after() (int64, error) {
	text := c.r.URL.Query().Get("after")
	if seen := c.r.Header.Values("Last-Event-ID"); len(seen) > 0 {
		text = strings.Join(seen, ",")
	}
	if text == "" {
		return 0, nil
	}
	number, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0, refuse(wordBadRequest, "Last-Event-ID and after have to be the number of an event")
	}
	return int64(number), nil
}

// created is how an answer about something new begins: it is there, or it will be.
func (c *call) created(ended bool, location string) int {
	c.w.Header().Set("Location", location)
	if ended {
		return http.StatusCreated
	}
	return http.StatusAccepted
}

// mostTrace is the length of a traceparent, of the one version that there is.
const mostTrace = 55

// trace is which span of its own a caller has asked in, or "". What is none is of no consequence.
func (c *call) trace() string {
	given := c.r.Header.Values("Traceparent")
	if len(given) != 1 || len(given[0]) > mostTrace {
		return ""
	}
	return given[0]
}
