package output

import (
	"bufio"
	"context"
	"fmt"
	"io"
)

// A hostile document is as large as its policy lets it be, and a few of its bytes
// can become many of memory. Nothing here builds a tree or reads a document as a
// whole: each checker takes one token after the other, and these bounds hold what a
// tokenizer keeps meanwhile.
const (
	// maxToken is of one string, text, comment or tag, in bytes: a picture in a
	// drawing, or the path of a line with some hundred thousand points.
	maxToken = 8 << 20
	// maxEquals is how many "=" one token may have. Each attribute of XML needs one.
	maxEquals = 1000
	// maxNesting is how many elements, or values of JSON, may stand within another.
	maxNesting = 256
)

// gauge passes a document on and ends it where one token has grown too large. It is
// an io.ByteReader, so that encoding/xml reads not a byte further than its token.
type gauge struct {
	reader *bufio.Reader
	token  int // bytes since the last token
	equals int // of them
	last   [3]byte
	fault  error
}

func newGauge(file io.Reader) *gauge { return &gauge{reader: bufio.NewReaderSize(file, 64<<10)} }

// next begins a token.
func (g *gauge) next() { g.token, g.equals = 0, 0 }

// ReadByte implements io.ByteReader.
func (g *gauge) ReadByte() (byte, error) {
	read, err := g.reader.ReadByte()
	if err != nil {
		return 0, err
	}
	g.token++
	if read == '=' {
		g.equals++
	}
	g.last = [3]byte{g.last[1], g.last[2], read}
	if string(g.last[:]) == "<![" {
		// Simple readers of HTML take it for a comment that ends at the first ">".
		g.fault = found(RuleActiveContent, "it has a CDATA section: write &lt; and &amp; instead")
		return 0, g.fault
	}
	if g.token > maxToken || g.equals > maxEquals {
		g.fault = tooLargeToken()
		return 0, g.fault
	}
	return read, nil
}

// Read implements io.Reader, which a decoder must also have and does not use.
func (g *gauge) Read(into []byte) (int, error) {
	if len(into) == 0 {
		return 0, nil
	}
	read, err := g.ReadByte()
	if err != nil {
		return 0, err
	}
	into[0] = read
	return 1, nil
}

func tooLargeToken() error {
	return found(RuleTooComplex, "a single text, tag or value in it is too large to be checked (%d MiB, or more than %d attributes): write a picture or a table as a file of its own", maxToken>>20, maxEquals)
}

// watched is a staged file that can be read while ctx lasts: a check that takes too
// long ends with its next read.
type watched struct {
	stagedFile
	ctx   context.Context //nolint:containedctx // an io.Reader has no other way to it
	fault error           // ours, not the document's
}

// Read implements io.Reader.
func (w *watched) Read(into []byte) (int, error) {
	if w.ctx.Err() != nil {
		w.fault = context.Cause(w.ctx)
		return 0, w.fault
	}
	n, err := w.stagedFile.Read(into)
	if err != nil && err != io.EOF { //nolint:errorlint // an io.Reader returns io.EOF itself
		w.fault = fmt.Errorf("read staged file: %w", err)
	}
	return n, err
}
