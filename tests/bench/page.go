package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

// page is what a run of the benchmark has found.
type page struct {
	tables []table
	plots  []figure
}

// table is one table. Cells are Markdown without a bar.
type table struct {
	name string // of its place in the documents
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// plainText takes the marks out of Markdown.
var plainText = strings.NewReplacer("`", "", "**", "")

// text is the page for a terminal.
func (p page) text() string {
	var all bytes.Buffer
	for _, one := range p.tables {
		all.WriteByte('\n')
		columns := tabwriter.NewWriter(&all, 0, 0, 2, ' ', 0)
		for _, row := range append([][]string{one.head}, one.rows...) {
			fmt.Fprintln(columns, plainText.Replace(strings.Join(row, "\t")))
		}
		_ = columns.Flush() // into memory
	}
	return all.String()
}

// markdown is a table as documents have it.
func (t table) markdown() string {
	var all strings.Builder
	line := func(cells []string) { fmt.Fprintf(&all, "| %s |\n", strings.Join(cells, " | ")) }
	line(t.head)
	line(strings.Split(strings.TrimSuffix(strings.Repeat("---,", len(t.head)), ","), ","))
	for _, row := range t.rows {
		line(row)
	}
	return all.String()
}

// document writes the tables into the documents of a checkout, each to where its name
// stands, and the plots beside them. Where one has no place, nothing is written.
func (p page) document(root string) error {
	documents, err := p.filledIn(root)
	if err != nil {
		return err
	}
	var faults []error
	for file, text := range documents {
		faults = append(faults, os.WriteFile(file, []byte(text), 0o644))
	}
	for _, one := range p.plots {
		faults = append(faults, one.write(filepath.Join(root, "docs", "performance")))
	}
	return errors.Join(faults...)
}

// filledIn are the documents' new texts, by their files.
func (p page) filledIn(root string) (map[string]string, error) {
	documents, missing := map[string]string{}, p.blocks()
	for _, name := range []string{"README.md", "docs/performance.md"} {
		file := filepath.Join(root, name)
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		documents[file] = string(text)
		for _, one := range p.blocks() {
			changed, ok := replace(documents[file], one.name, one.text)
			if ok {
				missing = slices.DeleteFunc(missing, func(other block) bool { return other.name == one.name })
			}
			documents[file] = changed
		}
	}
	var faults []error
	for _, one := range missing {
		faults = append(faults, fmt.Errorf("no document has a place for %q", one.name))
	}
	return documents, errors.Join(faults...)
}

// block is what stands at a place in the documents.
type block struct{ name, text string }

// blocks are the tables, and the links to the plots: a plot is linked once it is there.
func (p page) blocks() (all []block) {
	for _, one := range p.tables {
		all = append(all, block{one.name, one.markdown()})
	}
	for _, one := range p.plots {
		all = append(all, block{"plot of " + one.name, fmt.Sprintf("![%s](performance/%s.svg)\n", one.title, one.name)})
	}
	return all
}

// replace puts a text between the two marks of a place. ok is false where there is none.
func replace(document, name, text string) (changed string, ok bool) {
	begin, end := fmt.Sprintf("<!-- bench: %s -->\n", name), "<!-- bench ends -->"
	before, rest, found := strings.Cut(document, begin)
	if !found {
		return document, false
	}
	_, after, found := strings.Cut(rest, end)
	if !found {
		return document, false
	}
	return before + begin + "\n" + text + "\n" + end + after, true
}

// ms writes milliseconds with three digits that count.
func ms(value float64) string {
	switch {
	case math.IsNaN(value):
		return ""
	case value < 0.1:
		return fmt.Sprintf("%.4f", value)
	case value < 10:
		return fmt.Sprintf("%.2f", value)
	case value < 100:
		return fmt.Sprintf("%.1f", value)
	}
	return fmt.Sprintf("%.0f", value)
}

// times writes a ratio.
func times(value float64) string {
	if math.IsNaN(value) {
		return ""
	}
	return fmt.Sprintf("%.2f", value)
}

// writeFile makes a file with what write writes.
func writeFile(path string, write func(io.Writer) error) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return write(file)
}
