package bundle

import (
	"context"
	"io"
	"os"
	"slices"

	"hotcell/internal/beneath"
)

// Outside is what lies in a bundle's directory and is not of the bundle, as its manifest says.
type Outside struct {
	Ignored []string // patterns
	Sources []string // files of which tables were made, that are what they were, as are their tables
}

// Pass reports whether a path is outside, for a walk.
func (o Outside) Pass(path string) bool {
	return slices.Contains(o.Sources, path) || ignoredBy(o.Ignored, path) != ""
}

// OutsideOf reads the manifest in a directory of data. Where there is none that holds, nothing is
// outside. A source is inside where it, or one of its tables, is not what the manifest says.
func OutsideOf(ctx context.Context, root *os.Root) (Outside, error) {
	data, err := beneath.ReadFile(ctx, root, ManifestName, MaxManifest)
	if err != nil {
		return Outside{}, context.Cause(ctx)
	}
	manifest, err := ReadManifest(data)
	if err != nil {
		return Outside{}, context.Cause(ctx)
	}
	found := Outside{Ignored: manifest.Ignored}
	want := manifest.sources()
	tables := make(map[string]string) // by their path, that of their source
	for _, file := range manifest.Files {
		if file.Source != nil {
			tables[file.Path] = file.Source.Path
			want[file.Path] = file
			if file.Encoding != nil {
				want[file.Path] = DataFile{Path: file.Path, Bytes: file.Encoding.Bytes, SHA256: file.Encoding.SHA256}
			}
		}
	}
	differ, err := differing(ctx, root, found.Pass, want)
	for path := range manifest.sources() {
		isTableOf := func(table string) bool { return tables[table] == path }
		if !slices.Contains(differ, path) && !slices.ContainsFunc(differ, isTableOf) {
			found.Sources = append(found.Sources, path)
		}
	}
	slices.Sort(found.Sources)
	return found, err
}

// differing are those of some files that are not there as they should be.
func differing(ctx context.Context, root *os.Root, pass func(path string) bool, want map[string]DataFile) ([]string, error) {
	same, extent := make(map[string]bool, len(want)), beneath.Extent{Entries: 3*maxFiles + 3, Depth: maxDepth, Pass: pass}
	err := beneath.Walk(ctx, root, extent, func(node *beneath.Node) error {
		file, is := want[node.Path]
		if is && node.Problem == nil && node.Kind == beneath.Regular && node.Bytes == file.Bytes {
			sum, err := hashFile(ctx, node, node.Bytes, io.Discard)
			same[node.Path] = err == nil && sum.Hex() == file.SHA256
		}
		return context.Cause(ctx)
	})
	var differ []string
	for path := range want {
		if !same[path] {
			differ = append(differ, path)
		}
	}
	return differ, err
}
