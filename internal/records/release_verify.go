package records

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// releases are those that a verifier compares.
type releases struct {
	kept   []string              // the names of the statements, from before the chain was read
	events []Event               // in their order
	left   map[job.ID][]job.File // the files of the runs that they are of, as far as there are records
}

// keptStatements are the names of what lies among the statements about releases.
func (v *View) keptStatements() (names []string, err error) {
	entries, err := os.ReadDir(filepath.Join(v.dir, releasesDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names, err
}

// note takes the next event.
func (r *releases) note(event Event) {
	if event.Kind == KindRelease {
		r.events = append(r.events, event)
		if r.left == nil {
			r.left = map[job.ID][]job.File{}
		}
		r.left[event.RunID] = nil
	}
}

// leaves keeps what a record says has left, where a release is compared with it.
func (r *releases) leaves(record Record) {
	if _, is := r.left[record.Result.RunID]; is {
		r.left[record.Result.RunID] = record.Result.Files
	}
}

// checkReleases compares what somebody let out with what was signed about it, and with the run.
func (c *verifier) checkReleases(ctx context.Context) error {
	known := map[string]bool{}
	for _, event := range c.releases.events {
		c.found.Releases++
		name := filepath.Base(statementPath(event.Subject(RoleStatement)))
		problem, err := c.release(ctx, event)
		if known[name] {
			problem, err = Added, errors.New("another event before it has its statement: it was released once")
		}
		known[name] = true
		if context.Cause(ctx) != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			c.add(problem, event.RunID, "", "line %d: the release of files of run %s: %w", event.Seq, event.RunID, err)
		}
	}
	for _, name := range c.releases.kept {
		if strings.HasPrefix(name, draftPrefix) {
			c.draftStatement(name)
		} else if !known[name] && c.scan.newer == 0 { // else a line that is not understood may name it
			c.add(Added, job.ID{}, "", "the statement about a release %q belongs to no event", Brief(name))
		}
	}
	return nil
}

// release compares one.
func (c *verifier) release(ctx context.Context, event Event) (Problem, error) {
	index := slices.IndexFunc(c.order, func(run Event) bool { return run.RunID == event.RunID })
	switch {
	case index < 0 || c.order[index].Seq > event.Seq:
		return Added, errors.New("there was no such run")
	case c.order[index].Subject(RoleRecord) != event.Subject(RoleRecord):
		return Changed, errors.New("it names another record than that run's")
	case event.Subject(RoleStatement) == "":
		return Changed, errors.New("it names no statement")
	}
	text, err := c.view.readStatement(ctx, event.Subject(RoleStatement))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Missing, errors.New("its statement has been removed")
	case errors.Is(err, digest.ErrMismatch):
		return Changed, errors.New("its statement has been altered")
	case err != nil:
		return Unreadable, err
	}
	if text, err = c.openRelease(ctx, event, text); err != nil {
		return Unsigned, err
	}
	var said ReleaseStatement
	if err := strictjson.Decode(text, maxRecord, &said); err != nil {
		return Changed, fmt.Errorf("its statement: %w", err)
	}
	return Changed, c.compareRelease(event, said)
}

// openRelease checks the signature, where there is a key to check it with.
func (c *verifier) openRelease(ctx context.Context, event Event, text []byte) ([]byte, error) {
	by := event.Subject(RoleKey)
	switch {
	case by == "":
		return text, nil
	case len(c.keys) == 0:
		return unopened(text)
	}
	key, given := c.keys[by]
	if !given {
		return nil, fmt.Errorf("its statement: the key of its event, %s, is none of those that were given", short(by))
	}
	signed, err := key.Open(ctx, text)
	if err != nil {
		return nil, fmt.Errorf("its statement: %w", err)
	}
	return signed, nil
}

// compareRelease holds a statement to its event, and to what its run has left.
func (c *verifier) compareRelease(event Event, said ReleaseStatement) error {
	what := said.Predicate
	switch {
	case said.Type != statementType || said.PredicateType != releaseType:
		return errors.New("its statement is about something else")
	case what.Run != event.RunID || what.Record.Digest["sha256"] != event.Subject(RoleRecord):
		return errors.New("its statement is about another run")
	case what.Reason != event.Reason || !reflect.DeepEqual(what.Actor, event.Actor):
		return errors.New("its statement says that somebody else released them, or why else")
	case what.Destination != event.Name || !what.ReleasedOn.Equal(event.Time):
		return errors.New("its statement says that they went elsewhere, or at another time")
	case !reflect.DeepEqual(event.said(), said.event(event.signature())):
		return errors.New("its statement names other files than its event, or says something else")
	}
	if err := c.places().check(event, map[string]string{paramChain: what.Chain, paramAfter: what.AfterEvent}); err != nil {
		return fmt.Errorf("its statement: %w", err)
	}
	return c.compareLeft(event, said)
}

// compareLeft holds a statement to what its run has left, as far as its record is there.
func (c *verifier) compareLeft(event Event, said ReleaseStatement) error {
	left := c.releases.left[event.RunID]
	if left == nil {
		return nil
	}
	bytes := int64(0)
	for _, file := range said.Subject {
		at := slices.IndexFunc(left, func(one job.File) bool { return one.Path == file.Name && one.SHA256 == file.Digest["sha256"] })
		if at < 0 {
			return fmt.Errorf("its statement names %q, which the run has not released", Brief(file.Name))
		}
		bytes += left[at].Bytes
	}
	if bytes != event.Bytes {
		return errors.New("its statement says that they have another size than the run's files")
	}
	return nil
}
