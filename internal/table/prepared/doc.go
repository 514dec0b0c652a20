// Package prepared writes a table in the form in which a run gets it: one file of
// buffers as pandas has them in memory, which the guard maps and does not parse.
//
// It decides the form, and nothing else: what a cell is (internal/table) and where the
// file lies (internal/bundle) is decided before. Equal rows of an equal schema make equal
// bytes. What a Writer holds in memory does not grow with the rows.
//
// A file is, all integers in little-endian order:
//
//	preamble   8 bytes "HCTABLE\n", then the Format as 8 bytes
//	buffers    each begins at a multiple of 64, a block at one of 4096; zeros lie between
//	index      JSON (Index), padded with spaces to a multiple of 8
//	trailer    offset and length of the index, 8 bytes each, and 8 bytes "HCTABLE\n"
//
// The guard's granting/_prepared.py reads it.
package prepared

// Format is the version of the form. Another form is another number: what was prepared in
// one that this package does not write is made anew from the original.
const Format = 1

const (
	magic = "HCTABLE\n"

	alignBuffer = 64   // of a cache line, and above what any instruction wants
	alignBlock  = 4096 // of a page

	// partBytes is about what the guard decodes at a time.
	partBytes = 1 << 20
)

// Index says what lies where.
type Index struct {
	Rows    int64    `json:"rows"`
	Blocks  []Block  `json:"blocks"`
	Columns []Column `json:"columns"` // in the order of the schema
}

// Block is the columns of one dtype: an array of len(Columns) times Rows in C order, as
// pandas has them.
type Block struct {
	Dtype   Dtype  `json:"dtype"`
	Columns []int  `json:"columns"` // ascending
	Values  Buffer `json:"values"`
}

// Dtype is a block's, as numpy spells it.
type Dtype string

// The dtypes, in the order of their blocks.
const (
	Int64   Dtype = "int64"
	Uint64  Dtype = "uint64"
	Float64 Dtype = "float64"        // NaN where a value is missing
	Bool    Dtype = "bool"           // a byte each, 0 or 1
	Time    Dtype = "datetime64[us]" // the least int64 where a value is missing
)

// Buffer is a piece of the file.
type Buffer struct {
	Offset int64 `json:"offset"`
	Bytes  int64 `json:"bytes"`
}

// Column is one column, of which those members are there that its layout has.
type Column struct {
	Name   string `json:"name"`
	Layout Layout `json:"layout"`
	Values Buffer `json:"values,omitzero"` // of nullable, instants: 8 bytes a row
	Codes  Buffer `json:"codes,omitzero"`  // of categories, dictionary, boolean
	Width  int    `json:"width,omitzero"`  // bytes of a code
	Mask   Buffer `json:"mask,omitzero"`   // a byte a row, 1 where the value is missing; none where nothing is
	Texts  Texts  `json:"texts,omitzero"`  // of categories, dictionary, text, json
}

// Layout is how a column lies in the file.
type Layout string

// The layouts.
const (
	LayoutBlock      Layout = "block"      // in a block
	LayoutInstants   Layout = "instants"   // datetime64[us, UTC]: int64, the least of them where a value is missing
	LayoutNullable   Layout = "nullable"   // Int64: values, 0 where a value is missing, and always a mask
	LayoutCategories Layout = "categories" // signed codes of the texts, -1 where a value is missing
	LayoutDictionary Layout = "dictionary" // unsigned codes of the texts, their number where a value is missing
	LayoutText       Layout = "text"       // a text a row, empty where a value is missing
	LayoutJSON       Layout = "json"       // a JSON text a row, null where a value is missing
	LayoutBoolean    Layout = "boolean"    // codes of one byte: 0, 1, and 2 where a value is missing
)

// Texts is a sequence of texts in UTF-8.
type Texts struct {
	// Separator is the byte between two texts of a part, which no text has in it.
	Separator byte `json:"separator"`
	// Quoted tells that each text is a JSON string: no byte was left that could separate them.
	Quoted bool   `json:"quoted,omitzero"`
	Parts  []Part `json:"parts"` // in their order, each of at least one text
}

// Part is a piece of the file with some of the texts.
type Part struct {
	Offset int64 `json:"offset"`
	Bytes  int64 `json:"bytes"`
	Texts  int64 `json:"texts"`
}
