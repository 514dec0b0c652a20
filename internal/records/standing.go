package records

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/output"
)

// Standing is a run of the chain, and what of it was deleted by an event.
type Standing struct {
	Event   Event
	Deleted map[string]bool // by PartRecord, PartCode and PartQuarantine
}

// Standing are the runs of the chain, oldest first: those that should be there, and those of
// which an event says why they are not.
func (v *View) Standing(ctx context.Context) ([]Standing, error) {
	known, all := newDeletions(), []Standing{}
	err := v.each(ctx, func(event Event) error {
		if _, twice := known.records[event.RunID]; event.Kind == KindRun && !twice {
			all = append(all, Standing{Event: event})
		}
		known.note(event)
		return nil
	})
	if err != nil && !errors.Is(err, ErrTorn) {
		return nil, err
	}
	for n, one := range all {
		all[n].Deleted = known.deleted[one.Event.RunID]
	}
	return all, nil
}

// standing is one run that should be there, or ErrNotFound.
func (v *View) standing(ctx context.Context, id job.ID) (Standing, error) {
	all, err := v.Standing(ctx)
	for _, run := range all {
		if run.Event.RunID == id && !run.Deleted[PartRecord] {
			return run, nil
		}
	}
	return Standing{}, cmp.Or(err, ErrNotFound)
}

// ErrLost is wrapped by the error for a run of which nothing is there, and no event says why.
var ErrLost = errors.New("nothing of it is there, and no event of the chain says that it was deleted")

// ErrUnlike is wrapped by the error for a run of which something else is there than was recorded.
var ErrUnlike = errors.New("it is not what was recorded: `runner records verify` tells what was changed")

// Measured is what is kept of a run, in bytes as they were recorded.
type Measured struct {
	Record Record
	// Bytes are those of each part that is kept, PartCode within PartRecord. It is nil for a
	// run that is being put in its place.
	Bytes map[string]int64
}

// Measure says how much is kept of a run. Who decides by sizes what is deleted decides by what
// was recorded, or a file that somebody has put beside one run would have others deleted: the
// sizes are those of the record that the chain names, and of the index that this names. What lies
// there must be of these names, kinds and sizes (ErrUnlike); contents are compared by Compare.
func (v *View) Measure(ctx context.Context, run Standing) (found Measured, err error) {
	id := run.Event.RunID
	root, err := v.find(id)
	if errors.Is(err, fs.ErrNotExist) {
		return Measured{}, fmt.Errorf("run %s: %w", id, ErrLost)
	}
	if err != nil {
		return Measured{}, fmt.Errorf("run %s: %w", id, err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	if isDraft(root) {
		return Measured{}, nil
	}
	record, bytes, err := v.sized(ctx, id)
	if err != nil {
		return Measured{}, err
	}
	found = Measured{record, map[string]int64{}}
	files := map[string]int64{recordName: bytes}
	for _, file := range record.Result.Files {
		files[path.Join(filesName, file.Path)] = file.Bytes
	}
	if err := measureSaved(ctx, root, run, found, files); err != nil {
		return Measured{}, fmt.Errorf("run %s: %w", id, err)
	}
	whole := recorded{files: files, dirs: dirsOf(files)}
	if run.Deleted[PartCode] {
		whole.left = record.Code
	}
	if found.Bytes[PartRecord], err = whole.measure(ctx, root); err != nil {
		return Measured{}, fmt.Errorf("run %s: %w", id, err)
	}
	if err := v.measureQuarantine(ctx, run, found); err != nil {
		return Measured{}, fmt.Errorf("run %s: its quarantine: %w", id, err)
	}
	return found, nil
}

// measureSaved adds what has a hash in the record or in the event, and no size: it is read.
func measureSaved(ctx context.Context, root *os.Root, run Standing, found Measured, files map[string]int64) (err error) {
	record := found.Record
	if sum := run.Event.Subject(RoleStatement); sum != "" {
		if files[statementName], err = bytesNamed(ctx, root, statementName, maxRecord, sum); err != nil {
			return err
		}
	}
	switch {
	case record.Code == "" || run.Deleted[PartCode]:
		return nil
	case record.CodeFileSHA256 != "":
		files[record.Code], err = bytesNamed(ctx, root, record.Code, maxSaved, record.CodeFileSHA256)
	case scriptOf(ctx, root, record.Code) != record.Result.Provenance.CodeSHA256:
		err = fmt.Errorf("%s: %w", beneath.Escape(record.Code), ErrUnlike)
	default:
		files[record.Code] = anySize // of the header nothing was recorded
	}
	found.Bytes[PartCode] = max(files[record.Code], 0)
	return err
}

// bytesNamed is the size of the file that a hash names.
func bytesNamed(ctx context.Context, root *os.Root, name string, most int64, want digest.Hex) (int64, error) {
	data, err := beneath.ReadFile(ctx, root, name, most)
	if context.Cause(ctx) != nil {
		return 0, context.Cause(ctx)
	}
	if err != nil || digest.Of(data).Hex() != want {
		return 0, errors.Join(fmt.Errorf("%s: %w", beneath.Escape(name), ErrUnlike), err)
	}
	return int64(len(data)), nil
}

// measureQuarantine adds what was refused. Before records had the hash of its index nothing says
// how much it was: it counts as nothing.
func (v *View) measureQuarantine(ctx context.Context, run Standing, found Measured) (err error) {
	id := run.Event.RunID
	if run.Deleted[PartQuarantine] {
		return nil
	}
	root, err := openDir(v.QuarantinePath(id))
	switch {
	case errors.Is(err, fs.ErrNotExist) && !found.Record.Quarantined:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("it has been removed: %w", ErrUnlike)
	case err != nil:
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	_, index, err := v.indexed(ctx, id)
	if err != nil {
		return errors.Join(ErrUnlike, err)
	}
	files := map[string]int64{output.IndexName: anySize}
	if bound := found.Record.QuarantineSHA256; found.Record.namesQuarantine() {
		if files[output.IndexName], err = bytesNamed(ctx, root, output.IndexName, maxRecord, bound); err != nil {
			return err
		}
	}
	for _, entry := range index.Entries {
		if entry.Blob != "" {
			files[entry.Blob] = entry.Bytes
		}
	}
	bytes, err := recorded{files: files}.measure(ctx, root)
	if !found.Record.namesQuarantine() {
		bytes = 0
	}
	found.Bytes[PartQuarantine] = bytes
	return err
}

// anySize is for a file of which no size was recorded, and which counts as nothing.
const anySize = -1

// recorded is what should lie in a directory.
type recorded struct {
	files map[string]int64 // and their sizes
	dirs  map[string]bool
	left  string // code that an event has deleted and that the next `runner gc` does, or ""
}

// measure sums up what was recorded, if that is there and nothing else.
func (r recorded) measure(ctx context.Context, root *os.Root) (bytes int64, err error) {
	missing := len(r.files)
	err = beneath.Walk(ctx, root, extent, func(node *beneath.Node) error {
		size, named := r.files[node.Path]
		switch {
		case node.Kind == beneath.Directory && node.Problem == nil && r.dirs[node.Path], node.Path == r.left:
			return nil
		case node.Kind != beneath.Regular || !named:
			return fmt.Errorf("%s does not belong there: %w", beneath.Escape(node.Path), ErrUnlike)
		case size != anySize && node.Bytes != size:
			return fmt.Errorf("%s has another size: %w", beneath.Escape(node.Path), ErrUnlike)
		}
		missing--
		bytes += max(size, 0)
		return nil
	})
	if err == nil && missing > 0 {
		err = fmt.Errorf("a file of it has been removed: %w", ErrUnlike)
	}
	return bytes, err
}

// Compare reads all that is there of a run, and compares it with what was recorded (ErrUnlike): it
// is Measure with the contents. Of what the chain says of other things, as Verify does, it says nothing.
func (v *View) Compare(ctx context.Context, id job.ID) (err error) {
	run, err := v.standing(ctx, id)
	if err != nil {
		return err
	}
	if _, err := v.Measure(ctx, run); err != nil {
		return err
	}
	root, err := openDir(v.Path(id))
	if err != nil {
		return fmt.Errorf("run %s: %w", id, err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	c, err := newVerifier(v, VerifyOptions{})
	if err != nil {
		return err
	}
	c.deleted[id] = run.Deleted
	found, err := c.hashAll(ctx, run.Event, root)
	if err != nil {
		return err
	}
	record, ok := c.record(ctx, run.Event, root, found)
	if ok {
		delete(found, statementName) // Measure has held it to its hash
		c.compare(ctx, run.Event, record, root, found)
		err = c.quarantine(ctx, record, root)
	}
	for _, fault := range c.faults {
		err = errors.Join(err, fmt.Errorf("%s: %w", fault.Message, ErrUnlike))
	}
	return err
}
