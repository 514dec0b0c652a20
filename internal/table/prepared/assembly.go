package prepared

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"hotcell/internal/strictjson"
)

// assembly writes a file from its beginning to its end.
type assembly struct {
	to io.Writer
	at int64
}

func (a *assembly) write(data []byte) error {
	count, err := a.to.Write(data)
	a.at += int64(count)
	if err != nil {
		return fmt.Errorf("write prepared table: %w", err)
	}
	return nil
}

// align fills up to a multiple.
func (a *assembly) align(multiple int64) error {
	if over := a.at % multiple; over > 0 {
		return a.write(make([]byte, multiple-over))
	}
	return nil
}

// copy writes a stream as a buffer.
func (a *assembly) copy(from *stream) (Buffer, error) {
	if err := a.align(alignBuffer); err != nil {
		return Buffer{}, err
	}
	start := a.at
	return Buffer{start, from.bytes}, a.copyOn(from)
}

// copyOn writes a stream behind what is there.
func (a *assembly) copyOn(from *stream) error {
	count, err := io.Copy(a.to, from.reader())
	a.at += count
	if err == nil && count != from.bytes {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return fmt.Errorf("copy column: %w", err)
	}
	return nil
}

// maskOf writes a mask in which something is set.
func (a *assembly) maskOf(from *stream, missing bool) (Buffer, error) {
	if !missing {
		return Buffer{}, nil
	}
	return a.copy(from)
}

// narrow writes codes of four bytes as such of width bytes, and one for what is missing.
func (a *assembly) narrow(from *stream, width, missing int) (Buffer, error) {
	if err := a.align(alignBuffer); err != nil {
		return Buffer{}, err
	}
	start, codes := a.at, from.reader()
	var wide [4]byte
	narrow := make([]byte, 0, 64<<10)
	for range from.bytes / int64(len(wide)) {
		if _, err := io.ReadFull(codes, wide[:]); err != nil {
			return Buffer{}, fmt.Errorf("read codes: %w", err)
		}
		code := int(binary.LittleEndian.Uint32(wide[:]))
		if code == missingCode {
			code = missing
		}
		narrow = append(narrow, wide[:width]...)
		putCode(narrow[len(narrow)-width:], code)
		if len(narrow)+width > cap(narrow) {
			if err := a.write(narrow); err != nil {
				return Buffer{}, err
			}
			narrow = narrow[:0]
		}
	}
	err := a.write(narrow)
	return Buffer{start, a.at - start}, err
}

// list writes texts that are in memory.
func (a *assembly) list(texts []string) (Texts, error) {
	var met controls
	for _, each := range texts {
		met.look([]byte(each))
	}
	separator, quoted := met.separator()
	return a.texts(separator, quoted, listed(texts))
}

// texts writes texts in parts.
func (a *assembly) texts(separator byte, quoted bool, next nextText) (Texts, error) {
	made := Texts{Separator: separator, Quoted: quoted, Parts: []Part{}}
	if err := a.align(alignBuffer); err != nil {
		return made, err
	}
	var held []byte
	var count int64
	flush := func() error {
		if count == 0 {
			return nil
		}
		made.Parts = append(made.Parts, Part{a.at, int64(len(held)), count})
		err := a.write(held)
		held, count = held[:0], 0
		return err
	}
	for {
		text, err := next()
		if errors.Is(err, io.EOF) {
			return made, flush()
		}
		if err == nil && quoted {
			text, err = quote(text)
		}
		if err != nil {
			return made, fmt.Errorf("read texts: %w", err)
		}
		if count > 0 && len(held)+len(text) >= partBytes {
			if err := flush(); err != nil {
				return made, err
			}
		}
		if count > 0 {
			held = append(held, separator)
		}
		held = append(held, text...)
		count++
	}
}

// begin writes the preamble.
func (a *assembly) begin() error {
	return a.write(binary.LittleEndian.AppendUint64([]byte(magic), Format))
}

// end writes the index and the trailer.
func (a *assembly) end(index Index) error {
	data, err := strictjson.Encode(index)
	if err != nil {
		return fmt.Errorf("encode index: %w", err)
	}
	for len(data)%8 != 0 {
		data = append(data, ' ')
	}
	if err := a.align(alignBuffer); err != nil {
		return err
	}
	trailer := binary.LittleEndian.AppendUint64(nil, uint64(a.at))
	trailer = binary.LittleEndian.AppendUint64(trailer, uint64(len(data)))
	if err := a.write(data); err != nil {
		return err
	}
	return a.write(append(trailer, magic...))
}
