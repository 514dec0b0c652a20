package output

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const (
	pdfSpace      = "\x00\t\n\f\r "
	pdfDelimiters = "()<>[]{}/%"
)

// ended tells the document's end from a read that failed.
func (p *pdfObjects) ended(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return p.broken("it ends too early")
	}
	return fmt.Errorf("read staged file: %w", err)
}

func (p *pdfObjects) next() (byte, error) {
	char, err := p.reader.ReadByte()
	if err != nil {
		return 0, p.ended(err)
	}
	p.at++
	return char, nil
}

// pass leaves out count bytes.
func (p *pdfObjects) pass(count int64) error {
	for count > 0 {
		n, err := p.reader.Discard(int(min(count, 1<<20)))
		p.at += int64(n)
		count -= int64(n)
		if err != nil {
			return p.ended(err)
		}
	}
	return nil
}

// space passes over white space. There are no comments: readers differ in where
// they see them.
func (p *pdfObjects) space() error {
	for {
		char, err := p.reader.Peek(1)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read staged file: %w", err)
		case strings.IndexByte(pdfSpace, char[0]) < 0:
			return nil
		}
		if err := p.pass(1); err != nil {
			return err
		}
	}
}

// words reads these words, with white space around them.
func (p *pdfObjects) words(words ...string) error {
	for _, word := range words {
		if err := p.space(); err != nil {
			return err
		}
		start, err := p.reader.Peek(len(word))
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read staged file: %w", err)
		}
		if string(start) != word {
			return p.broken(fmt.Sprintf("there is no %s", word))
		}
		if err := p.pass(int64(len(word))); err != nil {
			return err
		}
		if err := p.boundary(word); err != nil {
			return err
		}
	}
	return nil
}

// boundary holds a word to end where it does.
func (p *pdfObjects) boundary(word string) error {
	after, err := p.reader.Peek(1)
	if errors.Is(err, io.EOF) || word == "<<" {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read staged file: %w", err)
	}
	if strings.IndexByte(pdfSpace+pdfDelimiters, after[0]) < 0 {
		return p.broken(fmt.Sprintf("there is no %s", word))
	}
	return nil
}

// integer reads one in the one spelling that it has.
func (p *pdfObjects) integer() (int64, error) {
	if err := p.space(); err != nil {
		return 0, err
	}
	number, plain, err := p.digits()
	if err == nil && !plain {
		err = p.broken("a number is no plain one")
	}
	return number, err
}

// digits reads a number. plain tells an integer without sign or leading zeros.
func (p *pdfObjects) digits() (number int64, plain bool, err error) {
	var text []byte
	for {
		char, err := p.reader.Peek(1)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, false, fmt.Errorf("read staged file: %w", err)
		}
		if err != nil || strings.IndexByte("+-.0123456789", char[0]) < 0 {
			break
		}
		if text = append(text, char[0]); len(text) > 64 {
			return 0, false, p.broken("a number is too long")
		}
		if err := p.pass(1); err != nil {
			return 0, false, err
		}
	}
	if _, err := strconv.ParseFloat(string(text), 64); err != nil {
		return 0, false, p.broken("a number is none")
	}
	if err := p.boundary("number"); err != nil {
		return 0, false, err
	}
	number, err = strconv.ParseInt(string(text), 10, 64)
	return number, err == nil && strconv.FormatInt(number, 10) == string(text), nil
}

// name reads one, with its escapes undone.
func (p *pdfObjects) name() (string, error) {
	if char, err := p.next(); err != nil || char != '/' {
		return "", errors.Join(err, p.broken("there is no name"))
	}
	var name []byte
	for {
		char, err := p.reader.Peek(3)
		if len(char) == 0 {
			return "", p.ended(err)
		}
		if strings.IndexByte(pdfSpace+pdfDelimiters, char[0]) >= 0 {
			return string(name), nil
		}
		taken, value := int64(1), char[0]
		if value == '#' {
			escaped, err := strconv.ParseUint(string(char[1:]), 16, 8)
			if err != nil || len(char) < 3 || escaped == 0 {
				return "", p.broken("a name has an escape that is none")
			}
			taken, value = 3, byte(escaped)
		}
		if name = append(name, value); len(name) > maxPDFName {
			return "", p.broken("a name is too long")
		}
		if err := p.pass(taken); err != nil {
			return "", err
		}
	}
}

// value reads a value that is no dictionary of an object's own, and what is in it.
func (p *pdfObjects) value(key string, depth int) error {
	if depth > maxPDFNesting {
		return found(RuleTooComplex, "it is nested deeper than %d levels", maxPDFNesting)
	}
	start, err := p.reader.Peek(2)
	if err != nil {
		return p.ended(err)
	}
	switch {
	case string(start) == "<<":
		if err := p.pass(2); err != nil {
			return err
		}
		inner := pdfDictionary{keys: pdfKeys}
		if err := p.dictionary(&inner, depth+1); err != nil || inner.strange == "" {
			return err
		}
		return inner.refused()
	case start[0] == '/':
		_, err := p.name()
		return err
	case start[0] == '<':
		return p.hexString()
	case start[0] == '(':
		return p.text()
	case start[0] == '[':
		return p.array(key, depth)
	}
	for _, word := range []string{"true", "false", "null"} {
		if start[0] == word[0] {
			return p.words(word)
		}
	}
	_, _, err = p.digits()
	return err
}

// array reads one. References in it are plain ones: no map stands in an array.
func (p *pdfObjects) array(key string, depth int) error {
	if err := p.pass(1); err != nil {
		return err
	}
	var last [2]int64 // numbers that could be of a reference, or -1
	for {
		if err := p.space(); err != nil {
			return err
		}
		char, err := p.reader.Peek(1)
		if err != nil {
			return p.ended(err)
		}
		switch {
		case char[0] == ']':
			return p.pass(1)
		case char[0] == 'R':
			if err := p.words("R"); err != nil {
				return err
			}
			if last[1] != 0 {
				return p.broken("it refers to an object that it has not")
			}
			if err := p.refer(last[0], false); err != nil {
				return err
			}
			last = [2]int64{-1, -1}
		case char[0] >= '0' && char[0] <= '9':
			number, plain, err := p.digits()
			if err != nil {
				return err
			}
			if !plain {
				number = -1
			}
			last = [2]int64{last[1], number}
		default:
			last = [2]int64{-1, -1}
			if err := p.value(key, depth+1); err != nil {
				return err
			}
		}
	}
}

func (p *pdfObjects) hexString() error {
	if err := p.pass(1); err != nil {
		return err
	}
	for {
		char, err := p.next()
		switch {
		case err != nil:
			return err
		case char == '>':
			return nil
		case strings.IndexByte("0123456789abcdefABCDEF\n", char) < 0:
			return p.broken("a string is none")
		}
	}
}

// text passes over a string in parentheses.
func (p *pdfObjects) text() error {
	for open := 0; ; {
		char, err := p.next()
		if err != nil {
			return err
		}
		switch char {
		case '\\':
			if _, err := p.next(); err != nil {
				return err
			}
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return nil
			}
		}
	}
}
