package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
)

// CreateOptions is what Create needs. Every field is required, but Tables and Encodings.
type CreateOptions struct {
	Dir              string
	Name             string
	Version          string // of the data
	Study            string
	Deidentification Deidentification
	// Tables names the DataFrames by the path of their file; "" means that the
	// file is none. A CSV or JSON Lines file that is not in it gets its base name,
	// with underscores for what a Python name cannot hold. A Parquet file becomes
	// a table only here, because most images have no reader for it.
	Tables map[string]string
	// Encodings names the encoding of tables by the path of their file, EveryTable for all
	// others. The files stay as they are: Add makes UTF-8 of them, with U+FFFD for what is
	// no text, and the manifest says how much that is. A table that is not in it is UTF-8.
	Encodings map[string]string
}

// Create writes bundle.json into a directory of data. The same files and options
// give the same bytes. It refuses links, hard links and whatever is not a regular
// file, tables that pandas could not load, and a directory that has a
// bundle.json; such errors are a *FaultError. Options that are wrong are told first,
// all at once, in its Fields.
func Create(ctx context.Context, options CreateOptions) (manifest Manifest, err error) {
	manifest = options.head()
	if err := options.check(manifest, time.Now()); err != nil {
		return Manifest{}, err
	}
	root, err := openSource(options.Dir)
	if err != nil {
		return Manifest{}, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return createIn(ctx, root, manifest, options)
}

// CreateIn is Create in a directory that is open already; options.Dir is its name
// in errors.
func CreateIn(ctx context.Context, root *os.Root, options CreateOptions) (Manifest, error) {
	manifest := options.head()
	if err := options.check(manifest, time.Now()); err != nil {
		return Manifest{}, err
	}
	return createIn(ctx, root, manifest, options)
}

func (o CreateOptions) head() Manifest {
	return Manifest{
		Version: formatVersion, Name: o.Name, BundleVersion: o.Version, Study: o.Study,
		Deidentification: o.Deidentification,
	}
}

func createIn(ctx context.Context, root *os.Root, manifest Manifest, options CreateOptions) (Manifest, error) {
	if _, err := root.Lstat(ManifestName); err == nil {
		return Manifest{}, fault("%s has a %s: remove it to make another", options.Dir, ManifestName)
	}
	files, err := describe(ctx, root, options)
	if err != nil {
		return Manifest{}, err
	}
	manifest.Files = files
	if len(manifest.Files) == 0 {
		return Manifest{}, fault("%s has no files in it: put the data there first", options.Dir)
	}
	manifest.sortFiles()
	if err := manifest.Validate(); err != nil {
		return Manifest{}, err
	}
	return manifest, writeManifest(root, manifest)
}

// check reports what is wrong with the head of a manifest, and with the encodings, as one
// *FaultError with Fields. Nobody has attested anything on a day that is still to come; the
// days are local ones, as people write them.
func (o CreateOptions) check(manifest Manifest, now time.Time) error {
	found := manifest.checkHead()
	_, unknown := o.encodings()
	found = append(found, unknown...)
	today := now.Format(time.DateOnly)
	date := manifest.Deidentification.AttestedOn
	if _, err := time.Parse(time.DateOnly, date); err == nil && date > today {
		found = append(found, FieldFault{attestedOn, fmt.Sprintf("is in the future: today is %s", today)})
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

// describe hashes every file of a directory and checks its tables.
func describe(ctx context.Context, root *os.Root, options CreateOptions) ([]DataFile, error) {
	var files []DataFile
	var found []string
	used := make(map[string]bool)
	encodings, _ := options.encodings() // which check has judged
	err := walk(ctx, root, func(node *beneath.Node) error {
		file, problem, err := describeFile(ctx, node, options.Tables, encodings)
		if problem != "" {
			found = append(found, beneath.Escape(node.Path)+": "+problem)
		}
		used[node.Path] = true
		files = append(files, file)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(options.Tables)) {
		if !used[name] {
			found = append(found, beneath.Escape(name)+": there is no such file to make a table of")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(encodings)) {
		if !used[name] && name != EveryTable {
			found = append(found, beneath.Escape(name)+": there is no such file to decode")
		}
	}
	return files, faults("this cannot be a bundle", found)
}

// describeFile returns what is wrong with a file as a problem.
func describeFile(ctx context.Context, node *beneath.Node, tables, encodings map[string]string) (file DataFile, problem string, err error) {
	if err := checkFilePath(node.Path); err != nil {
		return DataFile{}, fmt.Sprintf("%s: rename it", err), nil
	}
	file = DataFile{Path: node.Path, Bytes: node.Bytes, MediaType: mediaTypeOf(node.Path)}
	if file.Table, problem = tableOf(file, tables); problem != "" {
		return DataFile{}, problem, nil
	}
	encoding, named := encodings[file.Path]
	if named && !file.decodable() {
		return DataFile{}, "only a table of CSV or JSON Lines can be decoded", nil
	}
	if !named && file.decodable() {
		encoding = encodings[EveryTable]
	}
	check := newTableCheck(file.Format())
	var already utf8Witness
	if encoding != "" {
		err = hashDecoded(ctx, node, &file, encoding, check, &already)
	} else {
		var sum digest.Digest
		sum, err = hashFile(ctx, node, file.Bytes, check)
		file.SHA256 = sum.Hex()
	}
	if err != nil {
		return DataFile{}, "", fmt.Errorf("hash %s: %w", beneath.Escape(node.Path), err)
	}
	if !named && already.garbledBy(encoding) {
		return DataFile{}, fmt.Sprintf("it is UTF-8 already, and would be garbled as %s, which is said of all tables: "+
			"name the encoding of this file by itself (--encoding '%s=%s')", encoding, beneath.Escape(node.Path), already.name()), nil
	}
	return file, check.end(), nil
}

// hashDecoded describes a file as the store will have it, and shows that to a witness, and
// the file as it came to another.
func hashDecoded(ctx context.Context, node *beneath.Node, file *DataFile, encoding string, witness, before io.Writer) error {
	decoded := digest.New()
	decoder := newDecoder(encoding, io.MultiWriter(decoded, witness))
	sum, err := hashFile(ctx, node, node.Bytes, io.MultiWriter(before, decoder))
	if err == nil {
		err = decoder.close()
	}
	if err != nil {
		return err
	}
	file.Encoding = &Encoding{Name: encoding, Replaced: decoder.replaced, Bytes: node.Bytes, SHA256: sum.Hex()}
	file.Bytes, file.SHA256 = decoder.written, decoded.Digest().Hex()
	return nil
}

// hashFile hashes a file of a known size, and shows it to a witness.
func hashFile(ctx context.Context, node *beneath.Node, size int64, witness io.Writer) (sum digest.Digest, err error) {
	from, err := node.Open()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	read, sum, err := beneath.Copy(ctx, witness, from, size)
	if err == nil && read != size {
		err = beneath.ErrChanged
	}
	return sum, err
}

// tableOf finds a table's name for a file that can be one, or what is wrong with
// the name.
func tableOf(file DataFile, tables map[string]string) (name, problem string) {
	if name, given := tables[file.Path]; given {
		return name, "" // Validate checks it
	}
	if format := tableFormats[file.MediaType]; format != "csv" && format != "jsonl" {
		return "", ""
	}
	base := path.Base(file.Path)
	name = strings.Map(identifierRune, strings.TrimSuffix(base, path.Ext(base)))
	if first := name[:min(1, len(name))]; !identifierPattern.MatchString(first) {
		return "", "rename it so that it begins with a letter, as the name of a table must"
	}
	return name, tableNameProblem(name)
}

func identifierRune(r rune) rune {
	if r < 0x80 && identifierPattern.MatchString("x"+string(r)) {
		return r
	}
	return '_'
}

// walk visits the regular files of a bundle's directory and refuses everything
// else, as a *FaultError.
func walk(ctx context.Context, root *os.Root, file func(*beneath.Node) error) error {
	limits := beneath.Extent{Entries: 2*maxFiles + 1, Depth: maxDepth}
	err := beneath.Walk(ctx, root, limits, func(node *beneath.Node) error {
		if reason := unfit(node); reason != "" {
			return fault("%s: %s", beneath.Escape(node.Path), reason)
		}
		if node.Kind == beneath.Directory {
			return nil
		}
		return file(node)
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
	case node.Links != 1:
		return fmt.Sprintf("it has %d hard links, so it can be changed under another name: put a copy in its place", node.Links)
	case node.Special():
		return "it has its setuid, setgid or sticky bit set: clear it"
	}
	return ""
}
