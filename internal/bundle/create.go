package bundle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"hotcell/internal/beneath"
	"hotcell/internal/durable"
	"hotcell/internal/table"
)

// CreateOptions is what Create needs. Every field is required but those of tables.
type CreateOptions struct {
	Dir              string
	Name             string
	Version          string // of the data
	Study            string
	Deidentification Deidentification
	// Tables names the DataFrames by the path of their file; "" means that the
	// file is none. A CSV, TSV or JSON Lines file that is not in it gets its path without
	// the extension, with underscores for what a Python name cannot hold. A Parquet file
	// becomes a table only here, because most images have no reader for it.
	Tables map[string]string
	// Choices are what a person decided of a table's columns, by the path of its file. Of
	// those of EveryTable only the texts that mean missing are for all.
	Choices map[string]table.Choices
	// Like is an earlier manifest. Tables of the same path get the types, what is missing,
	// the delimiter and the encoding that they have there; Choices, Delimiters and Encodings come
	// before it.
	Like *Manifest
	// Delimiters are those of CSV files that have no commas, by their path: "semicolon",
	// "tab" or "pipe".
	Delimiters map[string]string
	// Encodings names the encoding of tables by the path of their file, EveryTable for all
	// others. The files stay as they are: Add makes UTF-8 of them. A table that is not in it
	// is UTF-8.
	Encodings map[string]string
	// Ignored are patterns of files and directories that are not of the bundle, as path.Match
	// has them: of a name at any depth, or with a slash of a path. Links are ignored, too.
	Ignored []string
	// Sheets are those of which alone tables are made, by the path of their workbook. One alone is
	// called after the workbook, several as they are without this.
	Sheets map[string][]string
	// AsIs are sources (source.FormatOf) of which no table is made: they are files of the bundle.
	AsIs []string
	// Progress hears how many bytes of tables have been made of sources; nil is nobody.
	Progress func(done, total int64)
	// Replace makes U+FFFD of what is no text of its encoding, which is refused else; the
	// manifest says how much that is.
	Replace bool
}

// Made is a bundle as Create described it.
type Made struct {
	Manifest Manifest
	Tables   []MadeTable // that have a schema, in the order of the files
	Notes    []string    // on all of it
}

// MadeTable is what is known of a table beside its schema. Its examples are data.
type MadeTable struct {
	File    DataFile
	Rows    int64
	Columns []table.Column // in the order of the schema
	Notes   []string       // on all of it
}

// Create writes bundle.json into a directory of data. The same files and options
// give the same bytes. It refuses links, hard links and whatever is not a regular
// file, tables that can be read in more than one way, and a directory that has a
// bundle.json; such errors are a *FaultError. Options that are wrong are told first,
// all at once, in its Fields.
func Create(ctx context.Context, options CreateOptions) (made Made, err error) {
	manifest := options.head()
	if err := options.check(manifest, time.Now()); err != nil {
		return Made{}, err
	}
	root, err := openSource(options.Dir)
	if err != nil {
		return Made{}, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return createIn(ctx, root, manifest, options)
}

// CreateIn is Create in a directory that is open already; options.Dir is its name
// in errors.
func CreateIn(ctx context.Context, root *os.Root, options CreateOptions) (Made, error) {
	manifest := options.head()
	if err := options.check(manifest, time.Now()); err != nil {
		return Made{}, err
	}
	return createIn(ctx, root, manifest, options)
}

func (o CreateOptions) head() Manifest {
	return Manifest{
		Version: formatVersion, Name: o.Name, BundleVersion: o.Version, Study: o.Study,
		Deidentification: o.Deidentification, Ignored: o.Ignored,
	}
}

func createIn(ctx context.Context, root *os.Root, manifest Manifest, options CreateOptions) (made Made, err error) {
	if _, err := root.Lstat(ManifestName); err == nil {
		return Made{}, fault("%s has a %s: remove it to make another", options.Dir, ManifestName)
	}
	sources, err := convert(ctx, root, options)
	defer func() {
		if err != nil {
			err = errors.Join(err, sources.discard())
		}
	}()
	if err != nil {
		return Made{}, err
	}
	tables, err := describe(ctx, root, sources.apply(options), sources)
	if err != nil {
		return Made{}, err
	}
	for _, each := range tables {
		manifest.Files = append(manifest.Files, each.File)
	}
	if len(manifest.Files) == 0 {
		return Made{}, fault("%s has no files in it: put the data there first", options.Dir)
	}
	manifest.sortFiles()
	if err := manifest.Validate(); err != nil {
		return Made{}, err
	}
	tables = slices.DeleteFunc(tables, func(each MadeTable) bool { return each.File.Schema == nil })
	slices.SortFunc(tables, func(a, b MadeTable) int { return strings.Compare(a.File.Path, b.File.Path) })
	return Made{manifest, tables, options.gone(manifest)}, writeManifest(root, manifest)
}

// check reports what is wrong with the head of a manifest, and with the encodings, as one
// *FaultError with Fields. Nobody has attested anything on a day that is still to come; the
// days are local ones, as people write them.
func (o CreateOptions) check(manifest Manifest, now time.Time) error {
	found := manifest.checkHead()
	_, unknown := o.encodings()
	found = slices.Concat(found, unknown, o.checkSources())
	today := now.Format(time.DateOnly)
	date := manifest.Deidentification.AttestedOn
	if _, err := time.Parse(time.DateOnly, date); err == nil && date > today {
		found = append(found, FieldFault{attestedOn, fmt.Sprintf("is in the future: today is %s", today)})
	}
	if until := manifest.Deidentification.ValidUntil; len(found) == 0 && manifest.Deidentification.Expired(today) {
		found = append(found, FieldFault{validUntil, fmt.Sprintf("is %s, and today is %s: it has expired", until, today)})
	}
	if len(found) == 0 {
		return nil
	}
	sentences := make([]string, len(found))
	for i, field := range found {
		sentences[i] = field.String()
	}
	return &FaultError{message: strings.Join(sentences, "; "), Fields: found}
}

// openSource follows no other user's link: it would choose in which directory root
// writes a manifest, and of which one root makes a bundle.
func openSource(dir string) (*os.Root, error) {
	root, err := durable.OpenDir(dir)
	if err != nil {
		return nil, fault("open bundle: %s", err)
	}
	return root, nil
}

// writeManifest leaves no half-written file.
func writeManifest(root *os.Root, manifest Manifest) (err error) {
	encoded, err := manifest.encode()
	if err != nil {
		return err
	}
	file, err := root.OpenFile(ManifestName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("write %s: %w", ManifestName, err)
	}
	_, err = file.Write(encoded)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", ManifestName, err), root.Remove(ManifestName))
	}
	return nil
}

// walk visits the regular files of a bundle's directory but those that are passed over, and
// refuses everything else, as a *FaultError.
func walk(ctx context.Context, root *os.Root, pass func(path string) bool, file func(*beneath.Node) error) error {
	return walkAll(ctx, root, pass, func(node *beneath.Node) error {
		if node.Kind == beneath.Directory {
			return nil
		}
		return file(node)
	})
}

// walkAll visits directories as well.
func walkAll(ctx context.Context, root *os.Root, pass func(path string) bool, visit func(*beneath.Node) error) error {
	limits := beneath.Extent{Entries: 3*maxFiles + 3, Depth: maxDepth, Pass: pass}
	err := beneath.Walk(ctx, root, limits, func(node *beneath.Node) error {
		if reason := unfit(node); reason != "" {
			return fault("%s: %s", beneath.Escape(node.Path), reason)
		}
		return visit(node)
	})
	if errors.Is(err, beneath.ErrTooMany) {
		return fault("the bundle has too many files and directories: at most %d files", maxFiles)
	}
	return err
}

// unfit says why an entry cannot be in a bundle, or "".
func unfit(node *beneath.Node) string {
	switch {
	case node.Problem != nil:
		return node.Problem.Error()
	case node.Kind == beneath.Directory:
		return ""
	case node.Kind == beneath.Symlink:
		return "it is a symbolic link: put a copy of the file in its place"
	case node.Kind != beneath.Regular:
		return fmt.Sprintf("it is a %s: a bundle holds regular files only", node.Kind)
	case strings.HasSuffix(node.Path, partSuffix):
		return leftPart
	case node.Links != 1:
		return fmt.Sprintf("it has %d hard links, so it can be changed under another name: put a copy in its place", node.Links)
	case node.Special():
		return "it has its setuid, setgid or sticky bit set: clear it"
	}
	return ""
}
