package records

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// What an event of KindDeletion names, beside its run, that a rule has deleted of it.
const (
	PartRecord     = "record" // all of it
	PartCode       = "code"
	PartQuarantine = "quarantine"
)

// extent bounds what is looked at of one run. No policy lets so many files out.
var extent = beneath.Extent{Depth: 64, Entries: 1 << 20}

// run compares one event with the record that it names.
func (c *verifier) run(ctx context.Context, event Event) error {
	id := event.RunID
	gone := c.deleted[id]
	root, err := c.find(id)
	switch {
	case errors.Is(err, fs.ErrNotExist) && gone[PartRecord]:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		c.add(Missing, id, "", "line %d: the record of run %s has been removed", event.Seq, id)
		return nil
	case err != nil:
		c.add(Unreadable, id, "", "line %d: the record of run %s cannot be read: %w", event.Seq, id, err)
		return nil
	}
	defer root.Close()
	c.draft(ctx, id, root)
	c.found.Runs++
	return c.in(ctx, event, root)
}

// in compares one event with the directory of its run.
func (c *verifier) in(ctx context.Context, event Event, root *os.Root) error {
	found, err := c.hashAll(ctx, event, root)
	if err != nil {
		return err
	}
	c.sums = maps.Clone(found)
	record, ok := c.record(ctx, event, root, found)
	if !ok {
		return nil
	}
	c.statement(ctx, event, record, root, found)
	c.tables(record)
	c.compare(ctx, event, record, root, found)
	c.releases.leaves(record)
	if c.view == nil { // what was refused is in no copy
		return nil
	}
	return c.quarantine(ctx, record, root)
}

func (c *verifier) find(id job.ID) (*os.Root, error) { return c.view.find(id) }

// find opens a record: in its place, or in the draft that the next sweep puts there, or
// that is being put there.
func (v *View) find(id job.ID) (*os.Root, error) {
	for _, dir := range []string{v.Path(id), v.draftPath(id), v.Path(id)} {
		root, err := openDir(dir)
		if !errors.Is(err, fs.ErrNotExist) {
			return root, err
		}
	}
	return nil, fs.ErrNotExist
}

func isDraft(root *os.Root) bool { return strings.HasPrefix(filepath.Base(root.Name()), draftPrefix) }

// hashed is one file of a run's directory.
type hashed struct {
	sum   digest.Hex
	bytes int64
}

// bounds are how many bytes the files of a run may have: as many as its record says, if that is the
// one of its event. What it does not name has none. Beside them are the directories that these
// files are in, or nil where no record says it.
func bounds(ctx context.Context, event Event, root *os.Root) (most map[string]int64, dirs map[string]bool) {
	most = map[string]int64{recordName: maxRecord, statementName: maxRecord}
	data, err := beneath.ReadFile(ctx, root, recordName, maxRecord)
	if err != nil || digest.Of(data).Hex() != event.Subject(RoleRecord) {
		return most, nil
	}
	record, err := parseRecord(data, event.RunID)
	if err != nil {
		return most, nil
	}
	if record.Code != "" {
		most[record.Code] = maxSaved
	}
	for _, file := range record.Result.Files {
		most[path.Join(filesName, file.Path)] = file.Bytes
	}
	return most, dirsOf(most)
}

// dirsOf are the directories that files are in, and that of a run's files.
func dirsOf(files map[string]int64) map[string]bool {
	dirs := map[string]bool{".": true, filesName: true}
	for name := range files {
		for dir := path.Dir(name); !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	return dirs
}

// hashAll reads everything in a run's directory that may be what its record names. Of the rest it
// is enough that it is there: somebody may have made it endless.
func (c *verifier) hashAll(ctx context.Context, event Event, root *os.Root) (map[string]hashed, error) {
	id, found := event.RunID, map[string]hashed{}
	most, dirs := bounds(ctx, event, root)
	err := beneath.Walk(ctx, root, extent, func(node *beneath.Node) error {
		switch {
		case node.Kind == beneath.Directory && node.Problem == nil && (dirs[node.Path] || dirs == nil && strings.HasPrefix(node.Path+"/", filesName+"/")):
			return nil
		case isDraft(root) && (node.Path == quarantineName || strings.HasPrefix(node.Path, quarantineName+"/")):
			return nil
		case node.Kind != beneath.Regular:
			c.add(Added, id, node.Path, "run %s: %s does not belong there: it is a %s", id, beneath.Escape(node.Path), node.Kind)
			return nil
		case slices.Contains(c.besides, node.Path):
			return nil
		case node.Bytes > most[node.Path]:
			found[node.Path] = hashed{"", node.Bytes}
			return nil
		}
		one, err := hashNode(ctx, node, most[node.Path])
		if context.Cause(ctx) != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			c.add(Unreadable, id, node.Path, "run %s: %w", id, err)
			return nil
		}
		found[node.Path] = one
		c.found.Files++
		c.found.Bytes += one.bytes
		return nil
	})
	if err != nil && context.Cause(ctx) == nil {
		c.add(Unreadable, id, "", "run %s: %w", id, err)
		return found, nil
	}
	return found, err
}

func hashNode(ctx context.Context, node *beneath.Node, most int64) (one hashed, err error) {
	file, err := node.Open()
	if err != nil {
		return hashed{}, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	size, sum, err := beneath.Copy(ctx, io.Discard, file, most)
	return hashed{sum.Hex(), size}, err
}

// record reads record.json where it is the one that the event names.
func (c *verifier) record(ctx context.Context, event Event, root *os.Root, found map[string]hashed) (record Record, ok bool) {
	id := event.RunID
	one, there := found[recordName]
	delete(found, recordName)
	switch {
	case !there:
		c.add(Missing, id, recordName, "line %d: the record of run %s has been removed", event.Seq, id)
		return record, false
	case one.sum != event.Subject(RoleRecord):
		c.add(Changed, id, recordName, "line %d: the record of run %s has been altered", event.Seq, id)
		return record, false
	}
	data, err := beneath.ReadFile(ctx, root, recordName, maxRecord)
	if err == nil {
		record, err = parseRecord(data, id)
	}
	if err != nil {
		c.add(Unreadable, id, recordName, "line %d: %w", event.Seq, err)
		return record, false
	}
	if record.Result.Status != event.Status {
		c.add(Changed, id, recordName, "line %d: run %s has the status %s in the chain and %s in its record", event.Seq, id, event.Status, record.Result.Status)
	}
	return record, true
}

var errIllFormed = errors.New("it is no record of ours")

// parseRecord reads record.json.
func parseRecord(data []byte, id job.ID) (record Record, err error) {
	if version := versionOf(data); version > recordVersion {
		return Record{}, fmt.Errorf("get record %s: it is of version %d: %w", id, version, ErrNewer)
	}
	if err := strictjson.Decode(data, maxRecord, &record); err != nil {
		return Record{}, fmt.Errorf("get record %s: %w: %w", id, errIllFormed, err)
	}
	if record.Version < 1 || record.Version > recordVersion || record.Result.RunID != id {
		return Record{}, fmt.Errorf("get record %s: %w: it is of version %d and of run %s", id, errIllFormed, record.Version, record.Result.RunID)
	}
	return record, nil
}

// compare holds what a run left to its record. What remains in found nobody has named.
func (c *verifier) compare(ctx context.Context, event Event, record Record, root *os.Root, found map[string]hashed) {
	id := event.RunID
	c.event(event, record)
	if actor := record.Result.Provenance.Actor; actor != nil && !reflect.DeepEqual(*actor, event.Actor) {
		c.add(Changed, id, "", "line %d: run %s was asked for by somebody else, its record says", event.Seq, id)
	}
	if record.Code != "" {
		c.code(ctx, record, root, found)
	}
	for _, file := range record.Result.Files {
		name := path.Join(filesName, file.Path)
		one, there := found[name]
		delete(found, name)
		switch {
		case !there:
			c.add(Missing, id, name, "run %s: the file %s has been removed", id, beneath.Escape(name))
		case one.sum != file.SHA256 || one.bytes != file.Bytes:
			c.add(Changed, id, name, "run %s: the file %s has been altered", id, beneath.Escape(name))
		}
	}
	for name := range found {
		c.add(Added, id, name, "run %s: the file %s does not belong there: its record does not name it", id, beneath.Escape(name))
	}
}

// event holds all that a run's event says to its record. Lines and records of version 1 say less.
func (c *verifier) event(event Event, record Record) {
	want := runEvent(record, event.Subject(RoleRecord), event.Actor)
	want.Subjects = append(want.Subjects, event.signature()...)
	want.Status = event.Status // of which record tells
	if event.Version > 1 && record.Version > 1 && !reflect.DeepEqual(event.said(), want) {
		c.add(Changed, event.RunID, "", "line %d: the event of run %s says something else than its record", event.Seq, event.RunID)
	}
}

// code compares the saved code. Records of version 1 have the hash of the script only,
// which is what follows the header.
func (c *verifier) code(ctx context.Context, record Record, root *os.Root, found map[string]hashed) {
	id := record.Result.RunID
	one, there := found[record.Code]
	delete(found, record.Code)
	if there && c.deleted[id][PartCode] {
		c.codeLeft[id] = record.Code
	}
	switch {
	case !there && c.deleted[id][PartCode]:
	case !there:
		c.add(Missing, id, record.Code, "run %s: its code, %s, has been removed", id, beneath.Escape(record.Code))
	case record.CodeFileSHA256 != "" && one.sum != record.CodeFileSHA256,
		record.CodeFileSHA256 == "" && scriptOf(ctx, root, record.Code) != record.Result.Provenance.CodeSHA256:
		c.add(Changed, id, record.Code, "run %s: its code, %s, has been altered", id, beneath.Escape(record.Code))
	}
}

// statement checks what was signed about a run. One that must be signed and is not is found in
// the chain: see keyInUse.
func (c *verifier) statement(ctx context.Context, event Event, record Record, root *os.Root, found map[string]hashed) {
	id, wanted := event.RunID, event.Subject(RoleStatement)
	one, there := found[statementName]
	delete(found, statementName)
	switch {
	case wanted == "" && there:
		c.add(Added, id, statementName, "run %s: its statement does not belong there: its event does not name it", id)
		return
	case wanted == "":
		return
	case !there:
		c.add(Missing, id, statementName, "run %s: its statement has been removed", id)
		return
	case one.sum != wanted:
		c.add(Changed, id, statementName, "run %s: its statement has been altered", id)
		return
	}
	envelope, err := beneath.ReadFile(ctx, root, statementName, maxRecord)
	if err != nil {
		c.add(Unreadable, id, statementName, "run %s: its statement: %w", id, err)
		return
	}
	c.open(ctx, envelope, signedFor{record, event.Subject(RoleRecord), event, c.places()})
}

// open checks what a statement says, and, where there are keys, that its run's has signed it.
func (c *verifier) open(ctx context.Context, envelope []byte, about signedFor) {
	id, by := about.event.RunID, about.event.Subject(RoleKey)
	problem, open := Changed, func() ([]byte, error) { return unopened(envelope) }
	if len(c.keys) > 0 {
		key, given := c.keys[by]
		if !given && !c.passes {
			c.add(Unsigned, id, statementName, "run %s: its statement: the key of its event, %s, is none of those that were given", id, short(by))
			return
		}
		if given {
			problem, open = Unsigned, func() ([]byte, error) { return key.Open(ctx, envelope) }
		}
	}
	signed, err := open()
	if err == nil {
		err = checkStatement(signed, about)
	}
	switch {
	case err != nil:
		c.add(problem, id, statementName, "run %s: its statement: %w", id, err)
	case len(c.keys) > 0:
		c.found.Signed++
		if c.found.SignedBy == nil {
			c.found.SignedBy = map[digest.Hex]int64{}
		}
		c.found.SignedBy[by]++
	}
}

// scriptOf is the hash of the script in a file of saved code, or "".
func scriptOf(ctx context.Context, root *os.Root, name string) digest.Hex {
	data, err := beneath.ReadFile(ctx, root, name, maxRecord)
	_, script, found := bytes.Cut(data, []byte(codeBegins))
	if err != nil || !found {
		return ""
	}
	return digest.Of(script).Hex()
}
