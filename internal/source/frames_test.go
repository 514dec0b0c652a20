package source_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/source"
)

// kept is a source.Receiver.
type kept struct {
	tables  []string
	sheets  []string
	columns [][]source.Column
	text    bytes.Buffer
}

func (k *kept) Begin(sheet string) (io.Writer, error) {
	k.sheets = append(k.sheets, sheet)
	k.text.Reset()
	return &k.text, nil
}

func (k *kept) End(columns []source.Column, notes []string) error {
	k.tables, k.columns = append(k.tables, k.text.String()), append(k.columns, columns)
	return nil
}

// none is what a source says that has nothing to say.
const none = `{"columns":[],"notes":[]}`

func frame(kind byte, payload string) string {
	return string(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(payload)))) + payload
}

func TestWhatIsWrittenIsReceived(t *testing.T) {
	var out bytes.Buffer
	to := source.NewFrames(&out)
	require.NoError(t, to.Confined(nil))
	require.NoError(t, to.Table("Sheet 1"))
	large := strings.Repeat("x", 200<<10)
	_, err := io.WriteString(to, large)
	require.NoError(t, err)
	columns := []source.Column{{Name: "a", Type: "date", Note: "two\nlines"}, {Name: "b"}}
	require.NoError(t, to.Columns(columns))
	require.NoError(t, to.End(nil))
	var got kept
	require.NoError(t, source.Receive(&out, &got))
	require.Equal(t, []string{large}, got.tables)
	require.Equal(t, []string{"Sheet 1"}, got.sheets)
	columns[0].Note = "two\ufffdlines"
	require.Equal(t, columns, got.columns[0])
}

func TestNothingIsBelievedOfAnAnswer(t *testing.T) {
	good := frame('C', "") + frame('B', "") + frame('D', "a\n")
	end := frame('E', none) + frame('Z', "")
	column := func(text string) string { return good + frame('E', `{"notes":[],"columns":`+text+`}`) + frame('Z', "") }
	for name, answer := range map[string]string{
		"nothing":                    "",
		"a table before the filter":  frame('B', ""),
		"data before a table":        frame('C', "") + frame('D', "x"),
		"an end within a table":      good + frame('Z', ""),
		"an end without a table":     frame('C', "") + frame('Z', ""),
		"a table in a table":         good + frame('B', ""),
		"columns without a table":    frame('C', "") + frame('E', none),
		"an end that is missing":     good + frame('E', none),
		"something behind the end":   good + end + "x",
		"a kind that is none":        frame('C', "") + frame('Q', ""),
		"twice the filter":           frame('C', "") + frame('C', ""),
		"a payload of the end":       good + frame('E', none) + frame('Z', "x"),
		"data that is too long":      frame('C', "") + frame('B', "") + "D\xff\xff\xff\xff",
		"a sheet that is too long":   frame('C', "") + frame('B', strings.Repeat("x", 257)),
		"a frame that is cut":        frame('C', "") + frame('B', "") + "D\x00\x00\x00\x09x",
		"columns that are no JSON":   column("x"),
		"a name that nobody knows":   column(`[{"name":"a","type":"","note":"","more":1}]`),
		"a name that is missing":     column(`[{"name":"a","type":""}]`),
		"a column twice":             column(`[{"name":"a","type":"","note":""},{"name":"a","type":"","note":""}]`),
		"a type that is none":        column(`[{"name":"a","type":"blob","note":""}]`),
		"a format that is none":      column(`[{"name":"a","type":"date:%s","note":""}]`),
		"another document behind it": column(`[] []`),
	} {
		t.Run(name, func(t *testing.T) {
			err := source.Receive(strings.NewReader(answer), new(kept))
			require.Error(t, err)
			_, isFault := errors.AsType[*source.FaultError](err)
			require.False(t, isFault, "it is no fault that the source's reader has told: %s", err)
		})
	}
}

func TestWhatAReaderSaysIsOneLineThatATerminalCanShow(t *testing.T) {
	err := source.Receive(strings.NewReader(frame('C', "")+frame('F', "\x1b[31mred\nnext\xff")), new(kept))
	require.EqualError(t, err, "\ufffd[31mred\ufffdnext\ufffd")
	var out bytes.Buffer
	require.NoError(t, source.NewFrames(&out).End(errors.New(strings.Repeat("ä", 1000))))
	err = source.Receive(strings.NewReader(frame('C', "")+out.String()), new(kept))
	require.Len(t, err.Error(), 400+len("…"))
	require.ErrorIs(t, source.Receive(strings.NewReader(frame('U', "no seccomp")), new(kept)), source.ErrUnconfined)
}

func TestASourceHasNoMoreTablesThanItMay(t *testing.T) {
	one := frame('B', "") + frame('E', none)
	require.NoError(t, source.Receive(strings.NewReader(frame('C', "")+strings.Repeat(one, source.MaxTables)+frame('Z', "")), new(kept)))
	err := source.Receive(strings.NewReader(frame('C', "")+strings.Repeat(one, source.MaxTables+1)+frame('Z', "")), new(kept))
	require.EqualError(t, err, "it has more than 256 tables")
}

// endless is an answer that never ends.
type endless struct{ chunk, head []byte }

func (e *endless) Read(into []byte) (int, error) {
	if len(e.head) == 0 {
		e.head = e.chunk
	}
	size := copy(into, e.head)
	e.head = e.head[size:]
	return size, nil
}

// nowhere takes tables and keeps nothing.
type nowhere struct{ bytes int64 }

func (n *nowhere) Write(data []byte) (int, error)      { n.bytes += int64(len(data)); return len(data), nil }
func (n *nowhere) Begin(string) (io.Writer, error)     { return n, nil }
func (n *nowhere) End([]source.Column, []string) error { return nil }

func TestASourceHasNoMoreBytesThanItMay(t *testing.T) {
	into := new(nowhere)
	err := source.Receive(&endless{head: []byte(frame('C', "") + frame('B', "")), chunk: []byte(frame('D', strings.Repeat("x", 64<<10)))}, into)
	require.EqualError(t, err, "it unpacks to more than 8 GiB: put it here as a plain CSV, TSV or JSON Lines file")
	require.LessOrEqual(t, into.bytes, int64(source.MaxBytes))
}

func FuzzReceive(f *testing.F) {
	f.Add([]byte(frame('C', "") + frame('B', "s") + frame('D', "a\n") + frame('E', `{"columns":[{"name":"a","type":"date","note":"n"}],"notes":["n"]}`) + frame('Z', "")))
	f.Add([]byte(frame('C', "") + frame('F', "x")))
	f.Fuzz(func(t *testing.T, answer []byte) {
		var got kept
		if err := source.Receive(bytes.NewReader(answer), &got); err != nil {
			require.NotContains(t, err.Error(), "\x1b")
			return
		}
		require.NotEmpty(t, got.tables)
	})
}

func TestFilesOfOtherFormatsAreKnownByTheirNames(t *testing.T) {
	for name, want := range map[string]source.Format{
		"a.csv.gz": source.Gzip, "b/a.TSV.GZ": source.Gzip, "a.jsonl.zst": source.Zstd, "a.ndjson.gz": source.Gzip,
		"a.gz": "", "a.tar.gz": "", "a.csv": "", "csv.gz": "", "a.xlsx": source.XLSX, "a.parquet": source.Parquet, "a.xls": "", "a.xlsm": "", "a.csv.gz.gz": "", "a.csvgz": "",
	} {
		require.Equal(t, want, source.FormatOf(name), name)
	}
	require.Equal(t, "b/a.csv", source.TablePath("b/a.csv.gz", ""))
	require.Equal(t, "b/a_Lab_values__2_.jsonl", source.TablePath("b/a.xlsx", "Lab values (2)"))
	require.Equal(t, "a.jsonl", source.TablePath("a.XLSX", ""))
}
