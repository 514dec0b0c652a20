package service

import (
	"context"
	"encoding/base64"
	"maps"
	"slices"
	"strings"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/job"
)

// SessionFilter narrows a list of sessions. Zero fields narrow nothing.
type SessionFilter struct {
	Status api.SessionState
	Limit  int    // of one page
	Cursor string // of the page before, or ""
}

// ListSessions is a page of the sessions that a principal sees, the newest first, without results:
// those that are open, and those that have ended lately.
func (s *Broker) ListSessions(_ context.Context, who access.Principal, filter SessionFilter) (api.Sessions, error) {
	if who.Name == "" {
		return api.Sessions{}, errNobody
	}
	before, err := readCursor(filter.Cursor)
	if err != nil {
		return api.Sessions{}, err
	}
	most := min(max(filter.Limit, 1), maxPage)
	if filter.Limit == 0 {
		most = defaultPage
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := slices.SortedFunc(maps.Keys(s.sessions), func(a, b job.ID) int { return strings.Compare(b.String(), a.String()) })
	page := api.Sessions{Sessions: []api.Session{}}
	for _, id := range ids {
		x := s.sessions[id]
		isPast := before != job.ID{} && id.String() >= before.String()
		if isPast || !who.Sees(x.owner) || filter.Status != "" && x.state != filter.Status {
			continue
		}
		if len(page.Sessions) == most {
			page.NextCursor = writeCursor(page.Sessions[most-1].SessionID)
			break
		}
		shown := x.shown()
		shown.Result = nil
		page.Sessions = append(page.Sessions, shown)
	}
	return page, nil
}

// readCursor is the last id of the page before, or none for the first page.
func readCursor(cursor string) (id job.ID, err error) {
	if cursor == "" {
		return job.ID{}, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		id, err = job.ParseID(string(text))
	}
	if err != nil {
		return job.ID{}, ErrCursor
	}
	return id, nil
}

func writeCursor(last job.ID) string {
	return base64.RawURLEncoding.EncodeToString([]byte(last.String()))
}
