package parse

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"hotcell/internal/source"
)

// parquetColumn is a column of a Parquet file, and what has been seen of its values.
type parquetColumn struct {
	name        string
	kind        string // as table.TypeNames has it
	note        string
	gaps        bool // a value may be missing
	logical     schema.LogicalType
	nulls, nans int64
	nanos       bool // a time is none of whole microseconds
}

// newParquetColumn takes those types of which each value can be written exactly.
func newParquetColumn(of *schema.Column) (made *parquetColumn, problem string) {
	made = &parquetColumn{name: of.ColumnPath()[0], gaps: of.MaxDefinitionLevel() > 0, logical: of.LogicalType()}
	if len(of.ColumnPath()) > 1 || of.MaxRepetitionLevel() > 0 || of.MaxDefinitionLevel() > 1 {
		return made, "it is nested (a list, a map or a struct): write its parts as columns, or its JSON as a text"
	}
	switch logical := made.logical.(type) {
	case schema.DateLogicalType:
		made.kind = "date"
	case schema.TimestampLogicalType:
		made.kind = "datetime"
		if logical.IsFromConvertedType() {
			made.note = "it was written in an old way, which does not say whether it has a zone: UTC"
		}
	case schema.DecimalLogicalType:
		const most = 1000
		if logical.Scale() < 0 || logical.Scale() > most {
			return made, "it is a decimal of an impossible scale"
		}
		made.kind, made.note = "string", fmt.Sprintf("decimal(%d, %d), as text", logical.Precision(), logical.Scale())
	case schema.TimeLogicalType, schema.StringLogicalType, schema.EnumLogicalType, schema.JSONLogicalType, schema.UUIDLogicalType:
		made.kind = "string"
	case schema.IntLogicalType:
		made.kind = "integer"
	case schema.Float16LogicalType:
		made.kind = "number"
	case schema.NoLogicalType, schema.UnknownLogicalType, schema.NullLogicalType:
		made.kind = physical[of.PhysicalType()]
	}
	if of.PhysicalType() == parquet.Types.Int96 {
		return made, "it has times of an old kind (INT96), which does not say whether they have a zone: write them as TIMESTAMP_MICROS"
	}
	if made.kind == "" {
		return made, "it has bytes of which nothing says what they are: write texts as strings, and leave out what is none"
	}
	return made, ""
}

var physical = map[parquet.Type]string{
	parquet.Types.Boolean: "boolean", parquet.Types.Int32: "integer", parquet.Types.Int64: "integer", parquet.Types.Float: "number", parquet.Types.Double: "number",
}

func (c *parquetColumn) told() source.Column {
	notes := []string{c.note}
	kind := c.kind
	if c.nanos {
		kind = "string"
		notes = append(notes, "times with nanoseconds, as text")
	}
	if c.nans > 0 {
		notes = append(notes, fmt.Sprintf("NaN (%d) is missing", c.nans))
	}
	return source.Column{Name: c.name, Type: kind, Note: strings.Trim(strings.Join(notes, "; "), "; ")}
}

// open reads a column chunk as what its physical type is in memory.
func (c *parquetColumn) open(chunk file.ColumnChunkReader) (next, error) {
	switch reader := chunk.(type) {
	case *file.BooleanColumnChunkReader:
		return batches(c, reader.ReadBatch, func(value bool) ([]byte, error) { return strconv.AppendBool(nil, value), nil }), nil
	case *file.Int32ColumnChunkReader:
		return batches(c, reader.ReadBatch, func(value int32) ([]byte, error) { return c.integer(int64(value), uint64(uint32(value))) }), nil
	case *file.Int64ColumnChunkReader:
		return batches(c, reader.ReadBatch, func(value int64) ([]byte, error) { return c.integer(value, uint64(value)) }), nil
	case *file.Float32ColumnChunkReader:
		return batches(c, reader.ReadBatch, func(value float32) ([]byte, error) { return c.number(float64(value)) }), nil
	case *file.Float64ColumnChunkReader:
		return batches(c, reader.ReadBatch, c.number), nil
	case *file.ByteArrayColumnChunkReader:
		return batches(c, reader.ReadBatch, func(value parquet.ByteArray) ([]byte, error) { return c.bytes(value) }), nil
	case *file.FixedLenByteArrayColumnChunkReader:
		return batches(c, reader.ReadBatch, func(value parquet.FixedLenByteArray) ([]byte, error) { return c.bytes(value) }), nil
	}
	return nil, fmt.Errorf("column %.60q has values of an unknown kind", c.name)
}

// integer writes what an integer stands for. bits are its own without a sign.
func (c *parquetColumn) integer(value int64, bits uint64) ([]byte, error) {
	switch logical := c.logical.(type) {
	case schema.DateLogicalType:
		return c.moment(time.Unix(0, 0).UTC().AddDate(0, 0, int(value)), time.DateOnly)
	case schema.TimestampLogicalType:
		form := "2006-01-02T15:04:05.999999999"
		if logical.IsAdjustedToUTC() {
			form += "Z"
		}
		return c.moment(instant(value, logical.TimeUnit()), form)
	case schema.TimeLogicalType:
		at := instant(value, logical.TimeUnit())
		if value < 0 || at.Unix() >= 24*60*60 {
			return nil, errors.New("it has a time of day beyond a day")
		}
		form := "15:04:05.999999999"
		if logical.IsAdjustedToUTC() {
			form += "Z"
		}
		return text(at.Format(form))
	case schema.DecimalLogicalType:
		return text(decimal(big.NewInt(value), int(logical.Scale())))
	case schema.IntLogicalType:
		if !holds(logical, value, bits) {
			return nil, fmt.Errorf("it has %d, which %s cannot have: it is damaged, or was written wrongly", value, strings.ToLower(logical.String()))
		}
		if !logical.IsSigned() {
			return strconv.AppendUint(nil, bits, 10), nil
		}
	}
	return strconv.AppendInt(nil, value, 10), nil
}

// holds reports whether a number is one of its type, which may be narrower than how it is stored.
func holds(of schema.IntLogicalType, value int64, bits uint64) bool {
	width := of.BitWidth()
	switch {
	case width >= 32: // which is how it is stored
		return true
	case of.IsSigned():
		return value>>(width-1) == 0 || value>>(width-1) == -1
	}
	return bits>>width == 0
}

// instant is a moment so many units after 1970 began.
func instant(value int64, unit schema.TimeUnitType) time.Time {
	switch unit {
	case schema.TimeUnitMillis:
		return time.UnixMilli(value).UTC()
	case schema.TimeUnitMicros:
		return time.UnixMicro(value).UTC()
	default: // the library refuses units that nobody knows
		return time.Unix(0, value).UTC()
	}
}

func (c *parquetColumn) moment(at time.Time, form string) ([]byte, error) {
	if year := at.Year(); year < 1 || year > 9999 {
		return nil, errors.New("it has a date before the year 1 or behind 9999: write it as text")
	}
	c.nanos = c.nanos || at.Nanosecond()%1000 != 0
	return text(at.Format(form))
}

// number writes a float64 by the fewest digits that are no other one. JSON has no infinity: a
// text in a column of numbers is read as one.
func (c *parquetColumn) number(value float64) ([]byte, error) {
	switch {
	case math.IsNaN(value):
		c.nans++
		return nil, nil
	case math.IsInf(value, 1):
		return text("inf")
	case math.IsInf(value, -1):
		return text("-inf")
	}
	return strconv.AppendFloat(nil, value, 'g', -1, 64), nil
}

func (c *parquetColumn) bytes(value []byte) ([]byte, error) {
	switch logical := c.logical.(type) {
	case schema.DecimalLogicalType:
		const most = 64
		if len(value) > most {
			return nil, errors.New("it has a decimal of more digits than any has")
		}
		return text(decimal(signed(value), int(logical.Scale())))
	case schema.UUIDLogicalType:
		if len(value) != 16 {
			return nil, errors.New("it has a UUID that is none")
		}
		return text(fmt.Sprintf("%x-%x-%x-%x-%x", value[:4], value[4:6], value[6:8], value[8:10], value[10:]))
	case schema.Float16LogicalType:
		if len(value) != 2 {
			return nil, errors.New("it has a number that is none")
		}
		return c.number(float64(float16.FromBits(binary.LittleEndian.Uint16(value)).Float32()))
	}
	encoded, err := text(string(value))
	if err != nil {
		return nil, errors.New("it has a text that is not UTF-8: write it as UTF-8")
	}
	return encoded, nil
}

// signed reads two's complement, the most significant byte first.
func signed(value []byte) *big.Int {
	read := new(big.Int).SetBytes(value)
	if len(value) > 0 && value[0] >= 0x80 {
		read.Sub(read, new(big.Int).Lsh(big.NewInt(1), uint(8*len(value))))
	}
	return read
}

// decimal writes all digits behind the point, zeros too.
func decimal(value *big.Int, scale int) string {
	digits := new(big.Int).Abs(value).String()
	if scale > 0 {
		digits = strings.Repeat("0", max(0, scale+1-len(digits))) + digits
		digits = digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	}
	if value.Sign() < 0 {
		return "-" + digits
	}
	return digits
}
