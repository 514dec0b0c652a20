package output

import (
	"strings"
	"unicode"
)

// checkTable wants a text of whose cells no spreadsheet makes a formula: one can
// fetch an address with the other cells in it, or start a program (CWE-1236).
func checkTable(file stagedFile) error {
	cell, first := cellReader{begins: true}, dialectReader{}
	return checkTextFor(file, func(r rune, offset int64) error {
		if err := first.see(r); err != nil {
			return err
		}
		return cell.see(r, offset)
	})
}

// dialectReader looks for "sep=" at the beginning: spreadsheets take what follows for
// what separates cells, so that any character could.
type dialectReader struct {
	matched int
	other   bool // the file begins otherwise
}

const dialect = "sep="

func (d *dialectReader) see(r rune) error {
	r = unicode.ToLower(plainWidth(r))
	switch {
	case d.other || unicode.IsSpace(r) || strings.ContainsRune(blanks, r):
		return nil
	case r != rune(dialect[d.matched]):
		d.other = true
		return nil
	}
	if d.matched++; d.matched == len(dialect) {
		return found(RuleActiveContent, "it begins with what separates its cells (sep=), by which others read it than by commas: leave that line out")
	}
	return nil
}

// blanks are passed over before a cell's first character, as white space is.
const blanks = "\"'\ufeff"

// cellReader reads cells as every spreadsheet might: whatever separates cells in one
// dialect does, in quotes or not.
type cellReader struct {
	begins bool // nothing but blanks and quotes has come of the cell, or of what may be one
	signed bool // it begins with + or -, as numbers do
	// Of a signed one:
	named bool // the word that goes on here begins with a letter
	word  bool // a word goes on
	open  int  // brackets
	ended bool // a quote has come, which can only be its end
}

// separators of some dialect. Cells begin with a line, too.
const separators = ",;\t|\n\r\f"

func (c *cellReader) see(r rune, offset int64) error {
	r = plainWidth(r)
	switch {
	case c.signed && (c.open > 0 || r == '|' || !strings.ContainsRune(separators, r)):
		return c.afterSign(r, offset)
	case strings.ContainsRune(separators, r):
		*c = cellReader{begins: true}
	case !c.begins || unicode.IsSpace(r) || strings.ContainsRune(blanks, r):
	case strings.ContainsRune("=@", r):
		return formula(offset)
	default:
		*c = cellReader{signed: strings.ContainsRune("+-\u2212", r)}
	}
	return nil
}

// afterSign lets numbers pass, intervals and words: a formula that does something
// calls a function, or another program or table by a bar or a mark of exclamation.
// Texts it may not hold, in which separators would not be any, and those in brackets
// are none.
func (c *cellReader) afterSign(r rune, offset int64) error {
	switch {
	case c.ended, strings.ContainsRune("|!'", r), r == '(' && c.named, c.begins && strings.ContainsRune("=@", r):
		return formula(offset)
	case r == '"':
		c.ended = true
	case strings.ContainsRune("([{", r):
		c.open++
	case strings.ContainsRune(")]}", r):
		c.open--
	}
	// What separates arguments to one reader separates cells to another.
	c.begins = strings.ContainsRune(separators, r) || c.begins && unicode.IsSpace(r)
	letter, digit := unicode.IsLetter(r) || r == '_', unicode.IsDigit(r) || r == '.'
	switch {
	case letter && !c.word:
		c.word, c.named = true, true
	case digit && !c.word:
		c.word, c.named = true, false
	case !letter && !digit && !unicode.IsSpace(r):
		c.word, c.named = false, false
	case unicode.IsSpace(r):
		c.word = false // but "SUM (1)" is a call to some
	}
	return nil
}

// plainWidth is what spreadsheets in East Asian settings take a wide character for.
func plainWidth(r rune) rune {
	if r >= '\uff01' && r <= '\uff5e' {
		return r - '\uff01' + '!'
	}
	return r
}

func formula(offset int64) error {
	return found(RuleActiveContent, "near byte %d, a cell begins as a formula, which a spreadsheet would carry out: begin it with a letter or a digit", offset)
}

// checkMarkdown wants a text that is only text where it is shown as a page: a picture
// in it is loaded, what HTML is in it is carried out, and of its formulas, which are
// handed to a reader of TeX, some have styles of their own.
func checkMarkdown(file stagedFile) error {
	var before rune
	var command commandReader
	var tag strings.Builder // from "<", while it may be one
	return checkTextFor(file, func(r rune, offset int64) error {
		last := before
		before = r
		if command.loads(r) {
			return found(RuleActiveContent, "near byte %d, it has a command of TeX by which a formula loads something: leave it out", offset)
		}
		switch {
		case last == '!' && r == '[':
			return found(RuleActiveContent, "near byte %d, it has a picture, which a reader would load: release the picture as a file of its own", offset)
		case r == '<':
			tag.Reset()
			tag.WriteRune(r)
		case tag.Len() == 0:
		case tag.Len() == 1 && !unicode.IsLetter(r) && !strings.ContainsRune("/!?", r):
			tag.Reset() // "1 < 2"
		case r == '>' && missing[tag.String()]:
			tag.Reset()
		case tag.Len() > 4 || !unicode.IsLetter(r):
			return found(RuleActiveContent, "near byte %d, it has HTML or an address in angle brackets: write &lt; for a sign of its own", offset)
		default:
			tag.WriteRune(r)
		}
		return nil
	})
}

// texLoads are the commands of formulas by which a style, an attribute, a picture or an
// extension comes in, and that spell another one.
var texLoads = set("style", "bbox", "mmltoken", "includegraphics", "htmlstyle", "htmldata", "require", "csname")

// commandReader finds the commands of TeX in a text.
type commandReader struct {
	open bool
	name []rune
}

// loads takes the next character and reports whether a command of texLoads ends before it.
func (c *commandReader) loads(r rune) bool {
	const longest = 20
	if c.open && unicode.IsLetter(r) && len(c.name) < longest {
		c.name = append(c.name, unicode.ToLower(r))
		return false
	}
	found := c.open && texLoads[string(c.name)]
	c.open, c.name = r == '\\', c.name[:0] // also behind another, of which Markdown makes one
	return found
}

// missing is how pandas prints values that are none.
var missing = set("<NA", "<NaT", "<NaN")
