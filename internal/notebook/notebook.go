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
	// Code is a script: a notebook's commands are lines with pass in it.
	Code []byte
	// Commands are the lines that are none of Python's, by their lines in Code.
	Commands []job.Violation

	cells []cell
}

// cell is where the lines of one code cell are in Code.
type cell struct {
	number int // among all cells of the notebook, from 1
	first  int // line in Code, from 1
	lines  int
}

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
	if read.language != "" && !strings.EqualFold(read.language, "python") {
		return nil, errors.New("it is a notebook of another language than Python")
	}
	var made Notebook
	var code strings.Builder
	line := 1
	for _, each := range read.code {
		lines, commands := plain(each.source)
		for at := range commands {
			commands[at].Line += line - 1
		}
		made.Commands = append(made.Commands, commands[:min(len(commands), maxCommands-len(made.Commands))]...)
		made.cells = append(made.cells, cell{number: each.number, first: line, lines: len(lines)})
		for _, each := range lines {
			code.WriteString(each + "\n")
		}
		line += len(lines)
	}
	made.Code = []byte(code.String())
	return &made, nil
}

// OfScript takes a notebook's commands out of a script, which tools write into one that they
// make of a notebook. It is one without cells.
func OfScript(code []byte) *Notebook {
	lines, commands := plain(string(code))
	return &Notebook{Code: []byte(strings.Join(lines, "\n") + "\n"), Commands: commands[:min(len(commands), maxCommands)]}
}

// Without returns Code with nothing in the cell that has a line, so that the others can be
// looked at where one is no Python; false where no cell has it.
func (n *Notebook) Without(code []byte, line int) ([]byte, bool) {
	lines := strings.SplitAfter(string(code), "\n")
	for _, each := range n.cells {
		if line < each.first || line >= each.first+each.lines || each.first+each.lines > len(lines) {
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

// Place returns the cell and the line in it, both from 1, for a line of Code. Cell 0 is for
// what has no place, or one behind the last line.
func (n *Notebook) Place(line int) (number, within int) {
	for _, each := range n.cells {
		if line >= each.first && line < each.first+each.lines {
			return each.number, line - each.first + 1
		}
	}
	return 0, line
}

// Merge returns what was found in Code together with Commands, by place. What no line has
// comes first.
func (n *Notebook) Merge(found []job.Violation) []job.Violation {
	all := slices.Concat(found, n.Commands)
	slices.SortStableFunc(all, func(a, b job.Violation) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return all
}
