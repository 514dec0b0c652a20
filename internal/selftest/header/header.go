// Package header reads what every attack begins with: a doc string of Python that says
// what it tries, and then, one field a line, what whoever runs it has to know.
//
//	"""Reads the host's list of users.
//
//	Threats: C3
//	Contract: confidentiality
//	"""
//
// It decides the form, for probes and attempts alike: Parse. What a field means is its
// reader's, internal/selftest and the tests of what begins after an attempt: Read.
package header

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Header is a doc string that has the form, and what stands below it.
type Header struct {
	Title string // its first line: what the attack tries
	Body  string // the program without its header
	file  string
	lines []line
}

// line is one field as it was written.
type line struct {
	number      int // from 1
	name, value string
}

// Field is one that a kind of attack may have.
type Field struct {
	Name     string
	Required bool
	// Set takes the value over. Its error says what is wrong with it; the file, the
	// line and the field's name stand before that.
	Set func(value string) error
}

// quotes begin and end a doc string. No other form of one is a header.
const quotes = `"""`

var fieldName = regexp.MustCompile(`^[A-Z][a-z]*( [a-z]+)*$`)

// Parse takes a program apart. An error names every fault with its line; file is the
// name by which it calls the program.
func Parse(file, text string) (Header, error) {
	start, begun := strings.CutPrefix(text, quotes)
	doc, body, ended := strings.Cut(start, quotes)
	if !begun || !ended {
		return Header{}, fmt.Errorf("%s:1: does not begin with a doc string in %s", file, quotes)
	}
	body, alone := strings.CutPrefix(body, "\n")
	if !alone && body != "" {
		return Header{}, fmt.Errorf("%s:%d: something follows the doc string on its last line", file, 1+strings.Count(doc, "\n"))
	}
	h := Header{Body: body, file: file}
	lines := strings.Split(doc, "\n")
	faults := []error{h.setTitle(lines[0])}
	if len(lines) > 1 {
		faults = append(faults, h.setLines(lines))
	}
	if err := errors.Join(faults...); err != nil {
		return Header{}, err
	}
	return h, nil
}

func (h *Header) setTitle(title string) error {
	h.Title = title
	if err := plain(title); err != nil {
		return h.fault(1, "the doc string's first line does not say what is tried: %w", err)
	}
	return nil
}

// setLines takes the fields between an empty line and that of the closing quotes.
func (h *Header) setLines(lines []string) error {
	last := len(lines) - 1
	if lines[1] != "" || lines[last] != "" || last < 3 {
		return h.fault(2, "an empty line, one field a line and %s on a line of its own must follow the first line, or %s end it", quotes, quotes)
	}
	var faults []error
	for index, text := range lines[2:last] {
		if err := h.add(index+3, text); err != nil {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

func (h *Header) add(number int, text string) error {
	name, value, found := strings.Cut(text, ": ")
	if !found || !fieldName.MatchString(name) {
		return h.fault(number, "%q is no field: write its name, a colon, a space and a value", text)
	}
	if err := plain(value); err != nil {
		return h.fault(number, "%s: %w", name, err)
	}
	if slices.ContainsFunc(h.lines, func(other line) bool { return other.name == name }) {
		return h.fault(number, "%s appears twice", name)
	}
	h.lines = append(h.lines, line{number, name, value})
	return nil
}

// plain refuses what a reader of the file and Python would not take for the same text.
func plain(text string) error {
	switch {
	case text == "":
		return errors.New("there is nothing")
	case strings.TrimSpace(text) != text:
		return errors.New("there is white space around it")
	case strings.Contains(text, `\`) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }):
		return errors.New("there is a backslash or a sign that cannot be printed")
	}
	return nil
}

// Read hands each line of the header to its field. An error names every line that is of
// none of them, every value that one refuses, and every required field that is missing.
func (h Header) Read(fields ...Field) error {
	var faults []error
	for _, written := range h.lines {
		index := slices.IndexFunc(fields, func(f Field) bool { return f.Name == written.name })
		if index < 0 {
			faults = append(faults, h.fault(written.number, "unknown field %q: known are %s", written.name, names(fields)))
		} else if err := fields[index].Set(written.value); err != nil {
			faults = append(faults, h.fault(written.number, "%s is %q: %w", written.name, written.value, err))
		}
	}
	for _, field := range fields {
		if field.Required && !slices.ContainsFunc(h.lines, func(l line) bool { return l.name == field.Name }) {
			faults = append(faults, h.fault(1, "the doc string lacks the line %s: …", field.Name))
		}
	}
	return errors.Join(faults...)
}

func names(fields []Field) string {
	var all []string
	for _, field := range fields {
		all = append(all, field.Name)
	}
	return strings.Join(all, ", ")
}

func (h Header) fault(number int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: "+format, append([]any{h.file, number}, args...)...)
}

// Flag is a field that has one value or is left out.
func Flag(name, value string, set func()) Field {
	return Field{Name: name, Set: func(given string) error {
		if given != value {
			return fmt.Errorf("write %s, or leave the line out", value)
		}
		set()
		return nil
	}}
}
