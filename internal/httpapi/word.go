package httpapi

import "net/http"

// word names a kind of problem. docs/service.md has the same table, and a test holds both
// together.
type word struct {
	name   string // behind urn:hotcell:problem:
	status int
	title  string
	when   string
}

// The kinds, by status.
var (
	wordBadRequest = word{"bad-request", http.StatusBadRequest, "the request is not understood",
		"the body is not the JSON that it should be, or a parameter or header has a value that it cannot have"}
	wordUnknownCaller = word{"unauthenticated", http.StatusUnauthorized, "who asks is not known",
		"there is no token, or none that is valid now"}
	wordScope = word{"scope", http.StatusForbidden, "who asks may not do this",
		"the token has not the scope that this needs"}
	wordOrigin = word{"cross-origin", http.StatusForbidden, "pages of other origins may not ask",
		"a browser sent the request for a page that is not of this service"}
	wordHost = word{"host", http.StatusForbidden, "the service is not asked by this name",
		"a loopback address without TLS was asked by a `Host` that is none of this host's, nor of `hosts` in the configuration"}
	wordNotFound = word{"not-found", http.StatusNotFound, "there is no such thing",
		"the path is none, or names something that is not there, or is of another principal"}
	wordMethod = word{"method", http.StatusMethodNotAllowed, "the method is not for this path",
		"`Allow` has those that are"}
	wordSlowBody = word{"slow-body", http.StatusRequestTimeout, "the body did not come in time",
		"it took longer than 10 seconds, or than 10 more after each MiB that has come"}
	wordNotEnded = word{"not-ended", http.StatusConflict, "the run has not ended",
		"files or a record were asked for while it is queued or runs"}
	wordBusy = word{"session-busy", http.StatusConflict, "the session carries out another step",
		"a step was given while one goes on"}
	wordClosed = word{"session-closed", http.StatusConflict, "the session is closed",
		"a step was given to a session that takes none any more"}
	wordTooLarge = word{"too-large", http.StatusRequestEntityTooLarge, "the body is too large",
		"it has more than 8 MiB, or what the service was configured to take"}
	wordMediaType = word{"media-type", http.StatusUnsupportedMediaType, "the body is not of this media type",
		"`Content-Type` is not `application/json`, or the body is compressed"}
	wordRange = word{"range", http.StatusRequestedRangeNotSatisfiable, "the file has no such range",
		"`Range` begins behind the file's end"}
	wordRefused = word{"refused", http.StatusUnprocessableEntity, "the request cannot be run",
		"the policy, the bundle or a limit does not allow what is asked for; nothing was made"}
	wordKeyReused = word{"key-reused", http.StatusUnprocessableEntity, "the idempotency key was used for another request",
		"the same principal sent the same `Idempotency-Key` with another body"}
	wordQuota = word{"quota", http.StatusTooManyRequests, "a quota is used up",
		"this principal has as many runs, steps, requests, bytes or seconds as it may have: `detail` says of which, how many are used and how many there are (and `GET /v1/me` of all), `Retry-After` when to try again"}
	wordUnknownOften = word{"unauthenticated-often", http.StatusTooManyRequests, "too many requests from there were of nobody that is known",
		"as `unauthenticated`, from an address, or a user of a socket, that has failed so 20 times: then once in 3 seconds is looked at. Who is known is not held up"}
	wordInternal = word{"internal", http.StatusInternalServerError, "the service has failed",
		"a fault of the service or its host: `instance` names the line of its log that says more"}
	wordQueueFull = word{"queue-full", http.StatusServiceUnavailable, "the queue is full",
		"too many runs wait already, or too many bytes of theirs, of all principals together"}
	wordSessionsFull = word{"sessions-full", http.StatusServiceUnavailable, "there are as many sessions as there may be",
		"a session was asked for, and those that are open, or close just now, have all places, of all principals together"}
	wordDraining = word{"draining", http.StatusServiceUnavailable, "the service ends, and takes no new request",
		"it is being stopped or replaced"}
	wordUnavailable = word{"engine-unavailable", http.StatusServiceUnavailable, "no engine answers",
		"the engine process is not there, or is of another version"}
	wordUnchecked = word{"authentication-unavailable", http.StatusServiceUnavailable, "who asks cannot be checked now",
		"the file of tokens, `client_ca`, the users of the host or the OpenID provider cannot be asked, or not yet; the token may be a good one"}
	wordStorage = word{"storage", http.StatusServiceUnavailable, "the service cannot write to its disk",
		"its disk, or its engine's, is full or has failed, or another user could change what the engine keeps; nothing was accepted"}
	wordOverload = word{"overload", http.StatusServiceUnavailable, "too much is asked at a time",
		"this principal, or all together, have as many requests, waits, streams or bytes under way as there are places for"}
	wordNotReady = word{"not-ready", http.StatusServiceUnavailable, "the service takes no requests now",
		"`/readyz`: it ends, or its engine does not answer"}
)
