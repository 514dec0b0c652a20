package access

import (
	"fmt"
	"net/http"
	"strings"
)

// Method is one way to be known.
type Method interface {
	Authenticator
	// Carries reports whether a request has what this way looks at, right or wrong.
	Carries(r *http.Request) bool
}

// First is whichever of the methods a request is for. What was presented decides, and where it is
// wrong nothing else is tried: who sends a token that has expired is not the user of the socket
// instead. A request that presents two things is refused, whichever they are.
func First(methods ...Method) Authenticator { return first(methods) }

type first []Method

// Authenticate implements Authenticator.
func (f first) Authenticate(r *http.Request) (Principal, error) {
	var carried []Method
	if err := stillLetIn(r); err != nil { // also who is known by a token connects by a certificate
		return Principal{}, err
	}
	for _, method := range f {
		if method.Carries(r) {
			carried = append(carried, method)
		}
	}
	switch {
	case len(carried) > 1:
		return Principal{}, fmt.Errorf("%w: the request presents two things at once, such as a token and a certificate: send one", ErrUnknown)
	case len(carried) == 1:
		return checked(carried[0].Authenticate(r))
	case len(r.Header.Values("Authorization")) == 1 && r.Header.Get("Authorization") != "" && !strings.Contains(r.Header.Get("Authorization"), " "):
		return Principal{}, fmt.Errorf("%w: the header Authorization has to name its scheme: Authorization: Bearer hct_…", ErrUnknown)
	case Presented(r):
		return Principal{}, fmt.Errorf("%w: what the header Authorization has is of no kind that this service takes", ErrUnknown)
	}
	return Principal{}, fmt.Errorf("%w: send a token in the header Authorization (Bearer hct_…), or use another way that docs/service.md names", ErrUnknown)
}

// checked lets nobody through without a name: two of them would be one.
func checked(who Principal, err error) (Principal, error) {
	if err == nil && who.Name == "" {
		err = fmt.Errorf("%w: there is no name", ErrUnknown)
	}
	if err != nil {
		return Principal{}, err
	}
	return who, nil
}

// Presented reports whether a request brings something of its own, other than its connection.
func Presented(r *http.Request) bool { return len(r.Header.Values("Authorization")) > 0 }

// maxBearer is of a token in bytes: a JWT of a provider with hundreds of groups has less.
const maxBearer = 16 << 10

// Bearer is what the only header Authorization has behind "Bearer", as RFC 6750 has it, or "".
func Bearer(r *http.Request) string {
	values := r.Header.Values("Authorization")
	if len(values) != 1 || len(values[0]) > maxBearer {
		return ""
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "bearer") || strings.ContainsAny(token, " \t,") {
		return ""
	}
	return token
}
