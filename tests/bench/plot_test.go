package main

import (
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPlotIsAnSVGWithItsWords(t *testing.T) {
	curves := fourCurves()
	curves.add(1, sample{10, 30}, sample{4, 5})
	curves.add(32, sample{300, 900}, sample{100, 120})
	drawn := figure{name: "callers", title: "Latency by callers", x: "callers", curves: curves}
	dir := filepath.Join(t.TempDir(), "new")
	require.NoError(t, drawn.write(dir))
	text := read(t, dir, "callers.svg")
	decoder := xml.NewDecoder(strings.NewReader(text))
	var err error
	for err == nil {
		_, err = decoder.Token()
	}
	require.ErrorIs(t, err, io.EOF, "it is XML")
	for _, words := range []string{"Latency by callers", "callers", "milliseconds", "warm, p50", "warm, p99", "fork floor, p50", "fork floor, p99", ">32<", ">100<"} {
		require.Contains(t, text, words)
	}
}

func TestAPlotOfNothingIsAnError(t *testing.T) {
	require.Error(t, figure{curves: fourCurves()}.svg(io.Discard))
	full := figure{curves: []curve{{name: "warm", points: []point{{1, 1}, {2, 2}}}}}
	require.ErrorIs(t, full.svg(failing{}), errFull)
}

var errFull = errors.New("full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }
