package notebook

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"hotcell/internal/strictjson"
)

// cellReader takes a notebook token by token and keeps the code of it. A name that it looks for
// may be there once; others are not compared: nobody reads them.
type cellReader struct {
	data    []byte
	decoder *strictjson.Decoder

	listed    bool // a list of cells has come
	count     int  // cells
	code      []codeCell
	bytes     int    // of code
	format    string // its number as it is written
	languages []string
}

type codeCell struct {
	number int // among all cells, from 1
	source string
}

func (r *cellReader) whole() error {
	if kind := r.decoder.PeekKind(); kind != '{' && kind != 0 {
		return r.skip() // it has no list of cells, or is no JSON
	}
	err := r.object(map[string]func() error{"cells": r.cells, "metadata": r.metadata, "nbformat": r.version})
	if err != nil {
		return err
	}
	if _, err := r.decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.New("it is no notebook: something follows its end")
	}
	return nil
}

// invalid is an error of the JSON's, without anything of it.
func (r *cellReader) invalid(err error) error {
	return fmt.Errorf("it is no notebook: %w", strictjson.Explain(r.data, err))
}

func (r *cellReader) skip() error {
	if err := r.decoder.SkipValue(); err != nil {
		return r.invalid(err)
	}
	return nil
}

// object reads one, and has the members read that somebody looks for.
func (r *cellReader) object(members map[string]func() error) error {
	if _, err := r.decoder.ReadToken(); err != nil {
		return r.invalid(err)
	}
	seen := map[string]bool{}
	for {
		name, err := r.decoder.ReadToken()
		if err != nil {
			return r.invalid(err)
		}
		if name.Kind() == '}' {
			return nil
		}
		read, wanted := members[name.String()]
		if !wanted {
			read = r.skip
		} else if text := name.String(); seen[text] {
			return fmt.Errorf("it is no notebook: the name %q appears twice", text)
		} else {
			seen[text] = true
		}
		if err := read(); err != nil {
			return err
		}
	}
}

// array reads one, if one is there, and has each element read.
func (r *cellReader) array(element func() error) (is bool, err error) {
	if r.decoder.PeekKind() != '[' {
		return false, r.skip()
	}
	if _, err := r.decoder.ReadToken(); err != nil {
		return true, r.invalid(err)
	}
	for r.decoder.PeekKind() != ']' {
		if err := element(); err != nil {
			return true, err
		}
	}
	if _, err := r.decoder.ReadToken(); err != nil {
		return true, r.invalid(err)
	}
	return true, nil
}

// text reads one, if one is there.
func (r *cellReader) text() (text string, is bool, err error) {
	if r.decoder.PeekKind() != '"' {
		return "", false, r.skip()
	}
	token, err := r.decoder.ReadToken()
	if err != nil {
		return "", false, r.invalid(err)
	}
	return token.String(), true, nil
}

// version is the format's number: by it Jupyter decides where the cells are, and what in them.
func (r *cellReader) version() error {
	if r.decoder.PeekKind() != '0' {
		return r.skip()
	}
	token, err := r.decoder.ReadToken()
	if err != nil {
		return r.invalid(err)
	}
	r.format = token.String()
	return nil
}

// metadata looks for the language in both places where it may be: one is what the cells are
// shown as, the other what they are run by.
func (r *cellReader) metadata() error {
	at := func(name string) func() error {
		return func() error {
			if r.decoder.PeekKind() != '{' {
				return r.skip()
			}
			return r.object(map[string]func() error{name: func() error {
				language, is, err := r.text()
				if is && language != "" {
					r.languages = append(r.languages, language)
				}
				return err
			}})
		}
	}
	if r.decoder.PeekKind() != '{' {
		return r.skip()
	}
	return r.object(map[string]func() error{"language_info": at("name"), "kernelspec": at("language")})
}

func (r *cellReader) cells() (err error) {
	r.listed, err = r.array(r.cell)
	return err
}

func (r *cellReader) cell() error {
	if r.count++; r.count > maxCells {
		return fmt.Errorf("it has more than %d cells", maxCells)
	}
	if r.decoder.PeekKind() != '{' {
		if err := r.skip(); err != nil {
			return err
		}
		return r.fault("it is no object")
	}
	var kind string
	var source sourceText
	err := r.object(map[string]func() error{
		"cell_type": func() (err error) {
			kind, _, err = r.text()
			return err
		},
		"source": func() error { return r.source(&source) },
	})
	switch {
	case err != nil:
		return err
	case kind != "code":
		return nil
	case !source.there:
		return r.fault("it has no source")
	case source.other:
		return r.fault("its source holds something else than text")
	case r.bytes+source.bytes > maxCode:
		return r.fault("the code of the cells up to this one has more than %d MiB", maxCode>>20)
	}
	r.bytes += source.bytes
	r.code = append(r.code, codeCell{number: r.count, source: source.text.String()})
	return nil
}

func (r *cellReader) fault(message string, args ...any) error {
	return fmt.Errorf("cell %d: %s", r.count, fmt.Sprintf(message, args...))
}

// sourceText is a cell's text, of which no more is kept than may be.
type sourceText struct {
	text  strings.Builder
	bytes int
	there bool
	other bool // it holds something else than text
}

func (s *sourceText) add(part string) {
	s.bytes = min(s.bytes+len(part), maxCode+1)
	if s.bytes <= maxCode {
		s.text.WriteString(part)
	}
}

// source reads a text, or a list of lines with their ends.
func (r *cellReader) source(into *sourceText) error {
	if r.decoder.PeekKind() == '"' {
		text, _, err := r.text()
		into.there = true
		into.add(text)
		return err
	}
	is, err := r.array(func() error {
		text, is, err := r.text()
		into.other = into.other || !is
		into.add(text)
		return err
	})
	into.there = is
	return err
}
