package bundle

import (
	"fmt"
	"strings"

	"hotcell/internal/beneath"
	"hotcell/internal/table"
)

// What an earlier manifest says holds for tables of the same path. What of it finds nothing is
// told: a column that has another name now is no identifier any more unless a person says so.

// earlier is what it says of a file.
func (o CreateOptions) earlier(path string) DataFile {
	if o.Like == nil {
		return DataFile{}
	}
	return o.Like.byPath()[path]
}

// like are the choices that it has of a file.
func (o CreateOptions) like(path string) table.Choices {
	if schema := o.earlier(path).Schema; schema != nil {
		return table.Like(*schema)
	}
	return table.Choices{}
}

// gone says which of its tables a manifest has not.
func (o CreateOptions) gone(now Manifest) []string {
	if o.Like == nil {
		return nil
	}
	var notes []string
	files := now.byPath()
	for _, file := range o.Like.Files {
		if file.Table != "" && files[file.Path].Table == "" {
			notes = append(notes, fmt.Sprintf("the earlier bundle.json has a table of %s, and here is none: "+
				"if its file has another name now, say of it what was said of that one", beneath.Escape(file.Path)))
		}
	}
	return notes
}

// goneIn says which columns of its table this one has not.
func (o CreateOptions) goneIn(path string, columns []string) []string {
	var notes []string
	for _, name := range columns {
		field, _ := fieldOf(schemaOf(o.earlier(path).Schema), name)
		what := fmt.Sprintf("%.100q", name)
		if field.Disclosure != "" {
			what += fmt.Sprintf(" (%s)", strings.ReplaceAll(string(field.Disclosure), "_", "-"))
		}
		notes = append(notes, fmt.Sprintf("the earlier table has a column %s, and this one has not: if it has another name here, say of it what was said of that one", what))
	}
	return notes
}

// encoding is that of a file, whether it is said of this file alone, and who says it else.
func (d describer) encoding(path string) (name string, isNamed bool, whose string) {
	if name, isNamed = d.encodings[path]; isNamed || d.sources.isOurs(path) {
		return name, isNamed, ""
	}
	if name, isSaid := d.encodings[EveryTable]; isSaid {
		return name, false, "is said of all tables"
	}
	if earlier := d.options.earlier(path).Encoding; earlier != nil {
		return earlier.Name, false, "the earlier table was"
	}
	return "", false, ""
}
