package bundle_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
)

func TestBytesThatWereDecodedDifferWithTheTable(t *testing.T) {
	one := bundle.DataFile{Path: "t.csv", Bytes: 5, SHA256: "a", Encoding: &bundle.Encoding{Name: "iso-8859-1", Bytes: 4, SHA256: "b"}, Source: &bundle.Source{Path: "t.csv.gz", Bytes: 9, SHA256: "c", Format: "gzip"}}
	for name, test := range map[string]struct {
		change func(file *bundle.DataFile)
		want   []string
	}{
		"the data":         {func(f *bundle.DataFile) { f.SHA256, f.Encoding.SHA256, f.Source.SHA256 = "d", "e", "f" }, []string{"sha256"}},
		"its name":         {func(f *bundle.DataFile) { f.SHA256, f.Encoding.Name = "d", "cp1252" }, []string{"sha256", "encoding"}},
		"what it replaced": {func(f *bundle.DataFile) { f.SHA256, f.Encoding.Replaced = "d", 1 }, []string{"sha256", "encoding"}},
		"the sheet":        {func(f *bundle.DataFile) { f.SHA256, f.Source.Sheet = "d", "Two" }, []string{"sha256", "source"}},
		"no source":        {func(f *bundle.DataFile) { f.SHA256, f.Source = "d", nil }, []string{"sha256", "source"}},
		"the source alone": {func(f *bundle.DataFile) { f.Source.SHA256 = "d" }, []string{"source"}},
		"the bytes before": {func(f *bundle.DataFile) { f.Encoding.SHA256 = "d" }, []string{"encoding"}},
	} {
		t.Run(name, func(t *testing.T) {
			other, encoding, source := one, *one.Encoding, *one.Source
			other.Encoding, other.Source = &encoding, &source
			test.change(&other)
			found := bundle.Compare(bundle.Manifest{Files: []bundle.DataFile{one}}, bundle.Manifest{Files: []bundle.DataFile{other}})
			require.ElementsMatch(t, test.want, found.Changed[0].In)
		})
	}
}
