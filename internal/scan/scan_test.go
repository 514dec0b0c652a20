package scan_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"hotcell/internal/identifiers"
	"hotcell/internal/scan"
)

func scanned(t testing.TB, files map[string]string) scan.Report {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	report, err := scan.Files(t.Context(), scan.Options{Root: root, Year: 2026, Skip: []string{"bundle.json"}})
	require.NoError(t, err)
	return report
}

func told(report scan.Report) []string {
	all := []string{}
	for _, each := range report.Findings {
		all = append(all, fmt.Sprintf("%s %s %s %s %d/%d @%d", each.Path, each.Where, each.Column, each.Class, each.Cells, each.Of, each.Row))
	}
	return all
}

func TestWhereThingsAreFound(t *testing.T) {
	for name, each := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"a table":                      {map[string]string{"a.csv": "id,contact,age\n1,x@example.org,40\n2,,95\n"}, []string{"a.csv cells contact email 1/1 @1", "a.csv cells age age 1/2 @2"}},
		"semicolons":                   {map[string]string{"a.csv": "id;zip\n1;02139\n"}, []string{"a.csv cells zip geography 1/1 @1"}},
		"tabs and a ragged row":        {map[string]string{"a.tsv": "id\tn\n1\t2\tx@example.org\n"}, []string{"a.tsv cells column 3 email 1/1 @1"}},
		"no header":                    {map[string]string{"a.csv": "219-09-9999,1\n219-09-9998,2\n"}, []string{"a.csv cells column 1 ssn 2/2 @1"}},
		"names of columns":             {map[string]string{"a.csv": "id,219-09-9999\n1,2\n"}, []string{"a.csv cells column 2 ssn 1/2 @1"}},
		"JSON lines":                   {map[string]string{"a.jsonl": `{"p":{"zip":"02139"},"v":[1,{"dob":"1950-01-02"}]}` + "\n" + `{"p":{"zip":94107}}`}, []string{"a.jsonl cells p.zip geography 2/2 @1", "a.jsonl cells v.dob date 1/1 @1"}},
		"an array":                     {map[string]string{"a.json": `[{"":1},{"ssn":219099999}]`}, []string{"a.json cells ssn ssn 1/1 @2"}},
		"a text":                       {map[string]string{"n/README": "nothing\n\ncall 555-234-5678\n"}, []string{"n/README lines  phone 1/2 @3"}},
		"another encoding":             {map[string]string{"a.csv": "nom,x\nFran\xe7ois,x@example.org\n"}, []string{"a.csv cells x email 1/1 @1"}},
		"a file's name":                {map[string]string{"x@example.org.txt": "", "2026-01-02.txt": ""}, []string{"x@example.org.txt filename  email 1/1 @1"}},
		"a picture by its extension":   {map[string]string{"p.jpg": "x"}, []string{"p.jpg content  photo 1/1 @1"}},
		"a manifest of ours":           {map[string]string{"bundle.json": `{"x": "x@example.org"}`}, []string{}},
		"what Python writes as JSON":   {map[string]string{"a.json": `[{"zip":"02138","x":NaN},{"x":-Infinity,"NaN":"a NaN, \" NaN","zip":Infinity}]`}, []string{"a.json cells zip geography 1/1 @1"}},
		"NaN in lines of JSON":         {map[string]string{"a.jsonl": strings.Repeat(`{"surname":"Abernathy","x":NaN,"y":[Infinity,-Infinity,-1.5]}`+"\n", 9000)}, []string{"a.jsonl cells surname name 9000/9000 @1"}},
		"delimiters in quotes":         {map[string]string{"a.csv": "surname,zip,\"lab;;;;;\"\nAbernathy,02138,ok\n"}, []string{"a.csv cells surname name 1/1 @1", "a.csv cells zip geography 1/1 @1"}},
		"decimal commas":               {map[string]string{"a.csv": "zip;w,h,b\n02138;2,5\n94107;3,5,1\n"}, []string{"a.csv cells zip geography 2/2 @1"}},
		"a title":                      {map[string]string{"a.csv": "Export, of March\n\nsurname;zip\nAbernathy;02138\n"}, []string{"a.csv cells surname name 1/1 @1", "a.csv cells zip geography 1/1 @1"}},
		"titles of a worksheet":        {map[string]string{"a.csv": "Export by x@example.org,,\n,,\nsurname,zip,2020\nAbernathy,02138,1\n"}, []string{"a.csv lines  email 1/1 @1", "a.csv cells surname name 1/1 @1", "a.csv cells zip geography 1/1 @1"}},
		"what Excel is told":           {map[string]string{"a.csv": "sep=;\nsurname;zip\nAbernathy;02138\n"}, []string{"a.csv cells surname name 1/1 @1", "a.csv cells zip geography 1/1 @1"}},
		"one column":                   {map[string]string{"a.csv": "zip\n02138\n94107\n"}, []string{"a.csv cells zip geography 2/2 @1"}},
		"one long column":              {map[string]string{"a.csv": "surname\n" + strings.Repeat("Abernathy\n", 30)}, []string{"a.csv cells surname name 30/30 @1"}},
		"one name above two columns":   {map[string]string{"a.csv": "zip\n02138,1\n94107,2\n"}, []string{"a.csv cells zip geography 2/2 @1"}},
		"lines that end with CR":       {map[string]string{"a.csv": "surname,zip\rAbernathy,02138\r"}, []string{"a.csv cells surname name 1/1 @1", "a.csv cells zip geography 1/1 @1"}},
		"across pieces of a long line": {map[string]string{"a.txt": strings.Repeat("x ", 32<<10-3) + "219-09-9999" + strings.Repeat(" x", 99)}, []string{"a.txt lines  ssn 1/2 @1"}},
	} {
		t.Run(name, func(t *testing.T) {
			report := scanned(t, each.files)
			require.Equal(t, each.want, told(report))
			require.Empty(t, report.Unread)
			require.Equal(t, len(each.want) == 0, report.Clean())
		})
	}
}

func TestWhatIsNotLookedIntoIsNeverClean(t *testing.T) {
	report := scanned(t, map[string]string{"a.parquet": "PAR1", "b.gz": "\x1f\x8b", "c.csv": "PK\x03\x04", "d.txt": "a\x00b", "e.csv": "a,b\n1,\x00\n", "f.txt": "fine"})
	var all []string
	for _, each := range report.Unread {
		all = append(all, each.Path)
		require.NotEmpty(t, each.Reason)
	}
	require.Equal(t, []string{"a.parquet", "b.gz", "c.csv", "d.txt", "e.csv"}, all)
	require.Equal(t, 1, report.Files)
	require.False(t, report.Clean())
}

// TestATableThatCannotBeReadIsNotLookedInto: a text has no columns whose names tell what is in them.
func TestATableThatCannotBeReadIsNotLookedInto(t *testing.T) {
	lines := 1<<19 + 2
	for name, each := range map[string]struct {
		path, content string
		want          []string
	}{
		"broken JSON":                  {"a.json", "{\"a\": \"x@example.org\",\n oops 219-09-9999", []string{"a.json lines  email 1/2 @1", "a.json lines  ssn 1/2 @2"}},
		"JSON without quotes":          {"a.jsonl", `{"surname":Abernathy}`, []string{}},
		"a part of NaN":                {"a.jsonl", `{"surname":"Abernathy","x":Na}`, []string{}},
		"a quote that is not closed":   {"a.csv", "a,b\n\"" + strings.Repeat("x,\n", 1<<19) + "219-09-9999\n", []string{fmt.Sprintf("a.csv lines  ssn 1/%d @%d", lines, lines)}},
		"a value of more than a row's": {"a.json", `{"surname":"` + strings.Repeat("x", 2<<20) + `"}`, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			report := scanned(t, map[string]string{each.path: each.content, "b.csv": "n\n1\n"})
			require.Equal(t, each.want, told(report))
			require.Len(t, report.Unread, 1)
			require.Equal(t, each.path, report.Unread[0].Path)
			require.Contains(t, report.Unread[0].Reason, "is no ")
			require.False(t, report.Clean())
			require.Equal(t, 1, report.Files)
		})
	}
}

func TestADelimiterThatIsKnownIsTaken(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.csv"), []byte("zip;a,b,c,d\n02138;1,2,3,4\n"), 0o600))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	report, err := scan.Files(t.Context(), scan.Options{Root: root, Delimiters: map[string]rune{"a.csv": ';'}})
	require.NoError(t, err)
	require.Equal(t, []string{"a.csv cells zip geography 1/1 @1"}, told(report))
}

func TestALinkIsNotFollowed(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "x.csv")
	require.NoError(t, os.WriteFile(outside, []byte("ssn\n219-09-9999\n"), 0o600))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "a.csv")))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	report, err := scan.Files(t.Context(), scan.Options{Root: root})
	require.NoError(t, err)
	require.Empty(t, report.Findings)
	require.Equal(t, []scan.Unread{{Path: "a.csv", Reason: "is a symbolic link"}}, report.Unread)
}

func TestUTF16IsRead(t *testing.T) {
	var wide bytes.Buffer
	require.NoError(t, binary.Write(&wide, binary.LittleEndian, utf16.Encode([]rune("\ufeffid,mail\r\n1,x@example.org\r\n"))))
	require.Equal(t, []string{"a.csv cells mail email 1/1 @1"}, told(scanned(t, map[string]string{"a.csv": wide.String()})))
}

func TestProgressEndsAtTheEnd(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.csv"), []byte("a\n1\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.txt"), []byte("hello"), 0o600))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	var last [2]int64
	_, err = scan.Files(t.Context(), scan.Options{Root: root, Progress: func(done, total int64) { last = [2]int64{done, total} }})
	require.NoError(t, err)
	require.Equal(t, [2]int64{9, 9}, last)
}

// FuzzFiles: whatever a file holds, it is looked into or told of, and no value is longer than
// what a report may have.
func FuzzFiles(f *testing.F) {
	for _, each := range []string{"a,b\n1,\"x", "{\"a\":[1,{\"\":2}]}", "\xff\xfea\x00", "a\tb\n219-09-9999\t1", "[[[", "{}{}", "\"", "\x00"} {
		f.Add("a.csv", each)
		f.Add("a.json", each)
		f.Add("a.txt", each)
	}
	f.Fuzz(func(t *testing.T, name, content string) {
		if ext := filepath.Ext(name); ext != ".csv" && ext != ".json" && ext != ".tsv" {
			name = "a.txt"
		}
		report := scanned(t, map[string]string{"a" + filepath.Ext(name): content})
		require.Equal(t, 1, report.Files+len(report.Unread))
		for _, each := range report.Findings {
			require.LessOrEqual(t, len(each.Column), 256)
			require.NotRegexp(t, `[1-9A-WYZa-wyz]`, each.Shape)
			require.NotEmpty(t, identifiers.InfoOf(each.Class).Title)
		}
	})
}
