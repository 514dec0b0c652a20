package bundle

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Difference is what a second bundle has otherwise than a first.
type Difference struct {
	Fields  []FieldDifference `json:"fields"` // of bundle.json, but its files, in its order
	Added   []string          `json:"added"`  // files, by their paths, in the order of the alphabet
	Removed []string          `json:"removed"`
	Changed []FileDifference  `json:"changed"`
}

// FieldDifference is one field that both have, with different values.
type FieldDifference struct {
	Field  string `json:"field"` // as in bundle.json, for example "deidentification.method"
	First  string `json:"first"`
	Second string `json:"second"`
}

// FileDifference is one file that both have.
type FileDifference struct {
	Path   string   `json:"path"`
	In     []string `json:"in"` // the members of its entry in bundle.json that differ, for example "sha256"
	First  DataFile `json:"first"`
	Second DataFile `json:"second"`
	// Columns are those that the schema has otherwise.
	Columns []ColumnDifference `json:"columns"`
}

// Compare tells what the second manifest has otherwise. What it calls the same is the same
// in every byte.
func Compare(first, second Manifest) Difference {
	found := Difference{Fields: []FieldDifference{}, Added: []string{}, Removed: []string{}, Changed: []FileDifference{}}
	for _, field := range []FieldDifference{
		{"name", first.Name, second.Name},
		{"bundle_version", first.BundleVersion, second.BundleVersion},
		{"study", first.Study, second.Study},
		{"deidentification.method", string(first.Deidentification.Method), string(second.Deidentification.Method)},
		{"deidentification.attested_by", first.Deidentification.AttestedBy, second.Deidentification.AttestedBy},
		{attestedOn, first.Deidentification.AttestedOn, second.Deidentification.AttestedOn},
		{"deidentification.statement", first.Deidentification.Statement, second.Deidentification.Statement},
		{"deidentification.tool", first.Deidentification.Tool, second.Deidentification.Tool},
		{validUntil, first.Deidentification.ValidUntil, second.Deidentification.ValidUntil},
		{"ignored", strings.Join(first.Ignored, " "), strings.Join(second.Ignored, " ")},
		{"deidentification.protocol", first.Deidentification.Protocol, second.Deidentification.Protocol},
	} {
		if field.First != field.Second {
			found.Fields = append(found.Fields, field)
		}
	}
	before, after := first.byPath(), second.byPath()
	for path, file := range before {
		other, stays := after[path]
		if !stays {
			found.Removed = append(found.Removed, path)
		} else if in := membersOtherThan(file, other); len(in) > 0 {
			found.Changed = append(found.Changed, FileDifference{path, in, file, other, compareSchemas(file.Schema, other.Schema)})
		}
	}
	for path := range after {
		if _, was := before[path]; !was {
			found.Added = append(found.Added, path)
		}
	}
	slices.Sort(found.Added)
	slices.Sort(found.Removed)
	slices.SortFunc(found.Changed, func(a, b FileDifference) int { return strings.Compare(a.Path, b.Path) })
	return found
}

// membersOtherThan names the members of a file's entry that differ: also those that come to
// DataFile later. Where the bytes differ, those of which they were made do as a matter of course.
func membersOtherThan(first, second DataFile) []string {
	a, b := reflect.ValueOf(first), reflect.ValueOf(second)
	var names []string
	for index := range a.NumField() {
		if !reflect.DeepEqual(a.Field(index).Interface(), b.Field(index).Interface()) {
			name, _, _ := strings.Cut(a.Type().Field(index).Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	if !slices.Contains(names, "sha256") {
		return names
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return name == "encoding" && sameEncoding(first.Encoding, second.Encoding) || name == "source" && sameSource(first.Source, second.Source)
	})
}

// sameEncoding reports whether two encodings differ in nothing but the bytes that were decoded, as
// those of each other table do.
func sameEncoding(a, b *Encoding) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Name == b.Name && a.Replaced == b.Replaced
}

// sameSource reports the same of what two tables were made of.
func sameSource(a, b *Source) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Path == b.Path && a.Format == b.Format && a.Sheet == b.Sheet
}

// Same reports whether there is no difference.
func (d Difference) Same() bool {
	return len(d.Fields)+len(d.Added)+len(d.Removed)+len(d.Changed) == 0
}

// Summary is one line for people, without any value of either.
func (d Difference) Summary() string {
	var parts []string
	for _, field := range d.Fields {
		parts = append(parts, field.Field)
	}
	for _, files := range []struct {
		number int
		what   string
	}{{len(d.Added), "added"}, {len(d.Removed), "removed"}, {len(d.Changed), "changed"}} {
		if files.number == 1 {
			parts = append(parts, "1 file "+files.what)
		} else if files.number > 1 {
			parts = append(parts, fmt.Sprintf("%d files %s", files.number, files.what))
		}
	}
	if parts == nil {
		return "how bundle.json is written"
	}
	return strings.Join(parts, ", ")
}
