package identifiers_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/identifiers"
)

func columnOf(name string, cells ...string) []identifiers.Match {
	column := identifiers.NewColumn(name, 2026)
	for row, cell := range cells {
		column.See(int64(row+1), []byte(cell))
	}
	return column.Findings()
}

func classes(findings []identifiers.Match) []identifiers.Class {
	all := []identifiers.Class{}
	for _, each := range findings {
		all = append(all, each.Class)
	}
	return all
}

func lines(t *testing.T, name string) []string {
	t.Helper()
	file, err := os.Open(name)
	require.NoError(t, err)
	defer file.Close()
	var all []string
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		all = append(all, scanner.Text())
	}
	return all
}

// cells are a column's of the test set: 200 of which some are missing.
func (k kind) cells(r *rand.Rand) []string {
	cells := make([]string, 200)
	for row := range cells {
		if cells[row] = k.cell(r); r.IntN(10) == 0 {
			cells[row] = ""
		}
	}
	return cells
}

// TestWhatIsFoundInColumns measures what docs/scan.md says of columns.
func TestWhatIsFoundInColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	found, all := map[identifiers.Class]int{}, map[identifiers.Class]int{}
	total, hits := 0, 0
	for _, each := range kinds {
		for _, name := range each.names {
			total++
			all[each.class]++
			if slices.Contains(classes(columnOf(name, each.cells(r)...)), each.class) {
				hits++
				found[each.class]++
			} else {
				t.Logf("missed: %s in %s, for example %s", each.class, name, each.cell(r))
			}
		}
	}
	columns, alarms := 0, 0
	for _, each := range harmless {
		for _, name := range each.names {
			columns++
			if got := columnOf(name, each.cells(r)...); len(got) > 0 {
				alarms++
				t.Logf("false alarm: %+v in %s", got[0], name)
			}
		}
	}
	page, err := os.ReadFile("../../docs/scan.md")
	require.NoError(t, err)
	for _, info := range identifiers.Classes() {
		require.NotZero(t, all[info.Class], info.Class)
		require.Contains(t, string(page), fmt.Sprintf("| `%s` | %s | %s | %d of %d |", info.Class, info.Letter, info.Title, found[info.Class], all[info.Class]))
	}
	require.Contains(t, string(page), fmt.Sprintf("%d of %d columns that identify", hits, total))
	require.Contains(t, string(page), fmt.Sprintf("%d of %d columns that do not", alarms, columns))
	require.GreaterOrEqual(t, hits*100, total*92, "recall")
	require.LessOrEqual(t, alarms*100, columns*5, "false alarms")
}

// TestWhatIsFoundInTexts measures what docs/scan.md says of lines of text.
func TestWhatIsFoundInTexts(t *testing.T) {
	total, hits := 0, 0
	for _, line := range lines(t, "testdata/identifiers.tsv") {
		total++
		class, text, _ := strings.Cut(line, "\t")
		if len(columnOf("", text)) > 0 {
			hits++
		} else {
			t.Logf("missed: %s in %s", class, text)
		}
	}
	all, alarms := lines(t, "testdata/harmless.txt"), 0
	for _, line := range all {
		if got := columnOf("", line); len(got) > 0 {
			alarms++
			t.Logf("false alarm: %s in %s", got[0].Class, line)
		}
	}
	page, err := os.ReadFile("../../docs/scan.md")
	require.NoError(t, err)
	require.Contains(t, string(page), fmt.Sprintf("%d of %d lines that have one", hits, total))
	require.Contains(t, string(page), fmt.Sprintf("%d of %d lines that have none", alarms, len(all)))
	require.GreaterOrEqual(t, hits*100, total*80, "recall")
	require.LessOrEqual(t, alarms*100, len(all)*10, "false alarms")
}

func TestCheckDigitsKeepOtherNumbersOut(t *testing.T) {
	for text, class := range map[string]identifiers.Class{
		"1M8GDM9AXKP042788":            identifiers.Vehicle,
		"GB82 WEST 1234 5698 7654 32":  identifiers.Account,
		"DE89370400440532013000":       identifiers.Account,
		"4111 1111 1111 1111":          identifiers.Account,
		"378282246310005":              identifiers.Account,
		"(01)00819320201116(17)200101": identifiers.Device,
		"BB1388568":                    identifiers.Licence,
		"219-09-9999":                  identifiers.SSN,
		"1EG4-TE5-MK73":                identifiers.HealthPlan,
	} {
		require.Contains(t, classes(columnOf("x", text)), class, text)
	}
	for _, text := range []string{
		"1M8GDM9AXKP042789", "GB82 WEST 1234 5698 7654 33", "DE89370400440532013001", "4111 1111 1111 1112", "378282246310006",
		"(01)00819320201117(17)200101", "BB1388567", "000-12-3456", "666-12-3456", "912-12-3456", "123-00-6789", "999.1.1.1", "0.4111111111111111",
	} {
		require.Empty(t, columnOf("x", text), text)
	}
}

func TestAColumnsNameSaysWhatItsDigitsAre(t *testing.T) {
	for _, each := range []struct {
		name, cell string
		want       []identifiers.Class
	}{
		{"x", "02139", nil},
		{"zip", "02139", []identifiers.Class{identifiers.Geography}},
		{"zip", "2139.0", []identifiers.Class{identifiers.Geography}},
		{"zip", "021", nil},
		{"zip", "036", []identifiers.Class{identifiers.Geography}},
		{"x", "95", nil},
		{"age", "95", []identifiers.Class{identifiers.Age}},
		{"age", "89", nil},
		{"ageInMonths", "95", nil},
		{"year_of_birth", "1930", []identifiers.Class{identifiers.Age}},
		{"year_of_birth", "1940", nil},
		{"SSN", "123456789", []identifiers.Class{identifiers.SSN}},
		{"count", "123456789", nil},
		{"patient_id", "104", nil},
		{"provider_npi", "1234567893", []identifiers.Class{identifiers.Licence}},
	} {
		require.Equal(t, each.want, nilIfNone(classes(columnOf(each.name, each.cell))), "%s in %s", each.cell, each.name)
	}
}

func nilIfNone(all []identifiers.Class) []identifiers.Class {
	if len(all) == 0 {
		return nil
	}
	return all
}

func TestAFindingCountsCellsAndShowsNone(t *testing.T) {
	got := columnOf("contact", "a@example.org b@example.org", "", "NA", "none of them", "x", "c@example.org")
	require.Equal(t, []identifiers.Match{{
		Class: identifiers.Email, How: identifiers.ByForm, Confidence: identifiers.High, Cells: 2, Of: 4, Row: 1, Example: "a@example.org",
	}}, got)
	require.Equal(t, "x@xxxxxxx.xxx", identifiers.Shape(got[0].Example))
	require.Equal(t, "Xxx-## xx x", identifiers.Shape("Abc-12 é\u0663 \u202e"), "nothing of another alphabet, no digit of it, no direction")
	require.LessOrEqual(t, len([]rune(identifiers.Shape(strings.Repeat("7", 1000)))), 41)
}

// BenchmarkHostile is for who looks whether a text of ten times the length takes ten times as
// long: it must, as the regular expressions are RE2 and each form is searched once.
func BenchmarkHostile(b *testing.B) {
	for _, unit := range []string{"a@", "1.", "1-", ":", "a@a.aa-", "GB82 ", "Jan 1 ", "James ", "(01)", "+1 1", "mrn: ", "\xff"} {
		for _, size := range []int{64 << 10, 640 << 10} {
			b.Run(fmt.Sprintf("%q/%d", unit, size), func(b *testing.B) {
				text := []byte(strings.Repeat(unit, size/len(unit)))
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					identifiers.Find(text, func(identifiers.Class, int, int) bool { return true })
				}
			})
		}
	}
}

func FuzzColumn(f *testing.F) {
	for _, each := range []string{"219-09-9999", "GB82 WEST 1234 5698 7654 32", "James Smith", "\xff\xfe", "1M8GDM9AXKP042788", "(01)", "80840", "2001:db8::1"} {
		f.Add("zip", each)
		f.Add("age_months", each)
	}
	f.Fuzz(func(t *testing.T, name, cell string) {
		for _, each := range columnOf(name, cell, cell) {
			require.Positive(t, each.Cells)
			require.LessOrEqual(t, each.Cells, each.Of)
			require.LessOrEqual(t, len(each.Example), 80)
			require.NotRegexp(t, `[1-9A-WYZa-wyz]`, identifiers.Shape(each.Example))
		}
	})
}

func BenchmarkColumn(b *testing.B) {
	for name, cell := range map[string]func(r *rand.Rand) string{"numbers": format("%s.%s", some(3), some(2)), "dates": format("%s-%s-%s", years, month, day), "texts": format("Admitted to the ward with %s mg of something, then discharged", some(3))} {
		b.Run(name, func(b *testing.B) {
			r, bytes := rand.New(rand.NewPCG(1, 2)), 0
			cells := make([][]byte, 10_000)
			for at := range cells {
				cells[at] = []byte(cell(r))
				bytes += len(cells[at]) + 1
			}
			b.SetBytes(int64(bytes))
			for b.Loop() {
				column := identifiers.NewColumn("x", 2026)
				for row, each := range cells {
					column.See(int64(row+1), each)
				}
			}
		})
	}
}

// TestSignsThatNobodySeesPartNothing: spaces of no width, soft hyphens and marks of direction, as
// texts have them that come from a page; and letters of other languages, in older encodings too.
func TestSignsThatNobodySeesPartNothing(t *testing.T) {
	for text, want := range map[string]identifiers.Class{
		"219-09\u200b-9999": identifiers.SSN, "555\u00ad-234-5678": identifiers.Phone, "jane@exam\u2060ple.org": identifiers.Email, "\ufeff1950-\u200e01-02": identifiers.Date,
		"jane@exämple.org": identifiers.Email, "jürgen@example.org": identifiers.Email, "jane@example.рф": identifiers.Email, "jane@xn--exmple-cua.xn--p1ai": identifiers.Email,
		"jane@ex\xe4mple.org": identifiers.Email, "用户@例子.广告": identifiers.Email, "jane@exa\u0308mple.org": identifiers.Email,
	} {
		require.Equal(t, []identifiers.Class{want}, classes(columnOf("", text)), "%q", text)
	}
	for _, text := range []string{"a @ b", "x@y", "mean@100", "ä@ö", "1,5\u00a0@\u00a02.5", "5µg@2.5", "n\u200b=5"} {
		require.Empty(t, classes(columnOf("", text)), "%q", text)
	}
	found := columnOf("", "call 219-09-\u200b9999 now")
	require.Equal(t, "219-09-9999", strings.TrimSpace(found[0].Example))
}
