package records

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
)

// ownerHas is how long a verifier waits for the owner of a draft whose run the chain has: all that
// he has left to do is to rename it.
const ownerHas = time.Second

// draft compares a draft whose run the chain has with what the next sweep can put in its place.
func (c *verifier) draft(ctx context.Context, id job.ID, run *os.Root) {
	if _, err := os.Lstat(c.view.draftPath(id)); err != nil {
		return
	}
	if !isDraft(run) { // a draft becomes the record
		c.add(Added, id, "", "run %s: %s lies beside its record, and none of this store's does: look what it is, and move it away", id, draftPrefix+id.String())
		return
	}
	if c.view.twoQuarantines(draftPrefix+id.String(), id) {
		c.add(Added, id, "", "run %s: %s has a quarantine, and there is another in its place: look which is which, and move one away", id, draftPrefix+id.String())
		return
	}
	if abandoned(ctx, run) {
		if _, err := os.Lstat(c.view.draftPath(id)); err == nil { // it was not renamed meanwhile
			c.add(OutOfOrder, id, "", "run %s: its record lies in %s, and nobody is putting it in its place: the next run does", id, draftPrefix+id.String())
		}
	}
}

// abandoned reports whether nobody holds a draft, which was opened before.
func abandoned(ctx context.Context, draft *os.Root) bool {
	dir, err := draft.Open(".")
	if err != nil {
		return false
	}
	soon, cancel := context.WithTimeout(ctx, ownerHas)
	defer cancel()
	return errors.Join(durable.WaitShared(soon, dir), dir.Close()) == nil
}

// twoQuarantines reports whether a draft has a quarantine where its run has one in its place: a
// rename moves it from the one to the other, and so neither is to be believed.
func (v *View) twoQuarantines(draft string, id job.ID) bool {
	for _, place := range []string{v.QuarantinePath(id), filepath.Join(v.runs(), draft, quarantineName)} {
		if _, err := os.Lstat(place); err != nil {
			return false
		}
	}
	return true
}

// draftStatement looks at a draft among the statements about releases. One that a runner leaves
// is a file with the hash of a statement in its name, and none of that name is there.
func (c *verifier) draftStatement(name string) {
	sum := digest.Hex(strings.TrimPrefix(name, draftPrefix))
	_, placed := os.Lstat(filepath.Join(c.view.dir, statementPath(sum))) // first: it gets there by a rename
	info, err := os.Lstat(filepath.Join(c.view.dir, releasesDir, name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case sum.Check() != nil || err != nil || !info.Mode().IsRegular():
		c.add(Added, job.ID{}, "", "%q lies among the statements about releases, and is no draft of one: look what it is, and move it away", Brief(name))
	case placed == nil:
		c.add(Added, job.ID{}, "", "the draft %q lies beside the statement about a release that it is to become: look what it is, and move it away", Brief(name))
	}
}

// placeable says of a draft among the statements, whose event the chain has, whether it is the
// statement. What is not stays, and verify tells of it.
func (s *Store) placeable(ctx context.Context, store *os.Root, sum digest.Hex) (bool, error) {
	if _, err := store.Lstat(statementPath(sum)); !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	found, err := hashFile(ctx, filepath.Join(s.dir, path.Join(releasesDir, draftPrefix+string(sum))))
	if context.Cause(ctx) != nil {
		return false, context.Cause(ctx)
	}
	return err == nil && found.Hex() == sum, nil
}
