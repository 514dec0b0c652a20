package replication_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/replication"
)

var nearly = replication.Tolerance{Relative: 1e-9}

func runOf(files map[string][]byte, change func(*job.Result)) replication.Run {
	made := replication.Run{Result: job.Result{Status: job.Succeeded, Value: json.RawMessage("null")}, Files: fstest.MapFS{}}
	kinds := map[string]string{".csv": "text/csv", ".png": "image/png", ".pdf": "application/pdf"}
	for path, data := range files {
		made.Files.(fstest.MapFS)[path] = &fstest.MapFile{Data: data}
		made.Result.Files = append(made.Result.Files, job.File{Path: path, Bytes: int64(len(data)), SHA256: digest.Of(data).Hex(), MediaType: kinds[path[len(path)-4:]]})
	}
	if change != nil {
		change(&made.Result)
	}
	return made
}

func printed(text string) replication.Run {
	return runOf(nil, func(result *job.Result) { result.Stdout = text })
}

func valued(text string) replication.Run {
	return runOf(nil, func(result *job.Result) { result.Value = json.RawMessage(text) })
}

func picture(t *testing.T, shade uint8, level png.CompressionLevel) []byte {
	t.Helper()
	drawn := image.NewGray(image.Rect(0, 0, 40, 30))
	for at := range drawn.Pix {
		drawn.Pix[at] = uint8(at)
	}
	drawn.SetGray(3, 4, color.Gray{shade})
	var encoded bytes.Buffer
	encoder := png.Encoder{CompressionLevel: level}
	require.NoError(t, encoder.Encode(&encoded, drawn))
	return encoded.Bytes()
}

func TestCompare(t *testing.T) {
	for name, test := range map[string]struct {
		first, second replication.Run
		tolerance     replication.Tolerance
		verdict       replication.Agreement
		differences   []replication.Difference
	}{
		"the same": {first: printed("a 1.5\n"), second: printed("a 1.5\n"), verdict: replication.Identical},
		"a number that is near": {
			first: printed("x\na 1.5 b\n"), second: printed("x\na 1.5000000001 b\n"), tolerance: nearly, verdict: replication.Within,
			differences: []replication.Difference{{Part: "stdout", Kind: replication.KindNumbers, Line: 2, Numbers: 1, Largest: 6.666666225747764e-11}},
		},
		"a number that is near, where none may be": {
			first: printed("1.5"), second: printed("1.5000000001"), verdict: replication.Different,
			differences: []replication.Difference{{Part: "stdout", Kind: replication.KindNumbers, Line: 1, Numbers: 1, Largest: 6.666666225747764e-11, Counts: true}},
		},
		"a number that is far": {
			first: printed("1.5"), second: printed("1.6"), tolerance: nearly, verdict: replication.Different,
			differences: []replication.Difference{{Part: "stdout", Kind: replication.KindNumbers, Line: 1, Numbers: 1, Largest: 0.0625, Counts: true}},
		},
		"the same number, written otherwise": {
			first: printed("1.50 -2e3"), second: printed("1.5 -2000.0"), tolerance: nearly, verdict: replication.Within,
			differences: []replication.Difference{{Part: "stdout", Kind: replication.KindNumbers, Line: 1, Numbers: 2}},
		},
		"another sign": {
			first: printed("1.5"), second: printed("-1.5"), tolerance: nearly, verdict: replication.Different,
			differences: []replication.Difference{{Part: "stdout", Kind: replication.KindNumbers, Line: 1, Numbers: 1, Largest: 2, Counts: true}},
		},
		"whole numbers, however near": {
			first: printed("10000000001"), second: printed("10000000002"), tolerance: replication.Tolerance{Relative: 1e-3}, verdict: replication.Different,
			differences: []replication.Difference{{Part: "stdout", Kind: replication.KindNumbers, Line: 1, Numbers: 1, Largest: 9.9999999980e-11, Counts: true}},
		},
		"other words": {
			first: printed("one\ntwo\n"), second: printed("one\nten\n"), tolerance: nearly, verdict: replication.Different,
			differences: []replication.Difference{{Part: "stdout", Kind: replication.KindText, Line: 2, Counts: true}},
		},
		"more words": {
			first: printed("one\n"), second: printed("one\ntwo\n"), tolerance: nearly, verdict: replication.Different,
			differences: []replication.Difference{{Part: "stdout", Kind: replication.KindText, Line: 2, Counts: true}},
		},
		"a number beyond all numbers": {
			first: printed("1e999"), second: printed("2e999"), tolerance: nearly, verdict: replication.Different,
			differences: []replication.Difference{{Part: "stdout", Kind: replication.KindNumbers, Line: 1, Numbers: 1, Counts: true}},
		},
		"numbers as far apart as there are": {
			first: printed("-1.7e308"), second: printed("1.7e308"), tolerance: nearly, verdict: replication.Different,
			differences: []replication.Difference{{Part: "stdout", Kind: replication.KindNumbers, Line: 1, Numbers: 1, Largest: 2, Counts: true}},
		},
		"a result": {
			first: valued(`{"a": [1.0, "x"]}`), second: valued(`{"a": [1.00000000001, "x"]}`), tolerance: nearly, verdict: replication.Within,
			differences: []replication.Difference{{Part: "result", Kind: replication.KindNumbers, Numbers: 1, Largest: 9.999999999900001e-12}},
		},
		"a result in another order": {
			first: valued(`{"a": 1, "b": 2}`), second: valued(`{"b":2,"a":1}`), tolerance: nearly, verdict: replication.Within,
			differences: []replication.Difference{{Part: "result", Kind: replication.KindWriting}},
		},
		"another status": {
			first: printed("x"), second: runOf(nil, func(result *job.Result) { result.Status, result.Stdout = job.Failed, "x" }), tolerance: nearly,
			verdict: replication.Different, differences: []replication.Difference{{Part: "status", Kind: replication.KindText, Counts: true}},
		},
		"a file less and a file more": {
			first: runOf(map[string][]byte{"a.csv": nil}, nil), second: runOf(map[string][]byte{"b.csv": nil}, nil), tolerance: nearly, verdict: replication.Different,
			differences: []replication.Difference{
				{Part: "file", Path: "a.csv", Kind: replication.KindMissing, Counts: true}, {Part: "file", Path: "b.csv", Kind: replication.KindAdded, Counts: true},
			},
		},
		"a table": {
			first: runOf(map[string][]byte{"a.csv": []byte("x\n0.1\n")}, nil), second: runOf(map[string][]byte{"a.csv": []byte("x\n0.10000000001\n")}, nil),
			tolerance: nearly, verdict: replication.Within,
			differences: []replication.Difference{{Part: "file", Path: "a.csv", Kind: replication.KindNumbers, Line: 2, Numbers: 1, Largest: 9.999999917198e-11}},
		},
		"a picture in other bytes": {
			first: runOf(map[string][]byte{"a.png": picture(t, 7, png.BestSpeed)}, nil), second: runOf(map[string][]byte{"a.png": picture(t, 7, png.NoCompression)}, nil),
			verdict: replication.Within, differences: []replication.Difference{{Part: "file", Path: "a.png", Kind: replication.KindWriting}},
		},
		"a picture of other pixels": {
			first: runOf(map[string][]byte{"a.png": picture(t, 7, png.BestSpeed)}, nil), second: runOf(map[string][]byte{"a.png": picture(t, 8, png.BestSpeed)}, nil),
			tolerance: nearly, verdict: replication.Different, differences: []replication.Difference{{Part: "file", Path: "a.png", Kind: replication.KindPixels, Counts: true}},
		},
		"what is no picture": {
			first: runOf(map[string][]byte{"a.png": []byte("x")}, nil), second: runOf(map[string][]byte{"a.png": []byte("y")}, nil), tolerance: nearly,
			verdict: replication.Different, differences: []replication.Difference{{Part: "file", Path: "a.png", Kind: replication.KindBytes, Counts: true}},
		},
		"a document": {
			first: runOf(map[string][]byte{"a.pdf": []byte("1.5")}, nil), second: runOf(map[string][]byte{"a.pdf": []byte("1.50")}, nil), tolerance: nearly,
			verdict: replication.Different, differences: []replication.Difference{{Part: "file", Path: "a.pdf", Kind: replication.KindBytes, Counts: true}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := replication.Compare(t.Context(), test.first, test.second, test.tolerance)
			require.NoError(t, err)
			require.Equal(t, test.verdict, found.Agreement)
			require.Len(t, found.Differences, len(test.differences))
			for index, want := range test.differences {
				require.InDelta(t, want.Largest, found.Differences[index].Largest, 1e-15)
				found.Differences[index].Largest = want.Largest
				require.Equal(t, want, found.Differences[index])
			}
		})
	}
}

// What a run was made on explains a difference, and is none.
func TestCircumstancesDoNotCount(t *testing.T) {
	on := func(kernel string) replication.Run {
		return runOf(nil, func(result *job.Result) { result.Provenance.Kernel = kernel })
	}
	found, err := replication.Compare(t.Context(), on("6.1"), on("6.12"), replication.Tolerance{})
	require.NoError(t, err)
	require.Equal(t, replication.Identical, found.Agreement)
	require.Equal(t, []replication.Circumstance{{Name: "kernel", First: "6.1", Second: "6.12"}}, found.Circumstances)
}

// One bundle has one list of prepared tables: another one is other data, whatever the answers.
func TestOtherTablesOfOneBundleAreTold(t *testing.T) {
	on := func(bundle digest.Digest, tables digest.Hex) replication.Run {
		return runOf(nil, func(result *job.Result) { result.Provenance.Bundle, result.Provenance.TablesSHA256 = bundle, tables })
	}
	for name, test := range map[string]struct {
		first, second replication.Run
		differ        bool
	}{
		"the same":                 {on("b", "x"), on("b", "x"), false},
		"other tables":             {on("b", "x"), on("b", "y"), true},
		"another bundle":           {on("b", "x"), on("c", "y"), false},
		"a record that has not it": {on("b", ""), on("b", "y"), false},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := replication.Compare(t.Context(), test.first, test.second, replication.Tolerance{})
			require.NoError(t, err)
			tables, differ := found.OtherTables()
			require.Equal(t, test.differ, differ)
			if differ {
				require.Equal(t, []string{"x", "y"}, []string{tables.First, tables.Second})
			}
		})
	}
}

func TestCompareReadsEveryFileThatDiffers(t *testing.T) {
	first, second := runOf(map[string][]byte{"a.csv": []byte("1")}, nil), runOf(map[string][]byte{"a.csv": []byte("2")}, nil)
	delete(second.Files.(fstest.MapFS), "a.csv")
	_, err := replication.Compare(t.Context(), first, second, nearly)
	require.ErrorContains(t, err, "the second run's file")
}

// What a record does not name is compared with nothing: an edit after the run decides no verdict.
func TestCompareHoldsWhatItReadsToTheRecord(t *testing.T) {
	for name, put := range map[string]string{"another number": "2", "one byte more": "1\n", "nothing": "", "endless": strings.Repeat("1", 1<<20)} {
		t.Run(name, func(t *testing.T) {
			first, second := runOf(map[string][]byte{"a.csv": []byte("1")}, nil), runOf(map[string][]byte{"a.csv": []byte("2")}, nil)
			require.NoError(t, first.Check(t.Context()))
			first.Files.(fstest.MapFS)["a.csv"].Data = []byte(put)
			_, err := replication.Compare(t.Context(), first, second, nearly)
			require.ErrorIs(t, err, digest.ErrMismatch)
			require.ErrorContains(t, err, "the first run's file a.csv is not the one that its record names")
			_, err = replication.Compare(t.Context(), second, first, nearly)
			require.ErrorContains(t, err, "the second run's file a.csv is not the one that its record names")
			require.ErrorIs(t, first.Check(t.Context()), digest.ErrMismatch)
		})
	}
}

// FuzzCompare holds that a text is the same as itself, and that the order does not matter.
func FuzzCompare(f *testing.F) {
	f.Add("a 1.5 -2e+3 .5 1.", "a 1.50 -2000 0.5 1")
	f.Add("1e", "1e5")
	f.Fuzz(func(t *testing.T, first, second string) {
		same, err := replication.Compare(t.Context(), printed(first), printed(first), replication.Tolerance{})
		require.NoError(t, err)
		require.Equal(t, replication.Identical, same.Agreement)
		there, err := replication.Compare(t.Context(), printed(first), printed(second), nearly)
		require.NoError(t, err)
		back, err := replication.Compare(t.Context(), printed(second), printed(first), nearly)
		require.NoError(t, err)
		require.Equal(t, there.Agreement, back.Agreement)
		require.Equal(t, first == second, there.Agreement == replication.Identical)
	})
}
