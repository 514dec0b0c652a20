package access

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/user"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"hotcell/internal/unixsocket"
)

// peerKey is of the other end's user in a connection's context.
type peerKey struct{}

// peer is the user at the other end of a unix socket.
type peer struct {
	uid    uint32
	name   string   // of the user's entry, or uid-1000
	groups []string // by their names
	err    error    // why the groups are not known
}

// ConnContext asks once per connection who is at the other end. It is http.Server.ConnContext of
// every listener: a connection that is of no unix socket has no peer, and perhaps one that can be
// verified again.
func ConnContext(ctx context.Context, conn net.Conn) context.Context {
	ctx = verifying(ctx, conn)
	uid, err := unixsocket.PeerUID(conn)
	if err != nil {
		return ctx // nobody that is known
	}
	return context.WithValue(ctx, peerKey{}, connected{uid, sync.OnceValue(func() peer { return lookUp(uid) })})
}

// connected is what a connection's context has.
type connected struct {
	uid    uint32
	lookUp func() peer
}

// peerOf looks the user up with the first request, not while the next connection waits.
func peerOf(ctx context.Context) (peer, bool) {
	found, ok := ctx.Value(peerKey{}).(connected)
	if !ok {
		return peer{}, false
	}
	return found.lookUp(), true
}

// userName is what useradd takes. An entry may be called otherwise, and then goes by its number.
var (
	userName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.@-]{0,63}$`)
	uidName  = regexp.MustCompile(`^uid-[0-9]+$`)
)

func lookUp(uid uint32) peer {
	found := peer{uid: uid, name: fmt.Sprintf("uid-%d", uid)}
	entry, err := user.LookupId(strconv.FormatUint(uint64(uid), 10))
	if _, unknown := errors.AsType[user.UnknownUserIdError](err); unknown {
		return found // in no group but its process's, which is its own to choose
	}
	if err != nil {
		found.err = fmt.Errorf("look up user %d: %w", uid, err)
		return found
	}
	if userName.MatchString(entry.Username) && !uidName.MatchString(entry.Username) {
		found.name = entry.Username
	}
	found.groups, found.err = groupsOf(entry)
	return found
}

func groupsOf(entry *user.User) ([]string, error) {
	ids, err := entry.GroupIds()
	if err != nil {
		return nil, fmt.Errorf("look up the groups of user %s: %w", entry.Uid, err)
	}
	var names []string
	for _, id := range ids {
		group, err := user.LookupGroupId(id)
		if _, unknown := errors.AsType[user.UnknownGroupIdError](err); unknown {
			continue // it has no name that could be listed
		}
		if err != nil {
			return nil, fmt.Errorf("look up group %s: %w", id, err)
		}
		names = append(names, group.Name)
	}
	return names, nil
}

// Peers are the users of this host that may ask over a unix socket: those that are named, those of
// groups that are named, and root, who has every scope. A principal is user:NAME, or
// user:uid-1000 for a user without an entry.
type Peers struct {
	Users  []string // by their names, or uid-1000
	Groups []string
	Scopes []Scope // of each of them
}

// Carries implements Method. The connection speaks where the request brings nothing of its own.
func (p Peers) Carries(r *http.Request) bool {
	return r.Context().Value(peerKey{}) != nil && !Presented(r)
}

// Authenticate implements Authenticator.
func (p Peers) Authenticate(r *http.Request) (Principal, error) {
	found, known := peerOf(r.Context())
	if !known {
		return Principal{}, fmt.Errorf("%w: the connection is of no unix socket", ErrUnknown)
	}
	if found.uid == 0 {
		return Principal{"user:root", []Scope{ScopeAdmin}}, nil
	}
	listed := slices.Contains(p.Users, found.name)
	if !listed && found.err != nil {
		return Principal{}, found.err
	}
	if !listed && !slices.ContainsFunc(found.groups, func(one string) bool { return slices.Contains(p.Groups, one) }) {
		return Principal{}, fmt.Errorf("%w: user %s may not use this service: ask its administrator to add it to the users or groups of its configuration", ErrUnknown, found.name)
	}
	return Principal{"user:" + found.name, slices.Clone(p.Scopes)}, nil
}
