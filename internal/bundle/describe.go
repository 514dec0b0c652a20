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

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/table"
)

// describe hashes every file of a directory and finds the types of its tables.
func describe(ctx context.Context, root *os.Root, options CreateOptions, sources *conversion) ([]MadeTable, error) {
	describer := describer{options: options, sources: sources}
	describer.encodings, _ = options.encodings() // which check has judged
	var files []MadeTable
	found := sources.found
	used, ignored := make(map[string]bool), passOver(options.Ignored)
	err := walk(ctx, root, ignored.pass, func(node *beneath.Node) error {
		if _, isSource := sources.tables[node.Path]; isSource {
			used[node.Path] = true
			return nil
		}
		file, problem, err := describer.file(ctx, node)
		if problem != "" {
			found = append(found, sources.title(node.Path)+": "+problem)
		}
		used[node.Path] = true
		files = append(files, file)
		return err
	})
	if err != nil {
		return nil, err
	}
	options.unmetInAll(files)
	found = slices.Concat(found, sources.unheard(options), options.unused(used), ignored.unmet())
	return files, faults("this cannot be a bundle", found)
}

// unused says which options are for files that are not there.
func (o CreateOptions) unused(used map[string]bool) []string {
	var found []string
	tell := func(names []string, what string) {
		slices.Sort(names)
		for _, name := range names {
			if !used[name] && name != EveryTable {
				found = append(found, beneath.Escape(name)+": there is no such file to "+what)
			}
		}
	}
	tell(slices.Collect(maps.Keys(o.Tables)), "make a table of")
	tell(slices.Collect(maps.Keys(o.Encodings)), "decode")
	tell(slices.Collect(maps.Keys(o.Delimiters)), "divide")
	tell(slices.Collect(maps.Keys(o.Choices)), "choose types for")
	tell(slices.Clone(o.AsIs), "leave as it is")
	tell(slices.Collect(maps.Keys(o.Sheets)), "choose a sheet of")
	return found
}

type describer struct {
	options   CreateOptions
	sources   *conversion
	encodings map[string]string // by their one name
}

// file returns what is wrong with a file as a problem.
func (d describer) file(ctx context.Context, node *beneath.Node) (made MadeTable, problem string, err error) {
	if err := checkFilePath(node.Path); err != nil {
		return MadeTable{}, fmt.Sprintf("%s: rename or delete it, or pass over it (--ignore)", err), nil
	}
	made.File = DataFile{Path: node.Path, Bytes: node.Bytes, MediaType: mediaTypeOf(node.Path)}
	if made.File.Table, problem = tableOf(made.File, d.options.Tables); problem != "" {
		return MadeTable{}, problem, nil
	}
	if _, isNamed := d.options.Tables[node.Path]; !isNamed {
		if problem := d.sources.left(node.Path); problem != "" {
			return MadeTable{}, problem, nil
		}
	}
	if problem := d.fits(&made.File); problem != "" {
		return MadeTable{}, problem, nil
	}
	if !made.File.typed() {
		sum, err := hashFile(ctx, node, node.Bytes, io.Discard)
		if err != nil {
			return MadeTable{}, "", fmt.Errorf("hash %s: %w", beneath.Escape(node.Path), err)
		}
		made.File.SHA256 = sum.Hex()
		return made, "", nil
	}
	return d.table(ctx, node, made)
}

// fits says which options are for tables of other formats, and sets the delimiter.
func (d describer) fits(file *DataFile) string {
	_, isNamed := d.encodings[file.Path]
	_, isChosen := d.options.Choices[file.Path]
	delimiter, isDivided := d.options.Delimiters[file.Path]
	if !isDivided && file.typed() {
		delimiter = d.options.earlier(file.Path).Delimiter
		isDivided = delimiter != ""
	}
	file.Delimiter = delimiter
	switch {
	case isNamed && d.sources.isOurs(file.Path):
		return "its source says itself how its texts are encoded"
	case isNamed && !file.typed():
		return "only a table of CSV, TSV or JSON Lines can be decoded"
	case isChosen && !file.typed():
		return "only a table of CSV, TSV or JSON Lines has types to choose"
	case isDivided && (!file.typed() || delimiter == ""):
		return "only a table of CSV has a delimiter: semicolon, tab or pipe"
	case isDivided:
		return file.delimiterProblem()
	}
	return ""
}

// choices are those of a file, with what is missing in every table.
func (d describer) choices(path string) table.Choices {
	found := d.options.like(path)
	given := d.options.Choices[path]
	found.Declared = make(map[string]bool)
	for name, declared := range d.sources.declared(path) {
		if found.Columns == nil {
			found.Columns = make(map[string]table.Choice)
		}
		_, isLike := found.Columns[name]
		_, isGiven := given.Columns[name]
		found.Declared[name] = !isLike && !isGiven
		found.Columns[name] = over(declared, found.Columns[name])
	}
	found.Header, found.FromCells = given.Header, d.sources.isOurs(path)
	found.Missing = slices.Concat(found.Missing, d.options.Choices[EveryTable].Missing, given.Missing)
	if found.Columns == nil {
		found.Columns = make(map[string]table.Choice)
	}
	for name, choice := range given.Columns {
		delete(found.Earlier, name)
		found.Columns[name] = over(found.Columns[name], choice)
	}
	return found
}

// over puts what is said now over what was said before. A type that is said now has no
// categories unless they are, too.
func over(before, now table.Choice) table.Choice {
	if now.Type == "" && !now.Categories {
		now.Type, now.Categories, now.Order = before.Type, before.Categories, before.Order
		now.Inherited, now.Pandas = before.Inherited, before.Pandas
	}
	if now.Disclosure == "" {
		now.Disclosure = before.Disclosure
	}
	now.KeepEmpty = now.KeepEmpty || before.KeepEmpty
	now.Missing = slices.Concat(before.Missing, now.Missing)
	return now
}

// table hashes a table as the store will have it, and finds its types on the way.
func (d describer) table(ctx context.Context, node *beneath.Node, made MadeTable) (_ MadeTable, problem string, err error) {
	file := &made.File
	encoding, isNamed, whose := d.encoding(file.Path)
	file.Source = d.sources.of(file.Path)
	var inferred table.Inferred
	format, choices := file.TableFormat(), d.choices(file.Path) // file is written to meanwhile
	reading := read(func(from io.Reader) (err error) {
		inferred, err = table.Infer(ctx, from, format, choices)
		return err
	})
	var already utf8Witness
	lost, err := hashTable(ctx, node, file, encoding, reading, &already)
	found := reading.end()
	fault, isFault := errors.AsType[*table.FaultError](found)
	switch {
	case err != nil:
		return MadeTable{}, "", fmt.Errorf("hash %s: %w", beneath.Escape(node.Path), err)
	case !isNamed && already.garbledBy(encoding):
		return MadeTable{}, fmt.Sprintf("it is UTF-8 already, and would be garbled as %s, which %s: "+
			"name the encoding of this file by itself (--encoding '%s=%s')", encoding, whose, beneath.Escape(node.Path), already.name()), nil
	case lost > 0 && !d.options.Replace:
		return MadeTable{}, fmt.Sprintf("line %d has bytes that are no %s, and so in %d %s: name the encoding that it has, or have U+FFFD in each place (--encoding-errors replace)",
			lost, encoding, file.Encoding.Replaced, placesOf(file.Encoding.Replaced)), nil
	case isFault:
		return MadeTable{}, fault.Error(), nil
	case found != nil:
		return MadeTable{}, "", fmt.Errorf("read %s: %w", beneath.Escape(node.Path), found)
	}
	file.Schema, made.Rows, made.Columns = &inferred.Schema, inferred.Rows, inferred.Columns
	d.sources.note(made)
	made.Notes = slices.Concat(d.sources.notes(file.Path), inferred.Notes, d.options.goneIn(file.Path, inferred.Gone), d.options.unmet(made), already.notes(encoding))
	return made, "", nil
}

func placesOf(number int64) string {
	if number == 1 {
		return "place"
	}
	return "places"
}

// hashTable describes a file as the store will have it, and shows that to a witness, and the
// file as it came to another. It returns the first line that has something that is no text
// of the encoding, or 0.
func hashTable(ctx context.Context, node *beneath.Node, file *DataFile, encoding string, witness, before io.Writer) (lost int64, err error) {
	if encoding == "" {
		sum, err := hashFile(ctx, node, node.Bytes, witness)
		file.SHA256 = sum.Hex()
		return 0, err
	}
	decoded := digest.New()
	decoder := newDecoder(encoding, io.MultiWriter(decoded, witness))
	sum, err := hashFile(ctx, node, node.Bytes, io.MultiWriter(before, decoder))
	if err == nil {
		err = decoder.close()
	}
	if err != nil {
		return 0, err
	}
	file.Encoding = &Encoding{Name: encoding, Replaced: decoder.replaced, Bytes: node.Bytes, SHA256: sum.Hex()}
	file.Bytes, file.SHA256 = decoder.written, decoded.Digest().Hex()
	return decoder.lost, nil
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
	if format := tableFormats[file.MediaType]; format == "" || format == parquet {
		return "", ""
	}
	name = strings.Map(identifierRune, strings.TrimSuffix(file.Path, path.Ext(file.Path)))
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
