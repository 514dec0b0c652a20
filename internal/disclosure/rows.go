package disclosure

import (
	"context"
	"fmt"
	"hash/maphash"
)

// A run is some values that stand beside each other in a row of the data, or below each other in
// a column, and do so in the output. By its runs the data is known where no column has its name:
// in what is printed without one, and under other names.

const (
	runLength = 3 // cells of a row; in a table of two columns two
	runBelow  = 8 // of a column
	runNamed  = 5 // of a column that has its name
)

// Rows are the runs of the data, as a filter: what is not in it is none, and what is in it may
// be one. It is made once for a bundle and may be used by several at once.
type Rows struct {
	seed   maphash.Seed
	bits   []uint64
	narrow bool // a table has two columns
}

// Bounds of the filter, in words of 64 bits: 32 MiB at the most, which in 16 million runs takes
// one of 500 for another.
const (
	leastBits = 1 << 9
	mostBits  = 1 << 22
)

// NewRows reads all of the data. bytes is about how large it is.
func NewRows(ctx context.Context, data []Table, bytes int64) (*Rows, error) {
	size := int64(leastBits)
	for size < mostBits && size*16 < bytes {
		size *= 2
	}
	r := &Rows{seed: maphash.MakeSeed(), bits: make([]uint64, size)}
	for _, table := range data {
		r.narrow = r.narrow || len(table.Columns) == 2
		reading := newReading(r.seed, len(table.Columns), r.add)
		err := table.Rows(ctx, inOrder(len(table.Columns)), func(cells [][]byte) error {
			reading.row(cells)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("read the rows: %w", err)
		}
	}
	return r, nil
}

// reading is that of one table of the data, whose runs it hands out.
type reading struct {
	seed  maphash.Seed
	see   func(hash uint64)
	cells []uint64
	below []column8
}

func newReading(seed maphash.Seed, columns int, see func(hash uint64)) *reading {
	return &reading{seed, see, make([]uint64, columns), make([]column8, columns)}
}

func (r *reading) row(cells [][]byte) {
	there := 0
	for at, cell := range cells {
		text := shortened(string(cell))
		r.cells[at] = hashOf(r.seed, text)
		if hash, whole := r.below[at].add(r.cells[at], text); whole {
			r.see(hash)
		}
		if text != "" {
			there++
		}
	}
	if len(cells) > 1 && there > 1 {
		eachRun(r.cells, min(len(cells), runLength), r.see)
	}
}

// hashOf is 0 for what is missing.
func hashOf(seed maphash.Seed, text string) uint64 {
	if text == "" {
		return 0
	}
	return maphash.String(seed, text)
}

// eachRun hands out the runs of a row, by the hashes of its cells. What is missing says nothing,
// so that two cells of a run have to be there.
func eachRun(cells []uint64, length int, see func(hash uint64)) {
	for at := 0; at+length <= len(cells); at++ {
		sum, there := uint64(length), 0
		for _, hash := range cells[at : at+length] {
			if hash != 0 {
				there++
			}
			sum = joined(sum, hash)
		}
		if there > 1 {
			see(sum)
		}
	}
}

// joined puts a hash behind others. Nobody knows the seed of these.
func joined(sum, hash uint64) uint64 {
	const odd = 0x9e3779b97f4a7c15
	sum = (sum ^ hash) * odd
	return sum ^ sum>>29
}

// column8 has the last values of a column, as many as a run has.
type column8 struct {
	hashes [runBelow]uint64
	sizes  [runBelow]int
	count  int
	named  bool // it has the name of the data's: fewer are a run
}

func (c *column8) length() int {
	if c.named {
		return runNamed
	}
	return runBelow
}

// add takes the next value, and returns the run that it is the last one of. It is one only if it
// says something: of at least 14 digits and letters (8 of five values), and of four values that differ.
func (c *column8) add(hash uint64, text string) (sum uint64, whole bool) {
	const different = 4
	length := c.length()
	saying := 2 * (length - 1)
	c.hashes[c.count%length], c.sizes[c.count%length] = hash, len(text)
	c.count++
	if c.count < length {
		return 0, false
	}
	sum = uint64(length)
	size, others := 0, 0
	for n := range length {
		at := (c.count + n) % length
		sum = joined(sum, c.hashes[at])
		size += c.sizes[at]
		first := true
		for before := range n {
			first = first && c.hashes[(c.count+before)%length] != c.hashes[at]
		}
		if first {
			others++
		}
	}
	return sum, size >= saying && others >= different
}

const probes = 4 // bits of the filter for a run

func (r *Rows) add(hash uint64) {
	for n := range uint64(probes) {
		bit := r.bit(hash, n)
		r.bits[bit/64] |= 1 << (bit % 64)
	}
}

func (r *Rows) has(hash uint64) bool {
	for n := range uint64(probes) {
		if bit := r.bit(hash, n); r.bits[bit/64]&(1<<(bit%64)) == 0 {
			return false
		}
	}
	return true
}

func (r *Rows) bit(hash, n uint64) uint64 {
	return (hash + n*(hash>>32|1)) % uint64(len(r.bits)*64)
}
