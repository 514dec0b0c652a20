package output

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
)

const (
	maxPDFObjects = 200_000
	maxPDFName    = 127 // as PDF 1.4 has it
	maxPDFKeys    = 100_000
	maxPDFNesting = 32
)

var (
	pdfHeader = regexp.MustCompile(`^%PDF-1\.[0-4]\r?\n(?:%[^%\r\n]{0,30}\r?\n)?`)
	pdfTail   = regexp.MustCompile(`startxref\r?\n([0-9]{1,15})\r?\n%%EOF[\r\n ]{0,4}$`)
	pdfEntry  = regexp.MustCompile(`^([0-9]{10}) ([0-9]{5}) ([nf])(?: \n| \r|\r\n)$`)
)

// pdfObjects is the second reading of a document, by its table of objects, which
// says of every byte what it belongs to. Readers that go by the table and readers
// that search for objects then find the same ones, each once.
type pdfObjects struct {
	file    stagedFile
	reader  *bufio.Reader
	at      int64
	table   int64   // where the table begins
	offsets []int64 // by object number
	seen    []bool
	asMap   []bool // referred to by an entry of pdfMaps
	plainly []bool // referred to otherwise
	mapOnly []bool // has entries of its writer's choosing
}

// checkPDFObjects follows the table. inFile is how many objects begin anywhere in the
// file's bytes.
func checkPDFObjects(file stagedFile, inFile int) error {
	p := &pdfObjects{file: file, reader: bufio.NewReaderSize(file, 64<<10)}
	for _, step := range []func() error{p.readTail, p.readTable, p.readObjects, p.checkUses} {
		if err := step(); err != nil {
			return err
		}
	}
	if inFile != len(p.offsets)-1 {
		return found(RuleActiveContent, "there are objects in it beside those of its table")
	}
	return nil
}

func (p *pdfObjects) broken(what string) error {
	return found(RuleMediaType, "it is no plain PDF 1.4, as matplotlib writes it: near byte %d, %s", p.at, what)
}

// readTail finds the one table of objects.
func (p *pdfObjects) readTail() error {
	size, err := p.file.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("read staged file: %w", err)
	}
	tail := make([]byte, min(size, 64))
	if _, err := p.file.ReadAt(tail, size-int64(len(tail))); err != nil {
		return fmt.Errorf("read staged file: %w", err)
	}
	parts := pdfTail.FindSubmatch(tail)
	if parts == nil {
		return p.broken("it does not end with startxref and %%EOF")
	}
	p.table, _ = strconv.ParseInt(string(parts[1]), 10, 64)
	if p.table >= size {
		return p.broken("it says that its table of objects is behind its end")
	}
	return nil
}

func (p *pdfObjects) seek(offset int64) error {
	if _, err := p.file.Seek(offset, io.SeekStart); err != nil {
		return fmt.Errorf("read staged file: %w", err)
	}
	p.reader.Reset(p.file)
	p.at = offset
	return nil
}

// readTable reads the table and the trailer, to the end of the document.
func (p *pdfObjects) readTable() error {
	if err := p.seek(p.table); err != nil {
		return err
	}
	if err := p.words("xref", "0"); err != nil {
		return err
	}
	count, err := p.integer()
	if err != nil {
		return err
	}
	if count < 2 || count > maxPDFObjects {
		return found(RuleTooComplex, "it has no object, or more than %d", maxPDFObjects)
	}
	if err := p.space(); err != nil {
		return err
	}
	if err := p.readEntries(int(count)); err != nil {
		return err
	}
	if err := p.words("trailer", "<<"); err != nil {
		return err
	}
	dictionary := pdfDictionary{keys: pdfTrailerKeys}
	if err := p.dictionary(&dictionary, 0); err != nil {
		return err
	}
	if dictionary.strange != "" || dictionary.size != count {
		return found(RuleActiveContent, "its trailer has more than /Size, /Root and /Info, or another size than its table")
	}
	return p.words("startxref", strconv.FormatInt(p.table, 10), "%%EOF")
}

func (p *pdfObjects) readEntries(count int) error {
	p.seen, p.asMap, p.plainly, p.mapOnly = make([]bool, count), make([]bool, count), make([]bool, count), make([]bool, count)
	for number := range count {
		var entry [20]byte
		if _, err := io.ReadFull(p.reader, entry[:]); err != nil {
			return p.ended(err)
		}
		p.at += int64(len(entry))
		parts := pdfEntry.FindSubmatch(entry[:])
		if parts == nil || (string(parts[3]) == "n") != (number > 0) || number > 0 && string(parts[2]) != "00000" {
			return p.broken("its table of objects has an entry that is none, or not in use")
		}
		offset, _ := strconv.ParseInt(string(parts[1]), 10, 64)
		p.offsets = append(p.offsets, offset)
	}
	return nil
}

// readObjects reads from the first byte to the table: nothing lies between.
func (p *pdfObjects) readObjects() error {
	if err := p.seek(0); err != nil {
		return err
	}
	head, err := p.reader.Peek(64)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read staged file: %w", err)
	}
	if err := p.pass(int64(len(pdfHeader.Find(head)))); err != nil {
		return err
	}
	for range len(p.offsets) - 1 {
		if err := p.object(); err != nil {
			return err
		}
	}
	if err := p.space(); err != nil {
		return err
	}
	if p.at != p.table {
		return p.broken("there is something between its objects and their table")
	}
	return nil
}

func (p *pdfObjects) object() error {
	if err := p.space(); err != nil {
		return err
	}
	begin := p.at
	number, err := p.integer()
	if err != nil {
		return err
	}
	if number < 1 || number >= int64(len(p.offsets)) || p.seen[number] || p.offsets[number] != begin {
		return p.broken("an object is not where its table says")
	}
	p.seen[number] = true
	if err := p.words("0", "obj"); err != nil {
		return err
	}
	if err := p.space(); err != nil {
		return err
	}
	if start, err := p.reader.Peek(2); err != nil || string(start) != "<<" {
		if err := p.value("", 0); err != nil {
			return err
		}
		return p.words("endobj")
	}
	if err := p.pass(2); err != nil {
		return err
	}
	dictionary := pdfDictionary{keys: pdfKeys}
	if err := p.dictionary(&dictionary, 0); err != nil {
		return err
	}
	p.mapOnly[number] = dictionary.strange != ""
	if err := p.space(); err != nil {
		return err
	}
	if start, err := p.reader.Peek(6); err == nil && string(start) == "stream" {
		if err := p.stream(dictionary); err != nil {
			return err
		}
	} else if dictionary.strange != "" && (!dictionary.canBeMap || dictionary.hasMap) {
		return dictionary.refused()
	}
	return p.words("endobj")
}

// stream passes over a stream, to the end that its length gives.
func (p *pdfObjects) stream(dictionary pdfDictionary) error {
	if dictionary.strange != "" {
		return dictionary.refused()
	}
	length, err := dictionary.length, error(nil)
	if dictionary.lengthIn > 0 {
		length, err = p.integerIn(dictionary.lengthIn)
	}
	if err != nil {
		return err
	}
	if err := p.pass(int64(len("stream"))); err != nil {
		return err
	}
	line, _ := p.reader.Peek(2)
	ends := int64(1)
	if string(line) == "\r\n" {
		ends = 2
	}
	if length < 0 || !bytes.HasSuffix(line[:min(len(line), int(ends))], []byte("\n")) || length > p.table-p.at {
		return p.broken("a stream has no length, or no line of its own")
	}
	if err := p.pass(ends + length); err != nil {
		return err
	}
	return p.words("endstream")
}

// integerIn is the number that an object consists of.
func (p *pdfObjects) integerIn(object int64) (int64, error) {
	var text [48]byte
	n, err := p.file.ReadAt(text[:], p.offsets[object])
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, fmt.Errorf("read staged file: %w", err)
	}
	parts := pdfInteger.FindSubmatch(text[:n])
	if parts == nil || string(parts[1]) != strconv.FormatInt(object, 10) {
		return 0, p.broken("the length of a stream is no number")
	}
	return strconv.ParseInt(string(parts[2]), 10, 64)
}

var pdfInteger = regexp.MustCompile(`^([0-9]{1,10}) 0 obj[\r\n ]{1,2}([0-9]{1,15})[\r\n ]{1,2}endobj`)

// checkUses holds each dictionary with entries of its writer's choosing to be
// referred to where readers look for such, and nowhere else.
func (p *pdfObjects) checkUses() error {
	for number := range p.mapOnly {
		if p.mapOnly[number] && (!p.asMap[number] || p.plainly[number]) {
			return found(RuleActiveContent, "object %d has entries that no drawing needs: a released document must not act when it is opened", number)
		}
	}
	return nil
}
