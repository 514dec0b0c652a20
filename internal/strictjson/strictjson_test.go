package strictjson_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/strictjson"
)

type inner struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
	Table string `json:"table,omitzero"`
}

type outer struct {
	Name  string  `json:"name"`
	Files []inner `json:"files"`
	Inner inner   `json:"inner"`
}

const whole = `{"name": "n", "files": [{"path": "p", "bytes": 1}], "inner": {"path": "", "bytes": 0}}`

func TestDecodeAllAcceptsAWholeValue(t *testing.T) {
	var value outer
	require.NoError(t, strictjson.DecodeAll([]byte(whole), 1000, &value))
	require.Equal(t, outer{"n", []inner{{"p", 1, ""}}, inner{}}, value)
}

func TestDecodeAllRefuses(t *testing.T) {
	for name, test := range map[string]struct{ text, message string }{
		"nothing":            {"", "line 1: it is not valid JSON"},
		"a second document":  {whole + "{}", "not valid JSON"},
		"a duplicate name":   {`{"name": "a",` + "\n" + `"name": "b"}`, `line 2, "name": the name appears twice`},
		"a byte order mark":  {"\ufeff" + whole, "JSON begins with a byte order mark: save it as UTF-8 without one"},
		"UTF-16":             {"\xff\xfe{\x00}\x00", "JSON is UTF-16 or UTF-32, as it looks: save it as UTF-8"},
		"UTF-16, marked big": {"\xfe\xff\x00{\x00}", "JSON is UTF-16 or UTF-32"},
		"UTF-16, unmarked":   {"\x00{\x00}", "JSON is UTF-16 or UTF-32"},
		"UTF-32":             {"{\x00\x00\x00}\x00\x00\x00", "JSON is UTF-16 or UTF-32"},
		"what to do":         {`{"name":"a","name":"b"}`, "keep the one that is meant"},
		"a case variant":     {`{"Name": "a"}`, `"Name": the name is unknown`},
		"an unknown name":    {`{"files": [{"pth": 1}]}`, `"files/0/pth": the name is unknown`},
		"a wrong type":       {`{"files": {}}`, `"files": an object does not belong there: want an array`},
		"a fraction":         {`{"inner": {"bytes": 1.5}}`, `"inner/bytes"`},
		"an overflow":        {`{"inner": {"bytes": 99999999999999999999}}`, `"inner/bytes"`},
		"invalid UTF-8":      {"{\"name\": \"\xff\"}", "not valid JSON"},
		"a lone surrogate":   {`{"name": "\ud800"}`, "not valid JSON"},
		"NaN":                {`{"inner": {"bytes": NaN}}`, "not valid JSON"},
		"a comment":          {`{"name": "a" /* b */}`, "not valid JSON"},
		"an absent name":     {`{"files": [{"path": "p"}], "inner": {"path": "", "bytes": 0}}`, `JSON lacks "files/0/bytes", "name"`},
		"null for a string":  {`{"name": null, "files": [], "inner": {"path": "", "bytes": 0}}`, `JSON lacks "name"`},
		"null for an array":  {`{"name": "n", "files": null, "inner": {"path": "", "bytes": 0}}`, `JSON lacks "files"`},
		"null for an object": {`{"name": "n", "files": [], "inner": null}`, `JSON lacks "inner"`},
		"many absent names":  {`{"name": "n", "files": [` + strings.Repeat("{},", 39) + `{}], "inner": {}}`, `"files/9/path" and more`},
		"null for it all":    {`null`, `JSON lacks`},
	} {
		t.Run(name, func(t *testing.T) {
			var value outer
			require.ErrorContains(t, strictjson.DecodeAll([]byte(test.text), 1000, &value), test.message)
		})
	}
}

// However much a value lacks, what is told of it is short.
func TestWhatIsAbsentIsToldInALine(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		into any
	}{
		"members of objects": {`{"name": "n", "files": [` + strings.Repeat("{},", 1<<17) + `{}], "inner": {}}`, new(outer)},
		"nulls in an array":  {`[` + strings.Repeat("null,", 1<<17) + `null]`, new([]int64)},
		"a map of objects": {func() string {
			var text strings.Builder
			for n := range 1 << 14 {
				fmt.Fprintf(&text, `,"%0120d":{}`, n)
			}
			return "{" + text.String()[1:] + "}"
		}(), new(map[string]inner)},
	} {
		t.Run(name, func(t *testing.T) {
			err := strictjson.DecodeAll([]byte(test.text), 1<<22, test.into)
			require.ErrorContains(t, err, "JSON lacks ")
			require.Less(t, len(err.Error()), 4000)
		})
	}
}

func TestDecodeIsBoundedBeforeItParses(t *testing.T) {
	var value outer
	require.ErrorContains(t, strictjson.Decode([]byte(whole), len(whole)-1, &value), "larger than")
	require.NoError(t, strictjson.Decode([]byte(whole), len(whole), &value))
}

func TestErrorsDoNotRepeatValues(t *testing.T) {
	var value outer
	err := strictjson.Decode([]byte(`{"inner": {"bytes": "patient 4711"}}`), 1000, &value)
	require.Error(t, err)
	require.NotContains(t, err.Error(), "4711")
}
