package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/service"
)

// problemType begins the type of every problem.
const problemType = "urn:hotcell:problem:"

// problem is an error that a caller is told.
type problem struct {
	word   word
	detail string
	after  time.Duration // when to try again, or 0
	quota  string        // that is used up, or ""
	cause  error         // for the log, where it is our own fault
}

// Error implements error.
func (p *problem) Error() string { return p.word.title + ": " + p.detail }

// Unwrap gives the cause.
func (p *problem) Unwrap() error { return p.cause }

// refuse makes a problem of the caller's. detail repeats nothing of what was sent.
func refuse(kind word, detail string) error { return &problem{word: kind, detail: detail} }

// soon is when what had no room for a moment is worth another try.
const soon = 2 * time.Second

// busy is a problem for what is used up.
func busy(what string) error {
	return &problem{word: wordOverload, detail: "there is no place for more " + what + " just now", after: soon}
}

// unknownCaller is a problem of who asks, or our own.
func unknownCaller(err error) error {
	if many, ok := errors.AsType[*access.TooManyError](err); ok {
		return &problem{word: wordUnknownOften, after: many.After}
	}
	if early, ok := errors.AsType[*access.TooEarlyError](err); ok { // of which strangers choose the time: no fault for the log
		return &problem{word: wordUnchecked, detail: early.Why, after: early.After}
	}
	if !errors.Is(err, access.ErrUnknown) {
		return &problem{word: wordUnchecked, after: patience, cause: fmt.Errorf("authenticate: %w", err)}
	}
	return &problem{word: wordUnknownCaller, detail: detail(wordUnknownCaller, err.Error())}
}

// patience is how long a caller should wait for what is over in a while.
const patience = 10 * time.Second

// kinds are the problems of the back end's errors.
var kinds = []struct {
	is    error
	word  word
	after time.Duration
	ours  bool // somebody has to see to it
}{
	{service.ErrNotFound, wordNotFound, 0, false},
	{service.ErrKeyReused, wordKeyReused, 0, false},
	{service.ErrRefused, wordRefused, 0, false},
	{service.ErrCursor, wordBadRequest, 0, false},
	{service.ErrNotEnded, wordNotEnded, 0, false},
	{service.ErrBusy, wordBusy, 0, false},
	{service.ErrClosed, wordClosed, 0, false},
	{service.ErrQueueFull, wordQueueFull, patience, false},
	{service.ErrSessionsFull, wordSessionsFull, patience, false},
	{service.ErrDraining, wordDraining, patience, false},
	{service.ErrUnavailable, wordUnavailable, patience, true},
	{service.ErrStorage, wordStorage, patience, true},
}

// problemOf is what a caller is told of an error. What is of no kind is our own fault, and
// its text is for the log.
func problemOf(err error) *problem {
	if told, ok := errors.AsType[*problem](err); ok {
		return told
	}
	if quota, ok := errors.AsType[*service.QuotaError](err); ok {
		return &problem{word: wordQuota, detail: detail(wordQuota, quota.Error()), after: max(quota.After, time.Second), quota: quota.Quota}
	}
	for _, kind := range kinds {
		if !errors.Is(err, kind.is) {
			continue
		}
		told := &problem{word: kind.word, detail: detail(kind.word, service.Words(err)), after: kind.after}
		if kind.ours {
			told.cause = err
		}
		if errors.Is(kind.is, service.ErrStorage) {
			told.detail = "" // where the disk is, and what is wrong with it, is for the log
		}
		return told
	}
	return &problem{word: wordInternal, detail: "the service's log has more, by this problem's instance", cause: err}
}

// ownFault is what the log is told of an error, or nil for one of the caller's.
func ownFault(err error) error {
	if err == nil {
		return nil
	}
	told := problemOf(err)
	if told.word.status < http.StatusInternalServerError {
		return nil
	}
	return told.cause
}

// mostDetail bounds what a problem says, in characters.
const mostDetail = 1000

// detail is a text that a caller may see: one line of printable characters, which do not say once
// more what the title says.
func detail(of word, said string) string {
	said = strings.ReplaceAll(strings.ReplaceAll(said, of.title+": ", ""), "\n", "; ")
	if said == of.title {
		return ""
	}
	text := []rune(strings.ToValidUTF8(said, "\uFFFD"))
	if len(text) > mostDetail {
		text = append(text[:mostDetail-1], '…')
	}
	for i, letter := range text {
		if !unicode.IsPrint(letter) {
			text[i] = ' '
		}
	}
	return string(text)
}

// fail answers with a problem. Nothing has been written yet.
func (c *call) fail(err error) {
	told := problemOf(err)
	answer := api.Problem{
		Type: problemType + told.word.name, Title: told.word.title, Status: told.word.status, Detail: told.detail,
		Instance: c.id, RunID: c.run, Quota: told.quota,
	}
	header := c.w.Header()
	if told.after > 0 {
		answer.RetryAfter = int((told.after + time.Second - 1) / time.Second)
		header.Set("Retry-After", strconv.Itoa(answer.RetryAfter))
	}
	if told.word == wordUnknownCaller {
		header.Set("WWW-Authenticate", "Bearer")
	}
	if told.word != wordRange {
		header.Del("Content-Range")
	}
	for _, name := range []string{"ETag", "Location", "Content-Disposition", "Repr-Digest", "Accept-Ranges", "Link"} {
		header.Del(name) // of the answer that there is not
	}
	line, err := encoded(answer)
	if err != nil {
		return // texts of ours have a form
	}
	_ = c.text(told.word.status, "application/problem+json", line) // nobody is left to be told
}
