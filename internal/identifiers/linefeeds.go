package identifiers

import "io"

// LineFeeds reads a text whose lines end with a carriage return alone, as old spreadsheets write
// them, with line feeds. Whether a text is of that kind is its caller's to find.
func LineFeeds(from io.Reader) io.Reader { return carriage{from} }

type carriage struct{ from io.Reader }

// Read implements io.Reader.
func (c carriage) Read(into []byte) (int, error) {
	n, err := c.from.Read(into)
	for at := range into[:n] {
		if into[at] == '\r' {
			into[at] = '\n'
		}
	}
	return n, err
}
