package archive

import (
	"archive/tar"
	"bytes"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// entry is one tar entry of a hostile stream.
type entry struct {
	header  tar.Header
	content string
}

func tarOf(t testing.TB, entries ...entry) *bytes.Reader {
	t.Helper()
	var buffer bytes.Buffer
	writer := tar.NewWriter(&buffer)
	for _, entry := range entries {
		entry.header.Size = int64(len(entry.content))
		if entry.header.Mode == 0 {
			entry.header.Mode = 0o644
		}
		require.NoError(t, writer.WriteHeader(&entry.header))
		_, err := writer.Write([]byte(entry.content))
		require.NoError(t, err)
	}
	require.NoError(t, writer.Close())
	return bytes.NewReader(buffer.Bytes())
}

func file(name, content string) entry {
	return entry{tar.Header{Name: name, Typeflag: tar.TypeReg}, content}
}

func link(name, target string, kind byte) entry {
	return entry{header: tar.Header{Name: name, Linkname: target, Typeflag: kind}}
}

func pipe(name string) entry { return entry{header: tar.Header{Name: name, Typeflag: tar.TypeFifo}} }

func dir(name string) entry { return entry{header: tar.Header{Name: name, Typeflag: tar.TypeDir}} }

var capacity = Capacity{Bytes: 1000, Files: 8}

func unpackHere(t testing.TB, stream io.Reader) (*os.Root, error) {
	t.Helper()
	staging := filepath.Join(t.TempDir(), "staging")
	require.NoError(t, os.Mkdir(staging, 0o700))
	root, err := os.OpenRoot(staging)
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	return root, Unpack(root, stream, "output", capacity)
}

func TestUnpackKeepsWhatAVerifierMustSee(t *testing.T) {
	setuid := file("output/setuid", "x")
	setuid.header.Mode = 0o4755
	root, err := unpackHere(t, tarOf(t,
		dir("output/"), dir("output/a/"), file("output/a/f", "content"),
		link("output/hard", "output/a/f", tar.TypeLink),
		link("output/soft", "/etc/passwd", tar.TypeSymlink),
		pipe("output/pipe"),
		entry{header: tar.Header{Name: "output/device", Typeflag: tar.TypeChar}},
		setuid))
	require.NoError(t, err)
	types := map[string]fs.FileMode{"hard": 0, "soft": fs.ModeSymlink, "pipe": fs.ModeNamedPipe, "device": fs.ModeSymlink, "setuid": fs.ModeSymlink}
	for name, want := range types {
		info, err := root.Lstat(name)
		require.NoError(t, err)
		require.Equal(t, want, info.Mode().Type(), name)
	}
	first, err := root.Lstat("a/f")
	require.NoError(t, err)
	second, err := root.Lstat("hard")
	require.NoError(t, err)
	require.True(t, os.SameFile(first, second))
	entries, err := fs.ReadDir(root.FS(), ".")
	require.NoError(t, err)
	require.Len(t, entries, 6)
}

// forged are streams that no daemon sends.
func forged() map[string][]entry {
	top := dir("output/")
	return map[string][]entry{
		"traversal":                    {top, file("output/../x", "")},
		"traversal in the middle":      {top, dir("output/a/"), file("output/a/../x", "")},
		"absolute":                     {top, file("/etc/x", "")},
		"another top":                  {top, file("outputs/x", "")},
		"double slash":                 {top, file("output//x", "")},
		"dot":                          {top, file("output/./x", "")},
		"parent was not made":          {top, file("output/a/x", "")},
		"parent is a symbolic link":    {top, link("output/a", ".", tar.TypeSymlink), file("output/a/x", "")},
		"parent is a file":             {top, file("output/a", ""), file("output/a/x", "")},
		"same name twice":              {top, file("output/a", "1"), file("output/a", "2")},
		"a file for the top":           {file("output", "x"), file("output/a", "")},
		"nothing at all":               {},
		"directory over a link":        {top, link("output/a", "/", tar.TypeSymlink), dir("output/a/")},
		"hard link out":                {top, link("output/a", "/etc/passwd", tar.TypeLink)},
		"hard link to nothing":         {top, link("output/a", "output/b", tar.TypeLink)},
		"hard link through a soft one": {top, link("output/s", "/etc", tar.TypeSymlink), link("output/a", "output/s/passwd", tar.TypeLink)},
		"pipe over a file":             {top, file("output/a", ""), pipe("output/a")},
	}
}

func TestUnpackRefusesForgedStreams(t *testing.T) {
	for name, entries := range forged() {
		t.Run(name, func(t *testing.T) {
			_, err := unpackHere(t, tarOf(t, entries...))
			require.Error(t, err)
		})
	}
}

func TestUnpackMarksWhatIsOverTheCapacity(t *testing.T) {
	var many []entry
	for i := range 9 {
		many = append(many, file("output/"+string(rune('a'+i)), ""))
	}
	for name, entries := range map[string][]entry{
		"bytes": {file("output/a", strings.Repeat("x", 999)), file("output/b", "xx")},
		"files": many,
	} {
		t.Run(name, func(t *testing.T) {
			root, err := unpackHere(t, tarOf(t, append([]entry{dir("output/")}, entries...)...))
			require.NoError(t, err)
			requireMark(t, root, "too-much")
		})
	}
}

func requireMark(t *testing.T, root *os.Root, why string) {
	t.Helper()
	target, err := root.Readlink("hotcell-refused-" + why)
	require.NoError(t, err)
	require.Equal(t, "hotcell-refused:"+why, target)
}

// TestNoNameKeepsARejectionFromBeingTold: what a script writes is its own fault, never the
// host's.
func TestNoNameKeepsARejectionFromBeingTold(t *testing.T) {
	const mark = "output/hotcell-refused-too-much"
	tooMuch := file("output/z", strings.Repeat("x", 1001))
	for name, entries := range map[string][]entry{
		"a file":            {file(mark, "")},
		"a directory":       {dir(mark), file(mark+"/a", "")},
		"a symbolic link":   {link(mark, "/etc/passwd", tar.TypeSymlink)},
		"a pipe":            {pipe(mark)},
		"two hard links":    {file("output/a", ""), link(mark, "output/a", tar.TypeLink)},
		"a pipe at work":    {file("output/.hotcell-pipe", ""), pipe("output/a")},
		"a directory there": {dir("output/.hotcell-pipe"), pipe("output/.hotcell-pipe/a")},
	} {
		t.Run(name, func(t *testing.T) {
			root, err := unpackHere(t, tarOf(t, append(append([]entry{dir("output/")}, entries...), tooMuch)...))
			require.NoError(t, err)
			requireMark(t, root, "too-much")
		})
	}
}

// TestUnpackMarksWhatThisHostCannotHave has the host take "a" and "A" for one, as
// macOS does: what stands there was another's.
func TestUnpackMarksWhatThisHostCannotHave(t *testing.T) {
	for name, taken := range map[string]entry{
		"a file":          file("output/A", ""),
		"a directory":     dir("output/A"),
		"a symbolic link": link("output/A", "b", tar.TypeSymlink),
		"a hard link":     link("output/A", "output/b", tar.TypeLink),
		"a pipe":          pipe("output/A"),
		"a long name":     file("output/"+strings.Repeat("x", 300), ""),
	} {
		t.Run(name, func(t *testing.T) {
			staging := filepath.Join(t.TempDir(), "staging")
			require.NoError(t, os.Mkdir(staging, 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(staging, "A"), nil, 0o600))
			root, err := os.OpenRoot(staging)
			require.NoError(t, err)
			defer root.Close()
			require.NoError(t, Unpack(root, tarOf(t, dir("output/"), file("output/b", ""), taken), "output", capacity))
			requireMark(t, root, "unfit-for-host")
		})
	}
}

// sample has an entry of each kind, a path that needs a header of its own, and a file of
// several blocks.
func sample(t testing.TB) []byte {
	t.Helper()
	stream, err := io.ReadAll(tarOf(t,
		dir("output/"), dir("output/a/"), file("output/a/f", "content"), file("output/zeros", strings.Repeat("\x00", 700)),
		file("output/"+strings.Repeat("ä", 60), "x"),
		link("output/hard", "output/a/f", tar.TypeLink), link("output/soft", "/etc", tar.TypeSymlink),
		pipe("output/pipe")))
	require.NoError(t, err)
	return stream
}

func TestUnpackRefusesAStreamThatIsCutAnywhere(t *testing.T) {
	whole := sample(t)
	for length := 0; length < len(whole); length += 64 { // borders of blocks among them
		root, err := unpackHere(t, bytes.NewReader(whole[:length]))
		require.Error(t, err, "the first %d bytes of %d", length, len(whole))
		require.NoError(t, root.Close())
	}
	_, err := unpackHere(t, bytes.NewReader(whole))
	require.NoError(t, err)
}

// TestUnpackStaysWithinItsCapacityWhateverIsChanged changes each byte in turn that says
// something.
func TestUnpackStaysWithinItsCapacityWhateverIsChanged(t *testing.T) {
	whole := sample(t)
	for index, old := range whole {
		if old == 0 {
			continue
		}
		changed := bytes.Clone(whole)
		changed[index] = old ^ byte(1<<(index%8))
		root, err := unpackHere(t, bytes.NewReader(changed))
		requireBounded(t, root)
		require.NotErrorIs(t, err, io.EOF)
		require.NoError(t, root.Close())
	}
}

// requireBounded looks at what Unpack has left, also after an error.
func requireBounded(t *testing.T, root *os.Root) {
	t.Helper()
	outside, err := os.ReadDir(filepath.Dir(root.Name()))
	require.NoError(t, err)
	require.Len(t, outside, 1, "something was made outside")
	entries, size := int64(-1), int64(0) // the top is none
	require.NoError(t, fs.WalkDir(root.FS(), ".", func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if entries++; err == nil && info.Mode().IsRegular() {
			require.Zero(t, info.Mode()&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky))
			size += info.Size()
		}
		return err
	}))
	require.LessOrEqual(t, entries, capacity.Files+1, "with the mark")
	require.LessOrEqual(t, size, 2*capacity.Bytes, "a hard link is counted twice")
}

// endless begins again at its end.
type endless struct {
	block []byte
	at    int
}

func (e *endless) Read(content []byte) (int, error) {
	size := copy(content, e.block[e.at:])
	e.at = (e.at + size) % len(e.block)
	return size, nil
}

func TestUnpackEndsWithAStreamThatDoesNot(t *testing.T) {
	extended, err := io.ReadAll(tarOf(t, file("output/"+strings.Repeat("ä", 60), "")))
	require.NoError(t, err)
	require.EqualValues(t, tar.TypeXHeader, extended[156], "a header and a block of records, before the file's own")
	for name, block := range map[string][]byte{
		"headers that belong to nothing": extended[:1024],
		"the top, again and again":       sample(t)[:512],
	} {
		t.Run(name, func(t *testing.T) {
			_, err := unpackHere(t, &endless{block: block})
			require.ErrorIs(t, err, errTooLong)
		})
	}
}

func TestFileReadsTheOneFileOfItsName(t *testing.T) {
	read := func(stream io.Reader) (string, error) {
		var content strings.Builder
		err := File(stream, "bundle.json", 20, &content)
		return content.String(), err
	}
	content, err := read(tarOf(t, file("bundle.json", "{}")))
	require.NoError(t, err)
	require.Equal(t, "{}", content)
	for name, stream := range map[string]io.Reader{
		"no stream":            strings.NewReader(""),
		"no file":              tarOf(t),
		"another name":         tarOf(t, file("other.json", "{}")),
		"a path":               tarOf(t, file("../bundle.json", "{}")),
		"a link":               tarOf(t, link("bundle.json", "/etc/passwd", tar.TypeSymlink)),
		"a directory":          tarOf(t, dir("bundle.json")),
		"too large":            tarOf(t, file("bundle.json", strings.Repeat("x", 21))),
		"another one after it": tarOf(t, file("bundle.json", "{}"), file("bundle.json", "[]")),
		"one before it":        tarOf(t, file("a", ""), file("bundle.json", "{}")),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(stream)
			require.Error(t, err)
			require.NotErrorIs(t, err, io.EOF)
		})
	}
	whole, err := io.ReadAll(tarOf(t, file("bundle.json", "{}")))
	require.NoError(t, err)
	for length := range whole {
		_, err := read(bytes.NewReader(whole[:length]))
		require.Error(t, err, "the first %d bytes of %d", length, len(whole))
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte("not a tar"))
	f.Add(sample(f))
	f.Add(sample(f)[:700]) // cut within a file
	streams := slices.Collect(maps.Values(forged()))
	streams = append(streams,
		[]entry{dir("output/"), file("output/"+strings.Repeat("ä", 60), "")}, // an extended header
		[]entry{dir("output/"), file("output/a", strings.Repeat("x", int(capacity.Bytes)+1))},
		[]entry{dir("output/"), file("output/a", "x"), link("output/b", "output/a", tar.TypeLink), pipe("output/c")},
		[]entry{dir("output/"), {header: tar.Header{Name: "output/device", Typeflag: tar.TypeBlock, Mode: 0o6777}}})
	for _, entries := range streams {
		content, err := io.ReadAll(tarOf(f, entries...))
		require.NoError(f, err)
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		root, _ := unpackHere(t, bytes.NewReader(stream))
		requireBounded(t, root)
	})
}
