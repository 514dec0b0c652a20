package job

// Actor is who caused something, as far as it is known. The zero Actor is nobody that is
// known, which is not root.
type Actor struct {
	// UID is the user whose process it was, as the kernel says, or nil.
	UID *uint32 `json:"uid"`
	// User is that user's name on this host, or "".
	User string `json:"user,omitempty"`
	// SudoUser is who became root through sudo for it, or "". The environment says so, which
	// root can set: it helps to find somebody, and proves nothing.
	SudoUser string `json:"sudo_user,omitempty"`
	// Principal is who asked a service that knows its callers otherwise than by their users,
	// in that service's words, or "".
	Principal string `json:"principal,omitempty"`
}

// ActorOf is a user of this host.
func ActorOf(uid uint32, name string) Actor { return Actor{UID: &uid, User: name} }
