package disclosure_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"hotcell/internal/disclosure"
)

// BenchmarkLook: what a look costs for each byte of a file, and of the data that it is compared
// with.
func BenchmarkLook(b *testing.B) {
	var numbers, words strings.Builder
	numbers.WriteString("sbp,weight,change,score\n")
	for n := range 100_000 {
		fmt.Fprintf(&numbers, "%d.25,%d.5,-%d.125,%de-05\n", 90+n%70, 40+n%97, n%13, n)
		fmt.Fprintf(&words, "line %d of a report: nothing of note in arm %c, mean %d.5\n", n, 'A'+n%5, n%100)
	}
	for _, test := range []struct{ name, media, content string }{
		{"numbers", "text/csv", numbers.String()}, {"words", "text/plain", words.String()},
	} {
		b.Run(test.name, func(b *testing.B) {
			b.SetBytes(int64(len(test.content)))
			for b.Loop() {
				look(b, disclosure.Options{Parts: []disclosure.Part{disclosure.Text("stdout", test.media, test.content)}})
			}
		})
	}
	b.Run("million rows of data", func(b *testing.B) {
		table := visits()
		table.Rows = func(_ context.Context, wanted []int, yield func([][]byte) error) error {
			cells, rows := make([][]byte, len(wanted)), [][]string{}
			for n := range 1000 {
				rows = append(rows, visit(n))
			}
			for n := range 1_000_000 {
				for at, column := range wanted {
					cells[at] = append(cells[at][:0], rows[n%1000][column]...)
				}
				if err := yield(cells); err != nil {
					return err
				}
			}
			return nil
		}
		for b.Loop() {
			look(b, disclosure.Options{Parts: []disclosure.Part{disclosure.Text("stdout", "text/csv", released([]int{3, 4}, 50))}, Data: []disclosure.Table{table}})
		}
	})
}
