// The race detector takes ten times the memory that is measured here.
//go:build !race

package disclosure_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/disclosure"
	"hotcell/tests/peakmemory"
)

// hostile are the worst that we could think of, each a quarter of what a built-in policy lets out.
func hostile() map[string]disclosure.Part {
	many := func(media, start, each, end string) disclosure.Part {
		return disclosure.Part{Path: "a", MediaType: media, Open: func() (io.ReadCloser, error) {
			const most = 16 << 20
			return io.NopCloser(io.MultiReader(strings.NewReader(start), io.LimitReader(&repeated{each: each}, int64(most/len(each)*len(each))), strings.NewReader(end))), nil
		}}
	}
	return map[string]disclosure.Part{
		"rows that differ": {Path: "a.csv", MediaType: "text/csv", Open: func() (io.ReadCloser, error) {
			return io.NopCloser(&numbered{start: "sbp,weight\n", form: "%d,%d\n"}), nil
		}},
		"objects that differ": {Path: "a.json", MediaType: "application/x-ndjson", Open: func() (io.ReadCloser, error) {
			return io.NopCloser(&numbered{form: `{"sbp":%d,"weight":%d}` + "\n"}), nil
		}},
		"many columns":          many("text/csv", "n", strings.Repeat(",n", 1000)+"\n", ""),
		"one cell":              many("text/csv", "a\n\"", "xxxxxxxx", "\""),
		"one row":               many("text/csv", "", "a,", "\n"),
		"one line":              many("text/plain", "", "word 7 ", ""),
		"counts in a line":      many("text/plain", "n n n n n n\n", "3 ", ""),
		"lists in lists":        many("application/json", "[", `[[1,2],{"n":3}],`, "1]"),
		"objects in an object":  many("application/json", "{", `"a":{"n":3,"m":4},`, `"b":1}`),
		"large members":         many("application/json", "[{", `"a":"`+strings.Repeat("x", 1<<20)+`",`, `"b":1}]`),
		"names above nothing":   many("text/plain", "", "sbp\nweight sex\n1 2 3\n", ""),
		"names beside values":   many("text/plain", "", "sbp 1 weight 2 ", ""),
		"names of other tables": many("text/plain", "", "sbp weight\n1 2\nsbp sex\n1 2\n", ""),
		"quotes without end":    many("text/plain", "", "\"sbp 1 'weight 2 ", ""),
		"quotes in quotes":      many("text/plain", "", "\"sbp='1 \\\"weight=2' ", ""),
		"escapes":               many("text/plain", "", "\\u00fc\\x41", ""),
		"a table without end":   many("text/plain", "", "sbp \\\n1\n", ""),
		"a series without end":  many("text/plain", "", "0  1.5\n", "Name: sbp, dtype"),
		"many series":           many("text/plain", "", "1  1.5\nName: sbp,\n", ""),
		"tables of Markdown":    many("text/markdown", "", "| sbp | weight |\n\n", ""),
		"tables of a page":      many("text/html", "", "<table><tr><td>sbp</td></tr><tr><td>1</td></tr></table>", ""),
		"comments of a drawing": many("image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg">`, "<!-- sbp 1 weight 2 -->", "</svg>"),
		"a packed document": {Path: "a.pdf", MediaType: "application/pdf", Open: func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(packedDocument("BT (sbp 1 weight 2) Tj ET\n", 4<<20))), nil
		}},
		"names of many members": many("application/json", "[{", `"`+strings.Repeat("x", 60<<10)+`":1,`, `"b":1}]`),
	}
}

type repeated struct {
	each string
	at   int
}

// Read implements io.Reader.
func (r *repeated) Read(into []byte) (n int, err error) {
	for n < len(into) {
		copied := copy(into[n:], r.each[r.at:])
		n, r.at = n+copied, (r.at+copied)%len(r.each)
	}
	return n, nil
}

// numbered writes rows with numbers of their own.
type numbered struct {
	start, form string
	rows        int
	rest        string
}

// Read implements io.Reader.
func (r *numbered) Read(into []byte) (int, error) {
	if r.rest == "" {
		if r.rows == 700_000 {
			return 0, io.EOF
		}
		r.rest = fmt.Sprintf(r.form, r.rows, r.rows*7)
		if r.rows == 0 {
			r.rest = r.start + r.rest
		}
		r.rows++
	}
	n := copy(into, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// TestLookStaysSmall looks at each in a process of its own and asks the kernel how much memory
// that had at the most.
func TestLookStaysSmall(t *testing.T) {
	const most = 150 << 20
	for name := range hostile() {
		t.Run(name, func(t *testing.T) {
			command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChildThatLooks$", "-test.v")
			command.Env = []string{"HOTCELL_LOOK=" + name}
			answer, err := command.CombinedOutput()
			require.NoError(t, err, "%s", answer)
			var peak int64
			_, told, ok := strings.Cut(string(answer), "peak=")
			require.True(t, ok, "%s", answer)
			_, err = fmt.Sscan(told, &peak)
			require.NoError(t, err)
			t.Logf("%d MiB, %s user", peak>>20, command.ProcessState.UserTime())
			require.Less(t, peak, int64(most))
		})
	}
}

// TestChildThatLooks is the other process of TestLookStaysSmall.
func TestChildThatLooks(t *testing.T) {
	name := os.Getenv("HOTCELL_LOOK")
	if name == "" {
		return
	}
	look(t, disclosure.Options{Parts: []disclosure.Part{hostile()[name]}, Data: []disclosure.Table{visits()}})
	peak, err := peakmemory.Of(os.Getpid())
	require.NoError(t, err)
	fmt.Printf("peak=%d\n", peak)
}
