package disclosure_test

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"hotcell/internal/disclosure"
	"hotcell/internal/job"
)

// clinic is a table with texts of several words, of which no two columns that are printed here
// stand beside each other: its rows are known by the columns' names alone.
func clinic() disclosure.Table {
	columns := []disclosure.Column{{Name: "age"}, {Name: "x1"}, {Name: "weight"}, {Name: "x2"}, {Name: "name"}, {Name: "x3"}, {Name: "dx"}, {Name: "x4"}, {Name: "seen"}}
	return disclosure.Table{Columns: columns, Rows: func(_ context.Context, wanted []int, yield func([][]byte) error) error {
		for n := range 60 {
			cells := make([][]byte, len(wanted))
			for at, column := range wanted {
				if cells[at] = []byte("x"); column%2 == 0 {
					cells[at] = disclosure.AppendText(nil, []byte(patient(n)[column/2]))
				}
			}
			if err := yield(cells); err != nil {
				return err
			}
		}
		return nil
	}}
}

var (
	clinicNames = []string{"age", "weight", "name", "dx", "seen"}
	diagnoses   = []string{
		"Type 2 diabetes", "Crohn's disease", "so-called \"white coat\" hypertension", "COPD, stage II (mild)", "Graves' \"toxic\" goitre", "Ménière's disease", "weight",
	}
)

func patient(n int) []string {
	return []string{
		strconv.Itoa(31 + n*n%50), fmt.Sprintf("%d.5", 40+n*7%61), fmt.Sprintf("Ann-%d O'Neil", n), diagnoses[n%len(diagnoses)],
		fmt.Sprintf("20%02d-0%d-1%d 10:11:12", n%50, 1+n%9, n%9),
	}
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// python writes a value as repr does.
func python(text string) string {
	switch {
	case isNumber(text):
		return text
	case strings.Contains(text, "'") && !strings.Contains(text, `"`):
		return `"` + text + `"`
	}
	return "'" + strings.ReplaceAll(text, "'", `\'`) + "'"
}

// ofJSON writes a value as pandas does.
func ofJSON(text string) string {
	if isNumber(text) {
		return text
	}
	return strings.ReplaceAll(strconv.QuoteToASCII(text), "/", `\/`)
}

func ofCSV(text string) string {
	if strings.ContainsAny(text, ",\"") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// members writes members of an object, a tuple or a list.
func members(write func(string) string, form, between string, cells []string) string {
	var all []string
	for at, cell := range cells {
		all = append(all, strings.NewReplacer("NAME", clinicNames[at], "VALUE", write(cell)).Replace(form))
	}
	return strings.Join(all, between)
}

var datetime = regexp.MustCompile(`'20\d\d-\d\d-\d\d 10:11:12'`)

func asDatetime(found string) string {
	at, err := time.Parse("'2006-01-02 15:04:05'", found)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("datetime.datetime(%d, %d, %d, 10, 11, 12)", at.Year(), at.Month(), at.Day())
}

// right aligns columns as pandas does, the first one to the left.
func right(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for at, cell := range row {
			widths[at] = max(widths[at], utf8.RuneCountInString(cell))
		}
	}
	var all strings.Builder
	for _, row := range rows {
		for at, cell := range row {
			pad := strings.Repeat(" ", widths[at]-utf8.RuneCountInString(cell))
			if at == 0 {
				all.WriteString(cell + pad)
			} else {
				all.WriteString("  " + pad + cell)
			}
		}
		all.WriteString("\n")
	}
	return all.String()
}

// columnsOf writes a table column by column.
func columnsOf(rows int, write func(string) string, value, column string) string {
	var all []string
	for at, name := range clinicNames {
		cells := several(rows, func(n int) string {
			return strings.NewReplacer("ROW", strconv.Itoa(n), "VALUE", write(patient(n)[at])).Replace(value)
		})
		all = append(all, strings.NewReplacer("NAME", name, "CELLS", strings.Join(cells, ", ")).Replace(column))
	}
	return strings.Join(all, ", ")
}

// TestWhatPandasPrintsIsTheDatas: rows beside their columns' names or below them, with blanks,
// quotes, apostrophes, commas and brackets in their values.
func TestWhatPandasPrintsIsTheDatas(t *testing.T) {
	const rows = 7
	lines := func(between string, form func(n int) string) string {
		return strings.Join(several(rows, form), between)
	}
	dict := func(n int) string { return "{" + members(python, "'NAME': VALUE", ", ", patient(n)) + "}" }
	stamped := func(n int) string {
		return strings.ReplaceAll(members(python, "NAME=VALUE", ", ", patient(n)), "seen="+python(patient(n)[4]), "seen=Timestamp("+python(patient(n)[4])+")")
	}
	record := func(n int) string { return "{" + members(ofJSON, `"NAME":VALUE`, ",", patient(n)) + "}" }
	row := func(n int) string {
		var all [][]string
		for at, name := range clinicNames {
			all = append(all, []string{name, patient(n)[at]})
		}
		return right(all) + fmt.Sprintf("Name: %d, dtype: object", n)
	}
	frame, aside := [][]string{append([]string{""}, clinicNames...)}, make([][]string, 1+len(clinicNames))
	for at, name := range clinicNames {
		aside[at+1] = []string{name}
	}
	aside[0] = []string{""}
	for n := range rows {
		frame = append(frame, append([]string{strconv.Itoa(n)}, patient(n)...))
		aside[0] = append(aside[0], strconv.Itoa(n))
		for at, cell := range patient(n) {
			aside[at+1] = append(aside[at+1], cell)
		}
	}
	csv := func(by string) string {
		return strings.Join(clinicNames, by) + "\n" + lines("\n", func(n int) string { return members(ofCSV, "VALUE", by, patient(n)) })
	}
	for name, text := range map[string]string{
		"to_dict of records":       "[" + lines(", ", dict) + "]",
		"dicts, one a line":        lines("\n", dict),
		"pprint":                   "[" + strings.ReplaceAll(lines(",\n ", dict), ", '", ",\n  '") + "]",
		"a dict in a sentence":     lines("\n", func(n int) string { return fmt.Sprintf("the worst of %d is %s", n, dict(n)) }),
		"to_json of records":       "[" + lines(",", record) + "]",
		"json.dumps with indent":   "[\n" + strings.ReplaceAll(lines(",\n ", record), ",\"", ",\n  \"") + "]",
		"json.dumps of texts":      lines("\n", func(n int) string { return strconv.QuoteToASCII(record(n)) }),
		"to_json of columns":       "{" + columnsOf(rows, ofJSON, `"ROW":VALUE`, `"NAME":{CELLS}`) + "}",
		"to_dict of columns":       "{" + columnsOf(rows, python, "ROW: VALUE", "'NAME': {CELLS}") + "}",
		"to_dict of lists":         "{" + columnsOf(rows, python, "VALUE", "'NAME': [CELLS]") + "}",
		"to_dict of series":        "{" + columnsOf(rows, python, "VALUE", "'NAME': array([CELLS], dtype=object)") + "}",
		"to_dict by index":         "{" + lines(", ", func(n int) string { return strconv.Itoa(n) + ": " + dict(n) }) + "}",
		"to_json by index":         "{" + lines(",", func(n int) string { return fmt.Sprintf(`"%d":%s`, n, record(n)) }) + "}",
		"to_dict split":            "{'index': [0, 1], 'columns': ['" + strings.Join(clinicNames, "', '") + "'], 'data': [" + lines(", ", func(n int) string { return "[" + members(python, "VALUE", ", ", patient(n)) + "]" }) + "]}",
		"to_json split":            `{"columns":["` + strings.Join(clinicNames, `","`) + `"],"data":[` + lines(",", func(n int) string { return "[" + members(ofJSON, "VALUE", ",", patient(n)) + "]" }) + "]}",
		"days of datetime":         lines("\n", func(n int) string { return datetime.ReplaceAllStringFunc(dict(n), asDatetime) }),
		"itertuples":               lines("\n", func(n int) string { return fmt.Sprintf("Pandas(Index=%d, %s)", n, stamped(n)) }),
		"a list of itertuples":     "[" + lines(", ", func(n int) string { return fmt.Sprintf("Pandas(Index=%d, %s)", n, stamped(n)) }) + "]",
		"named tuples":             lines("\n", func(n int) string { return "Row(" + stamped(n) + ")" }),
		"one row after the other":  lines("\n", row),
		"rows with a line between": lines("\n\n", row),
		"on its side":              right(aside),
		"the table":                right(frame),
		"to_csv":                   csv(","),
		"to_csv by semicolons":     csv(";"),
		"to_csv by tabs":           csv("\t"),
		"to_markdown":              "| " + strings.Join(clinicNames, " | ") + " |\n|--|--|--|--|--|\n" + lines("\n", func(n int) string { return "| " + strings.Join(patient(n), " | ") + " |" }),
	} {
		t.Run(name, func(t *testing.T) {
			requireByName(t, rows, lookAt(t, "text/plain", text, clinic()).Findings, text)
		})
	}
	// Without quotes, a comma in a value ends it.
	text := lines("\n", func(n int) string {
		return "today: " + members(func(text string) string { return text }, "NAME=VALUE", ", ", patient(n))
	})
	requireByName(t, rows-1, lookAt(t, "text/plain", text, clinic()).Findings, text)
}

// TestRowsWithoutNamesAreTheDatas: arrays and lists, whose texts have blanks, commas and quotes.
func TestRowsWithoutNamesAreTheDatas(t *testing.T) {
	data := disclosure.Table{Columns: []disclosure.Column{{Name: "age"}, {Name: "dx"}, {Name: "weight"}}, Rows: func(_ context.Context, wanted []int, yield func([][]byte) error) error {
		for n := range 60 {
			row, cells := []string{patient(n)[0], patient(n)[3], patient(n)[1]}, make([][]byte, len(wanted))
			for at, column := range wanted {
				cells[at] = []byte(row[column])
			}
			if err := yield(cells); err != nil {
				return err
			}
		}
		return nil
	}}
	each := func(form, between string, write func(string) string) string {
		return strings.Join(several(7, func(n int) string { return fmt.Sprintf(form, patient(n)[0], write(patient(n)[3]), patient(n)[1]) }), between)
	}
	for name, text := range map[string]string{
		"list(df.values)":     "[" + each("array([%s, %s, %s], dtype=object)", ", ", python) + "]",
		"df.values":           "[" + each("[%s %s %s]", "\n ", python) + "]",
		"df.values.tolist()":  "[" + each("[%s, %s, %s]", ", ", python) + "]",
		"tuples, one a line":  each("(%s, %s, %s)", "\n", python),
		"to_json of values":   "[" + each("[%s,%s,%s]", ",", ofJSON) + "]",
		"to_csv, no header":   each("%s,%s,%s", "\n", ofCSV),
		"the table, no names": each("0  %s  %s  %s", "\n", func(text string) string { return text }),
	} {
		t.Run(name, func(t *testing.T) {
			found := lookAt(t, "text/plain", text, data).Findings
			require.NotEmpty(t, found, text)
			require.Equal(t, disclosure.RuleCopiedRows, found[0].Rule)
			require.EqualValues(t, 7, found[0].Count, "%s", text)
		})
	}
}

func requireByName(t *testing.T, rows int, findings []job.ReviewFinding, text string) {
	t.Helper()
	for _, found := range findings {
		if found.Rule == disclosure.RuleCopiedRows && strings.Contains(found.Message, "in all columns that both have") {
			require.EqualValues(t, rows, found.Count, "%s", text)
			return
		}
	}
	require.Fail(t, "no rows are found by their columns' names", "%s", text)
}

// TestWhatPandasWritesAsJSONIsTheDatas: by each of its orients, and deeper in an object.
func TestWhatPandasWritesAsJSONIsTheDatas(t *testing.T) {
	const rows = 7
	lines := func(form func(n int) string) string { return strings.Join(several(rows, form), ",") }
	record := func(n int) string { return "{" + members(ofJSON, `"NAME":VALUE`, ",", patient(n)) + "}" }
	list := func(n int) string { return "[" + members(ofJSON, "VALUE", ",", patient(n)) + "]" }
	index := "{" + lines(func(n int) string { return fmt.Sprintf(`"r%d":%s`, n, record(n)) }) + "}"
	columns := "{" + columnsOf(rows, ofJSON, `"ROW":VALUE`, `"NAME":{CELLS}`) + "}"
	for name, text := range map[string]string{
		"records":          "[" + lines(record) + "]",
		"lines":            strings.ReplaceAll(lines(record), "},{", "}\n{"),
		"index":            index,
		"index, deeper":    `{"result":{"rows":` + index + `}}`,
		"index, in a list": `[` + index + `]`,
		"index and others": `{"n":1,"rows":[1],"means":{"age":1.5},` + index[1:],
		"columns":          columns,
		"columns, deeper":  `{"a":[{"b":` + columns + `}]}`,
		"split":            `{"columns":["` + strings.Join(clinicNames, `","`) + `"],"index":[0,1],"data":[` + lines(list) + `]}`,
		"table":            `{"schema":{"fields":[{"name":"index","type":"integer"},{"name":"age","type":"integer"}],"primaryKey":["index"]},"data":[` + lines(record) + `]}`,
	} {
		t.Run(name, func(t *testing.T) {
			requireByName(t, rows, lookAt(t, "application/json", text, clinic()).Findings, text)
		})
	}
	for name, form := range map[string]string{"values": "[%[2]q,%[3]s,%[4]s]", "index": `"r%[1]d":{"a":%[2]q,"b":%[3]s,"c":%[4]s}`} {
		text := strings.Join(several(6, func(n int) string { return fmt.Sprintf(form, n, visit(n)[2], visit(n)[3], visit(n)[4]) }), ",")
		if text = "{" + text + "}"; name == "values" {
			text = "[" + text[1:len(text)-1] + "]"
		}
		require.Contains(t, rules(lookAt(t, "application/json", text, visits())), disclosure.RuleCopiedRows, "without names: %s", text)
	}
}

func TestObjectsOfObjectsAreRows(t *testing.T) {
	object := func(rows int, form string) string {
		return "{" + strings.Join(several(rows, func(n int) string { return fmt.Sprintf(form, n, n*7%97) }), ",") + "}"
	}
	review := lookAt(t, "application/json", object(101, `"r%d":{"sbp":%d.5,"x":1.5}`), visits())
	require.Equal(t, []string{disclosure.RuleManyRows}, rules(review))
	require.Equal(t, []job.ReviewTable{{Part: "stdout", Rows: 101, Columns: 2}}, review.Tables)
	for _, text := range []string{
		object(100, `"r%d":{"sbp":%d.5,"x":1.5}`), object(200, `"m%d":%d.5`), object(200, `"m%d":[%d.5,"x"]`), `{"sbp":` + object(200, `"%d":%d.5`) + `,"weight":` + object(200, `"%d":%d.5`) + `}`,
		`{"means":{"sbp":90.5,"weight":40.5},"sd":{"sbp":1.5,"weight":2.5}}`,
	} {
		require.Empty(t, rules(lookAt(t, "application/json", text, visits())), text)
	}
}

// TestDatesAreTheSameInEveryUnit: JSON has dates as numbers since 1970, whose unit is to be told.
func TestDatesAreTheSameInEveryUnit(t *testing.T) {
	fraction := 0
	born := func(n int) time.Time { return time.Date(1920+11*n, 3, 4+n, 0, 0, 0, 0, time.UTC) }
	seen := func(n int) time.Time { return time.Date(1975+4*n, 5, 6, 7, 8, n, n*fraction, time.UTC) }
	number := func(n int) string { return strconv.Itoa(1_234_567_890 + n) }
	data := disclosure.Table{Columns: []disclosure.Column{{Name: "born"}, {Name: "x"}, {Name: "seen"}, {Name: "y"}, {Name: "account"}}, Rows: func(_ context.Context, wanted []int, yield func([][]byte) error) error {
		for n := range 7 {
			row := []string{born(n).Format(time.DateOnly), "x", seen(n).Format("2006-01-02 15:04:05.999999"), "y", number(n)}
			cells := make([][]byte, len(wanted))
			for at, column := range wanted {
				cells[at] = []byte(row[column])
			}
			if err := yield(cells); err != nil {
				return err
			}
		}
		return nil
	}}
	for name, write := range map[string]func(time.Time) string{
		"seconds":            func(at time.Time) string { return fmt.Sprintf("%d.0", at.Unix()) },
		"milliseconds":       func(at time.Time) string { return strconv.FormatInt(at.UnixMilli(), 10) },
		"microseconds":       func(at time.Time) string { return strconv.FormatInt(at.UnixMicro(), 10) },
		"nanoseconds":        func(at time.Time) string { return strconv.FormatInt(at.UnixNano(), 10) },
		"ISO, three digits":  func(at time.Time) string { return at.Format(`"2006-01-02T15:04:05.000"`) },
		"ISO, all digits, Z": func(at time.Time) string { return at.Format(`"2006-01-02T15:04:05.000000Z"`) },
	} {
		if fraction = 123_456_000; name == "seconds" {
			fraction = 0
		}
		text := "[" + strings.Join(several(7, func(n int) string {
			return fmt.Sprintf(`{"born":%s,"seen":%s,"account":%s}`, write(born(n)), write(seen(n)), number(n))
		}), ",") + "]"
		for _, media := range []string{"application/json", "text/plain"} {
			requireByName(t, 7, lookAt(t, media, text, data).Findings, name+": "+text)
		}
	}
	text := strings.Join(several(7, func(n int) string {
		return fmt.Sprintf("{'born': datetime.date(%s), 'seen': datetime.datetime(%s, tzinfo=datetime.timezone.utc)}", born(n).Format("2006, 1, 2"), seen(n).Format("2006, 1, 2, 15, 4, 5, ")+strconv.Itoa(seen(n).Nanosecond()/1000))
	}), "\n")
	requireByName(t, 7, lookAt(t, "text/plain", text, data).Findings, text)
	text = "born,seen\n" + strings.Join(several(7, func(n int) string { return fmt.Sprintf("%d,%d", born(n).UnixMilli()+1, seen(n).UnixMilli()) }), "\n")
	require.Empty(t, rules(lookAt(t, "text/csv", text, data)))
}
