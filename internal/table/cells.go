package table

import "io"

// A table has as many cells as its source has bytes, or fewer, but in JSON Lines: there a cell
// that is missing need not be written, and every run has memory for it all the same.
const (
	freeCells    = 1 << 24 // as many as 128 MiB of numbers
	cellsPerByte = 4       // a line of 50 bytes may leave out 150 columns or so
)

// CheckCells refuses a table, by a *FaultError, that has far more cells than its source, of so
// many bytes, has written.
func CheckCells(rows int64, columns int, bytes int64) error {
	if rows*int64(columns) <= freeCells+cellsPerByte*bytes {
		return nil
	}
	return faultAt(0, "it has %d columns, and with row %d far more cells than are written in it: write null where a row has no value, or a row for each value, "+
		"or make several tables of it", columns, rows)
}

// counter counts what is read.
type counter struct {
	io.Reader
	bytes int64
}

// Read implements io.Reader.
func (c *counter) Read(into []byte) (int, error) {
	read, err := c.Reader.Read(into)
	c.bytes += int64(read)
	return read, err
}
