// Package notebook takes the Python out of a Jupyter notebook, so that it can be vetted as
// a script is.
//
// It decides which lines are a notebook's own commands and no Python, and says what to do
// about them. What the Python may do is the guard's to say. Nothing runs: outputs and
// everything else in the file are not looked at. cmd/runner is its caller.
package notebook

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// MaxBytes bounds a notebook with its outputs: pictures are most of it.
const MaxBytes = 64 << 20

// maxCode bounds the code of all cells: no policy takes as much of a script. maxCells bounds
// them, and maxCommands what is said of them.
const (
	maxCode     = 4 << 20
	maxCells    = 100_000
	maxCommands = 1000
)

// SyntaxError is the guard's rule for what no Python can parse.
const SyntaxError = "syntax.error"

// Notebook is the Python of a notebook's code cells, one after the other.
type Notebook struct {
	// Code is a script: a notebook's commands are lines with pass in it, and each cell has an end.
	Code []byte
	// Commands are the lines that are none of Python's, by their lines in Code.
	Commands []job.Violation

	cells []cell
}

// cell is where the lines of one code cell are in Code.
type cell struct {
	number int // among all cells of the notebook, from 1
	first  int // line in Code, from 1
	own    int // lines of the cell's text
	lines  int // those and its end
}

func (c cell) has(line int) bool { return line >= c.first && line < c.first+c.lines }

// endOfCell follows each cell in Code. Jupyter runs each cell by itself: what one leaves open,
// a text, brackets or a block, would swallow the next one here or give its names another
// meaning, so that it was vetted as what it is not. Where something is open these lines are no
// Python: within a text one of the two ends that and goes on with a sign that no Python has, and
// elsewhere pass can stand only where a statement begins.
var endOfCell = []string{`pass  # """ $`, "pass  # ''' $"}

// openCell is said of a cell whose end is no Python.
const openCell = "the cell is no Python by itself: a text, brackets or a block is open at its end; end that in the same cell"

// Is tells by its name whether a file is a notebook.
func Is(path string) bool { return strings.EqualFold(filepath.Ext(path), ".ipynb") }

// Parse reads a notebook of format 4, which all tools have written since 2015. The error
// repeats nothing of it. What is no code is passed over, whatever it is: it costs time and
// no memory.
func Parse(data []byte) (*Notebook, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("it is larger than the %d MiB that are read: clear its outputs", MaxBytes>>20)
	}
	read := cellReader{data: data, decoder: strictjson.NewDecoder(bytes.NewBuffer(data), strictjson.DuplicateNames)}
	if err := read.whole(); err != nil {
		return nil, err
	}
	if !read.listed {
		return nil, errors.New("it is no notebook of format 4: it has no list of cells (convert it with `jupyter nbconvert --to notebook`)")
	}
	if read.format != "4" { // of another one Jupyter reads other members than these
		return nil, errors.New("it does not say that it is a notebook of format 4 (nbformat): convert it with `jupyter nbconvert --to notebook`")
	}
	if slices.ContainsFunc(read.languages, func(one string) bool { return !strings.EqualFold(one, "python") }) {
		return nil, errors.New("it is a notebook of another language than Python")
	}
	return joined(read.code), nil
}

// joined puts cells one behind the other.
func joined(cells []codeCell) *Notebook {
	var made Notebook
	var code strings.Builder
	line := 1
	for _, each := range cells {
		lines, commands := plain(each.source, maxCommands-len(made.Commands))
		for at := range commands {
			commands[at].Line += line - 1
		}
		made.Commands = append(made.Commands, commands...)
		own := len(lines)
		if slices.ContainsFunc(lines, isCode) {
			lines = append(lines, endOfCell...)
		}
		made.cells = append(made.cells, cell{number: each.number, first: line, own: own, lines: len(lines)})
		for _, each := range lines {
			code.WriteString(each + "\n")
		}
		line += len(lines)
	}
	made.Code = []byte(code.String())
	return &made
}

// isCode tells a line from an empty one and a comment. A cell of those leaves nothing open, and
// an import of __future__ may stand below it.
func isCode(line string) bool {
	text := strings.TrimLeft(line, " \t\f")
	return text != "" && text[0] != '#'
}

// OfScript takes a notebook's commands out of a script, which tools write into one that they
// make of a notebook. It is one without cells.
func OfScript(code []byte) *Notebook {
	lines, commands := plain(string(code), maxCommands)
	return &Notebook{Code: []byte(strings.Join(lines, "\n") + "\n"), Commands: commands}
}

// Without returns Code with nothing in the cell that has a line, so that the others can be
// looked at where one is no Python; false where no cell has it.
func (n *Notebook) Without(code []byte, line int) ([]byte, bool) {
	lines := strings.SplitAfter(string(code), "\n")
	for _, each := range n.cells {
		if !each.has(line) || each.first+each.lines > len(lines) {
			continue
		}
		for at := range each.lines {
			lines[each.first-1+at] = "\n"
		}
		lines[each.first-1] = "pass\n"
		return []byte(strings.Join(lines, "")), true
	}
	return nil, false
}

// Place returns the cell and the line in it, both from 1, for a line of Code: the last one
// for the cell's end. Cell 0 is for what has no place, or one behind the last line.
func (n *Notebook) Place(line int) (number, within int) {
	for _, each := range n.cells {
		if each.has(line) {
			return each.number, min(line-each.first+1, each.own)
		}
	}
	return 0, line
}

// isEnd tells the lines of Code that are of no cell's text.
func (n *Notebook) isEnd(line int) bool {
	return slices.ContainsFunc(n.cells, func(each cell) bool { return each.has(line) && line >= each.first+each.own })
}

// Merge returns what was found in Code together with Commands, by place. What no line has
// comes first.
func (n *Notebook) Merge(found []job.Violation) []job.Violation {
	all := slices.Concat(found, n.Commands)
	for at := range all {
		if all[at].Rule == SyntaxError && n.isEnd(all[at].Line) {
			all[at].Column, all[at].Message = 1, openCell
		}
	}
	slices.SortStableFunc(all, func(a, b job.Violation) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return all
}
