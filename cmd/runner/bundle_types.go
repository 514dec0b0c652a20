package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/spf13/pflag"

	"hotcell/internal/bundle"
	"hotcell/internal/durable"
	"hotcell/internal/table"
)

// tableFlags are what a person says of tables.
type tableFlags struct {
	encodings, delimiters, types, missing []string
	categories                            []string
	disclosures                           map[table.Disclosure]*[]string
	keepEmpty, headers, asIs, sheets      []string
	ignored                               []string
	onErrors, like                        string
}

func (t *tableFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&t.encodings, "encoding", nil, "`[FILE=]NAME` of a table's encoding, or of all tables': "+strings.Join(bundle.Encodings(), ", ")+" (repeatable)")
	flags.StringVar(&t.onErrors, "encoding-errors", "refuse", "`what` becomes of bytes that are no text of the encoding: refuse, or replace with U+FFFD")
	flags.StringArrayVar(&t.delimiters, "delimiter", nil, "`FILE=NAME` of what divides a CSV file's fields: semicolon, tab or pipe (repeatable)")
	flags.StringArrayVar(&t.types, "type", nil, "`FILE:COLUMN=TYPE`, with TYPE "+strings.Join(table.TypeNames(), ", ")+"; a date may have a format: date:%d/%m/%Y (repeatable)")
	flags.StringArrayVar(&t.missing, "missing", nil, "`[FILE:[COLUMN=]]TEXT` that stands for a missing value (repeatable)")
	flags.StringArrayVar(&t.categories, "categories", nil, "`FILE:COLUMN` of strings that has categories (repeatable)")
	flags.StringArrayVar(&t.keepEmpty, "keep-empty", nil, "`FILE:COLUMN` of strings in which an empty cell is an empty text and not missing (repeatable)")
	flags.StringArrayVar(&t.headers, "header", nil, "`FILE` whose first line has the names of its columns, although it looks like values (repeatable)")
	flags.StringArrayVar(&t.asIs, "as-is", nil, "`FILE` of another format that is to be in the bundle as it is, without a table (repeatable)")
	flags.StringArrayVar(&t.sheets, "sheet", nil, "`FILE=NAME` of a sheet of a workbook that alone is a table; one is called after the file (repeatable)")
	flags.StringArrayVar(&t.ignored, "ignore", nil, "`PATTERN` of files and directories that are not of the bundle: .DS_Store, *.tmp, old/*.csv (repeatable)")
	flags.StringVar(&t.like, "like", "", "earlier bundle.json, or its `directory`, whose types tables of the same path get again")
	t.disclosures = make(map[table.Disclosure]*[]string)
	for _, each := range []struct {
		name, usage string
		kind        table.Disclosure
	}{
		{"identifier", "`FILE:COLUMN` that names one person, a pseudonym also (repeatable)", table.Identifier},
		{"quasi-identifier", "`FILE:COLUMN` that may name one together with others (repeatable)", table.QuasiIdentifier},
		{"sensitive", "`FILE:COLUMN` that nobody is to learn of a person (repeatable)", table.Sensitive},
	} {
		t.disclosures[each.kind] = flags.StringArray(each.name, nil, each.usage)
	}
}

// into fills what the flags say into the options.
func (t *tableFlags) into(options *bundle.CreateOptions) (err error) {
	if options.Encodings, err = encodingsOf(t.encodings); err != nil {
		return err
	}
	switch t.onErrors {
	case "refuse":
	case "replace":
		options.Replace = true
	default:
		return usageError{fmt.Errorf("--encoding-errors %q is neither refuse nor replace", t.onErrors)}
	}
	if options.Delimiters, err = delimitersOf(t.delimiters); err != nil {
		return err
	}
	if t.like != "" {
		if options.Like, err = earlierManifest(t.like); err != nil {
			return err
		}
	}
	options.AsIs, options.Ignored = t.asIs, t.ignored
	if options.Sheets, err = sheetsOf(t.sheets); err != nil {
		return err
	}
	options.Choices, err = t.choices()
	return err
}

// earlierManifest reads what a person has decided before.
func earlierManifest(path string) (*bundle.Manifest, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, bundle.ManifestName)
	}
	file, err := durable.Open(path)
	if err != nil {
		return nil, usageError{fmt.Errorf("--like: %w", err)}
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, bundle.MaxManifest+1))
	if err != nil {
		return nil, fmt.Errorf("--like: %w", err)
	}
	manifest, err := bundle.ReadManifest(data)
	if err != nil {
		return nil, usageError{fmt.Errorf("--like %s: %w", path, err)}
	}
	return &manifest, nil
}

var delimiterNames = map[string]string{";": "semicolon", "\t": "tab", `\t`: "tab", "|": "pipe"}

func delimitersOf(given []string) (map[string]string, error) {
	found := make(map[string]string, len(given))
	for _, one := range given {
		file, name, ok := strings.Cut(one, "=")
		if !ok || file == "" || name == "" {
			return nil, usageError{fmt.Errorf("--delimiter %q: want FILE=NAME, with NAME semicolon, tab or pipe", one)}
		}
		if known := delimiterNames[name]; known != "" {
			name = known
		}
		if found[file] != "" {
			return nil, usageError{fmt.Errorf("--delimiter is given twice for %q", file)}
		}
		found[file] = name
	}
	return found, nil
}

// choosing collects what is said of columns.
type choosing map[string]table.Choices

// column changes what is said of one.
func (c choosing) column(file, column string, change func(*table.Choice)) {
	of := c[file]
	if of.Columns == nil {
		of.Columns = make(map[string]table.Choice)
	}
	one := of.Columns[column]
	change(&one)
	of.Columns[column] = one
	c[file] = of
}

func (t *tableFlags) choices() (map[string]table.Choices, error) {
	found, once := make(choosing), onceOnly()
	if err := t.addTypes(found, once); err != nil {
		return nil, err
	}
	for _, one := range t.missing {
		t.addMissing(found, one)
	}
	for _, file := range t.headers {
		of := found[file]
		of.Header = true
		found[file] = of
	}
	for _, said := range []struct {
		flag    string
		columns []string
		change  func(*table.Choice)
	}{
		{"categories", t.categories, func(c *table.Choice) { c.Categories = true }},
		{"keep-empty", t.keepEmpty, func(c *table.Choice) { c.KeepEmpty = true }},
		{"identifier", *t.disclosures[table.Identifier], func(c *table.Choice) { c.Disclosure = table.Identifier }},
		{"quasi-identifier", *t.disclosures[table.QuasiIdentifier], func(c *table.Choice) { c.Disclosure = table.QuasiIdentifier }},
		{"sensitive", *t.disclosures[table.Sensitive], func(c *table.Choice) { c.Disclosure = table.Sensitive }},
	} {
		for _, one := range said.columns {
			file, column, err := columnOf(one)
			if err != nil {
				return nil, usageError{fmt.Errorf("--%s %q: %w", said.flag, one, err)}
			}
			if table.Disclosure(strings.ReplaceAll(said.flag, "-", "_")).Known() {
				if err := once(one, "disclosure", file, column); err != nil {
					return nil, err
				}
			}
			found.column(file, column, said.change)
		}
	}
	return found, nil
}

// addTypes reads FILE:COLUMN=TYPE.
func (t *tableFlags) addTypes(found choosing, once func(said, what, file, column string) error) error {
	for _, one := range t.types {
		at := strings.LastIndexByte(one, '=')
		if at < 0 {
			return usageError{fmt.Errorf("--type %q: want FILE:COLUMN=TYPE", one)}
		}
		file, column, err := columnOf(one[:at])
		if err == nil {
			err = table.CheckType(one[at+1:])
		}
		if err != nil {
			return usageError{fmt.Errorf("--type %q: %w", one, err)}
		}
		if err := once(one, "type", file, column); err != nil {
			return err
		}
		found.column(file, column, func(c *table.Choice) { c.Type = one[at+1:] })
	}
	return nil
}

// onceOnly refuses what is said of one column in two ways.
func onceOnly() func(said, what, file, column string) error {
	met := map[[3]string]bool{}
	return func(said, what, file, column string) error {
		key := [3]string{what, file, column}
		if met[key] {
			return usageError{fmt.Errorf("%q: the %s of this column is given twice", said, what)}
		}
		met[key] = true
		return nil
	}
}

// columnOf reads FILE:COLUMN. No path in a bundle has a colon.
func columnOf(text string) (file, column string, err error) {
	file, column, ok := strings.Cut(text, ":")
	if !ok || file == "" || column == "" {
		return "", "", errors.New("name the file and the column, as in visits.csv:age")
	}
	return file, column, nil
}

// addMissing reads [FILE:[COLUMN=]]TEXT. A text that has a colon begins with another.
func (t *tableFlags) addMissing(found choosing, one string) {
	file, text, ok := strings.Cut(one, ":")
	if !ok {
		file, text = bundle.EveryTable, one
	}
	column, value, ok := strings.Cut(text, "=")
	if file == bundle.EveryTable || !ok || column == "" {
		if file != bundle.EveryTable && ok {
			text = value
		}
		of := found[file]
		of.Missing = append(of.Missing, text)
		found[file] = of
		return
	}
	found.column(file, column, func(c *table.Choice) { c.Missing = append(c.Missing, value) })
}

// showColumns is for the person who decides whether each column is what it should be.
func showColumns(w io.Writer, tables []bundle.MadeTable) error {
	for _, one := range tables {
		fmt.Fprintf(w, "\n%s: %s\n", one.File.Table, counted(int(one.Rows), "row"))
		var text bytes.Buffer
		lines := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
		fmt.Fprintln(lines, "  COLUMN\tTYPE\tPANDAS\tMISSING\tEXAMPLES\tNOTE")
		for at, column := range one.Columns {
			field := one.File.Schema.Fields[at]
			fmt.Fprintf(lines, "  %s\t%s\t%s\t%s\t%s\t%s\n", visible(field.Name), typeOf(field), field.Pandas,
				missingOf(field, column), examplesOf(column), column.Note)
		}
		if err := lines.Flush(); err != nil {
			return err
		}
		for line := range strings.Lines(text.String()) {
			fmt.Fprintln(w, strings.TrimRight(line, " \n"))
		}
		for _, note := range one.Notes {
			fmt.Fprintf(w, "  note: %s\n", inLine(note))
		}
	}
	return nil
}

func typeOf(field table.Field) string {
	text := string(field.Type)
	if field.Disclosure != "" {
		text += fmt.Sprintf(" (%s)", strings.ReplaceAll(string(field.Disclosure), "_", "-"))
	}
	return text
}

// missingOf counts, and names the texts that were found to mean it beside an empty cell.
func missingOf(field table.Field, column table.Column) string {
	text := strconv.FormatInt(column.Missing, 10)
	var names []string
	for _, value := range field.MissingValues {
		if value != "" {
			names = append(names, visible(value))
		}
	}
	if names != nil {
		text += " (" + strings.Join(names, ", ") + ")"
	}
	return text
}

func examplesOf(column table.Column) string {
	var shown []string
	for _, example := range column.Examples {
		shown = append(shown, visible(example))
	}
	return strings.Join(shown, " … ")
}

// visible is a text in a line, in quotes where else nobody saw where it begins and ends.
func visible(text string) string {
	const most = 24
	runes := []rune(text)
	cut := len(runes) > most
	if cut {
		text = string(runes[:most])
	}
	if text == "" || text != strings.TrimSpace(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == '"' }) {
		text = fmt.Sprintf("%q", text)
	}
	if cut {
		text += "…"
	}
	return text
}

// unread says of files that a person may take for tables how to make one of them.
var unread = map[string]string{
	".tab": "call it .tsv", ".psv": "call it .csv, with --delimiter FILE=pipe,", ".json": "write it as JSON Lines (.jsonl), an object in each line,",
	".gz": "unpack it", ".zst": "unpack it", ".zip": "unpack it", ".bz2": "unpack it", ".xz": "unpack it", ".7z": "unpack it",
	".xls": "save its sheets as CSV", ".ods": "save its sheets as CSV",
	".parquet": "leave --as-is out", ".xlsx": "leave --as-is out", ".feather": "export it as CSV or JSON Lines", ".sav": "export it as CSV", ".dta": "export it as CSV",
	".sas7bdat": "export it as CSV", ".xpt": "export it as CSV", ".rds": "export it as CSV", ".rdata": "export it as CSV",
}

// showUnread has a line for each of them that is none, and one for all others: a table may be
// called .txt or .dat.
func showUnread(w io.Writer, manifest bundle.Manifest) {
	const most = 5
	var others []string
	for _, file := range manifest.Files {
		switch way := unread[strings.ToLower(filepath.Ext(file.Path))]; {
		case file.Table != "":
		case way != "":
			fmt.Fprintf(w, "  no table %s: %s to have one\n", inLine(file.Path), way)
		default:
			others = append(others, inLine(file.Path))
		}
	}
	if more := len(others) - most; more > 0 {
		others = append(others[:most], fmt.Sprintf("and %d more", more))
	}
	if len(others) > 0 {
		fmt.Fprintf(w, "  no table %s: one is called .csv, .tsv or .jsonl\n", strings.Join(others, ", "))
	}
}
