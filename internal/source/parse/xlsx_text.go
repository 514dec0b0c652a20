package parse

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// readTexts reads the texts that cells share.
func (b *workbook) readTexts(name string) error {
	part, err := b.part(name, maxTexts)
	if err != nil {
		return err
	}
	defer part.Close()
	decoder := newXML(part)
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("it is no XLSX file: part %.60q: %w", name, err)
		}
		if start, is := token.(xml.StartElement); is && start.Name.Local == "si" {
			value, err := readText(decoder)
			if err != nil {
				return fmt.Errorf("it is no XLSX file: part %.60q: %w", name, err)
			}
			b.texts = append(b.texts, value)
		}
	}
}

// readText reads the element that has begun: a text, or runs of one. How it is pronounced
// (rPh) is no part of it.
func readText(decoder *xml.Decoder) (string, error) {
	var made strings.Builder
	for depth := 1; depth > 0; {
		token, err := decoder.Token()
		if err != nil {
			return "", err
		}
		switch one := token.(type) {
		case xml.StartElement:
			switch one.Name.Local {
			case "t":
				value, err := characters(decoder)
				if err != nil {
					return "", err
				}
				made.WriteString(value)
			case "rPh", "rPr", "phoneticPr":
				if err := decoder.Skip(); err != nil {
					return "", err
				}
			case "r":
				depth++
			default:
				return "", fmt.Errorf("a text has the element %.40q in it", one.Name.Local)
			}
		case xml.EndElement:
			depth--
		}
	}
	return unescaped(made.String()), nil
}

// characters reads to the end of an element that has nothing but text.
func characters(decoder *xml.Decoder) (string, error) {
	var made strings.Builder
	for {
		token, err := decoder.Token()
		if err != nil {
			return "", err
		}
		switch one := token.(type) {
		case xml.CharData:
			made.Write(one)
		case xml.StartElement:
			return "", fmt.Errorf("a text has the element %.40q in it", one.Name.Local)
		case xml.EndElement:
			return made.String(), nil
		}
	}
}

var escapes = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// unescaped puts back the characters that XML cannot have (ST_Xstring).
func unescaped(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	return escapes.ReplaceAllStringFunc(text, func(escape string) string {
		number, err := strconv.ParseUint(escape[2:6], 16, 32)
		if err != nil || !utf8.ValidRune(rune(number)) {
			return escape
		}
		return string(rune(number))
	})
}
