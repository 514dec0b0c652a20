package source

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"hotcell/internal/strictjson"
	"hotcell/internal/table"
)

// A frame is its kind, the size of its payload in four bytes, and the payload.
const (
	frameConfined byte = 'C' // the first, but where nothing was confined
	frameOpen     byte = 'U' // why nothing was confined: no byte of the source was read
	frameTable    byte = 'B' // its name: that of a sheet, or ""
	frameData     byte = 'D' // bytes of the table
	frameColumns  byte = 'E' // the table ends: JSON of its columns
	frameFault    byte = 'F' // what is wrong with the source, and the end
	frameEnd      byte = 'Z' // nothing is wrong, and the end
)

const (
	maxData   = 64 << 10
	maxAnswer = 8 << 20 // bytes of the columns
	maxSheet  = 256     // bytes of a sheet's name
)

// Frames writes what becomes of a source. It is for the process that reads it.
type Frames struct{ to *bufio.Writer }

// NewFrames writes to what Receive reads.
func NewFrames(to io.Writer) *Frames { return &Frames{bufio.NewWriterSize(to, 2*maxData)} }

func (f *Frames) frame(kind byte, payload []byte) error {
	var head [5]byte
	head[0] = kind
	binary.BigEndian.PutUint32(head[1:], uint32(len(payload)))
	if _, err := f.to.Write(head[:]); err != nil {
		return fmt.Errorf("write frame: %w", err)
	}
	if _, err := f.to.Write(payload); err != nil {
		return fmt.Errorf("write frame: %w", err)
	}
	return nil
}

// Confined says that this process can do no more than it needs, or why it can.
func (f *Frames) Confined(why error) error {
	if why != nil {
		return errors.Join(f.frame(frameOpen, []byte(oneLine(why.Error()))), f.to.Flush())
	}
	return f.frame(frameConfined, nil)
}

// Table begins a table.
func (f *Frames) Table(name string) error { return f.frame(frameTable, []byte(name)) }

// Write writes bytes of the table.
func (f *Frames) Write(data []byte) (int, error) {
	for at := 0; at < len(data); at += maxData {
		if err := f.frame(frameData, data[at:min(at+maxData, len(data))]); err != nil {
			return at, err
		}
	}
	return len(data), nil
}

// ending is what a source says of a table when it has been written.
type ending struct {
	Columns []Column `json:"columns"`
	Notes   []string `json:"notes"`
}

// Columns ends a table. Notes are on all of it.
func (f *Frames) Columns(columns []Column, notes ...string) error {
	encoded, err := strictjson.Encode(ending{append([]Column{}, columns...), append([]string{}, notes...)})
	if err != nil {
		return fmt.Errorf("encode columns: %w", err)
	}
	return f.frame(frameColumns, encoded)
}

// End says what is wrong with the source, or that nothing is.
func (f *Frames) End(fault error) error {
	kind, payload := frameEnd, []byte(nil)
	if fault != nil {
		kind, payload = frameFault, []byte(oneLine(fault.Error()))
	}
	return errors.Join(f.frame(kind, payload), f.to.Flush())
}

// oneLine is a sentence that a terminal can show.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, strings.ToValidUTF8(text, "\ufffd"))
	if len(text) > maxNote {
		text = strings.ToValidUTF8(text[:maxNote], "") + "…"
	}
	return text
}

// Receiver gets the tables of a source, one after the other.
type Receiver interface {
	Begin(sheet string) (io.Writer, error)
	End(columns []Column, notes []string) error
}

// errFrames is what a process that does as it should does not send.
var errFrames = errors.New("what reads it has broken its protocol")

// receiving is one source's answer.
type receiving struct {
	from  *bufio.Reader
	into  Receiver
	table io.Writer // nil between tables
	left  int64
	count int
	held  []byte
}

// Receive reads what Frames has written, of a process that may be anybody's. What is wrong
// with the source is a *FaultError; what is wrong with the frames is another error.
func Receive(from io.Reader, into Receiver) error {
	r := receiving{from: bufio.NewReaderSize(from, 2*maxData), into: into, left: MaxBytes}
	kind, payload, err := r.next()
	switch {
	case err != nil:
		return err
	case kind == frameOpen:
		return fmt.Errorf("%w: %s", ErrUnconfined, oneLine(string(payload)))
	case kind != frameConfined || len(payload) != 0:
		return errFrames
	}
	for {
		kind, payload, err := r.next()
		if err != nil {
			return err
		}
		if kind == frameEnd && r.table == nil && r.count > 0 && len(payload) == 0 {
			return r.atEnd()
		}
		if err := r.take(kind, payload); err != nil {
			return err
		}
	}
}

func (r *receiving) next() (kind byte, payload []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r.from, head[:]); err != nil {
		return 0, nil, fmt.Errorf("%w: %w", errFrames, err)
	}
	size := binary.BigEndian.Uint32(head[1:])
	most := map[byte]uint32{
		frameOpen: maxNote + 8, frameTable: maxSheet, frameData: maxData, frameColumns: maxAnswer, frameFault: maxNote + 8,
	}[head[0]]
	if size > most {
		return 0, nil, errFrames
	}
	if int(size) > len(r.held) {
		r.held = make([]byte, size)
	}
	if _, err := io.ReadFull(r.from, r.held[:size]); err != nil {
		return 0, nil, fmt.Errorf("%w: %w", errFrames, err)
	}
	return head[0], r.held[:size], nil
}

func (r *receiving) take(kind byte, payload []byte) (err error) {
	inside := r.table != nil
	switch {
	case kind == frameFault:
		return Fault(oneLine(string(payload)))
	case kind == frameTable && !inside:
		if r.count++; r.count > MaxTables {
			return Fault(fmt.Sprintf("it has more than %d tables", MaxTables))
		}
		r.table, err = r.into.Begin(strings.ToValidUTF8(string(payload), "\ufffd"))
		return err
	case kind == frameData && inside:
		if r.left -= int64(len(payload)); r.left < 0 {
			return Fault(fmt.Sprintf("it unpacks to more than %d GiB: put it here as a plain CSV, TSV or JSON Lines file", int64(MaxBytes)>>30))
		}
		_, err = r.table.Write(payload)
		return err
	case kind == frameColumns && inside:
		said, err := endingOf(payload)
		if err != nil {
			return err
		}
		r.table = nil
		return r.into.End(said.Columns, said.Notes)
	}
	return errFrames
}

// maxNotes is how many sentences there may be on a table beside those on its columns.
const maxNotes = 2 * MaxTables

// endingOf believes no name, type or sentence before it has looked at it.
func endingOf(payload []byte) (ending, error) {
	var said ending
	if err := strictjson.DecodeAll(payload, maxAnswer, &said); err != nil {
		return ending{}, fmt.Errorf("%w: %w", errFrames, err)
	}
	if len(said.Columns) > MaxColumns || len(said.Notes) > maxNotes {
		return ending{}, errFrames
	}
	seen := make(map[string]bool, len(said.Columns))
	for at, column := range said.Columns {
		if seen[column.Name] || column.Type != "" && table.CheckType(column.Type) != nil {
			return ending{}, errFrames
		}
		seen[column.Name] = true
		said.Columns[at].Note = oneLine(column.Note)
	}
	for at, note := range said.Notes {
		said.Notes[at] = oneLine(note)
	}
	return said, nil
}

// atEnd wants nothing behind the last frame.
func (r *receiving) atEnd() error {
	if _, err := r.from.ReadByte(); !errors.Is(err, io.EOF) {
		return errFrames
	}
	return nil
}
