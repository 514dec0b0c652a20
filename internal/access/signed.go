package access

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"net/http"
)

// Signed are all clients whose certificate the listener has verified, whichever name it has: whoever signs
// for them decides who they are. All may the same.
type Signed struct{ Scopes []Scope }

// Carries implements Method.
func (s Signed) Carries(r *http.Request) bool {
	return r.TLS != nil && len(r.TLS.PeerCertificates) > 0
}

// Authenticate implements Authenticator.
func (s Signed) Authenticate(r *http.Request) (Principal, error) {
	if !s.Carries(r) {
		return Principal{}, fmt.Errorf("%w: there is no certificate", ErrUnknown)
	}
	if err := stillLetIn(r); err != nil {
		return Principal{}, err
	}
	leaf := r.TLS.PeerCertificates[0]
	return Principal{"cert:" + cmp.Or(leaf.Subject.CommonName, hex.EncodeToString(leaf.SerialNumber.Bytes())), s.Scopes}, nil
}
