package header_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/selftest/header"
)

const whole = `"""Tries something.

Threats: C3
Held by: the sandbox
"""
run(attack)
`

// into is what the fields of whole set.
type into map[string]string

func (i into) fields() []header.Field {
	return []header.Field{
		{Name: "Threats", Required: true, Set: func(value string) error {
			i["Threats"] = value
			if value != "C3" {
				return errors.New("write C3")
			}
			return nil
		}},
		header.Flag("Held by", "the sandbox", func() { i["Held by"] = "set" }),
	}
}

func read(text string) (header.Header, into, error) {
	parsed, err := header.Parse("a.py", text)
	if err != nil {
		return parsed, nil, err
	}
	set := into{}
	return parsed, set, parsed.Read(set.fields()...)
}

func TestAHeaderIsReadWhole(t *testing.T) {
	parsed, set, err := read(whole)
	require.NoError(t, err)
	require.Equal(t, "Tries something.", parsed.Title)
	require.Equal(t, "run(attack)\n", parsed.Body)
	require.Equal(t, into{"Threats": "C3", "Held by": "set"}, set)
}

func TestATitleAloneIsAHeader(t *testing.T) {
	for _, text := range []string{`"""Tries."""`, `"""Tries."""` + "\n"} {
		parsed, err := header.Parse("a.py", text)
		require.NoError(t, err)
		require.Equal(t, "Tries.", parsed.Title)
		require.Empty(t, parsed.Body)
		require.NoError(t, parsed.Read())
	}
}

func TestParseRefuses(t *testing.T) {
	for _, test := range []struct{ name, old, new, fault string }{
		{"something before the doc string", `"""Tries`, "\n\"\"\"Tries", "a.py:1: does not begin with a doc string"},
		{"another kind of string", `"""Tries`, `r"""Tries`, "a.py:1: does not begin with a doc string"},
		{"a doc string that does not end", "\n\"\"\"\n", "\n", "a.py:1: does not begin with a doc string"},
		{"a program on the last line", "\"\"\"\nrun", `"""; run`, "a.py:5: something follows"},
		{"no title", "Tries something.", "", "a.py:1: the doc string's first line does not say what is tried: there is nothing"},
		{"white space around the title", "Tries", " Tries", "a.py:1: the doc string's first line does not say what is tried: there is white space"},
		{"a sign in the title that Python reads otherwise", "Tries", `\u0054ries`, "a.py:1: the doc string's first line does not say what is tried: there is a backslash"},
		{"a sign that a terminal obeys", "something", "\x1b[2J", "a.py:1: the doc string's first line does not say what is tried: there is a backslash or a sign"},
		{"bytes that are no text", "something", "\xff", "a.py:1: the doc string's first line does not say what is tried: there is a backslash or a sign"},
		{"no empty line after the title", "something.\n", "something.", "a.py:2: an empty line"},
		{"another empty line", "C3\n", "C3\n\n", `a.py:4: "" is no field`},
		{"no fields", "Threats: C3\nHeld by: the sandbox\n", "", "a.py:2: an empty line"},
		{"an end on a field's line", "the sandbox\n", "the sandbox", "a.py:2: an empty line"},
		{"prose", "Held by: the sandbox", "It is held.", `a.py:4: "It is held." is no field`},
		{"no space after the colon", "Held by: ", "Held by:", `a.py:4: "Held by:the sandbox" is no field`},
		{"no value", "Threats: C3", "Threats: ", "a.py:3: Threats: there is nothing"},
		{"white space after a value", "C3", "C3 ", "a.py:3: Threats: there is white space"},
		{"a name in capitals", "Threats", "THREATS", `a.py:3: "THREATS: C3" is no field`},
		{"a name in lower case", "Threats", "threats", `a.py:3: "threats: C3" is no field`},
		{"white space before a name", "Threats", " Threats", `a.py:3: " Threats: C3" is no field`},
		{"a field that appears twice", "Held by: the sandbox", "Threats: C3", "a.py:4: Threats appears twice"},
		{"lines of another system", "C3\n", "C3\r\n", "a.py:3: Threats: there is white space"},
	} {
		t.Run(test.name, func(t *testing.T) {
			changed := strings.Replace(whole, test.old, test.new, 1)
			require.NotEqual(t, whole, changed)
			_, err := header.Parse("a.py", changed)
			require.ErrorContains(t, err, test.fault)
		})
	}
}

func TestReadRefuses(t *testing.T) {
	for _, test := range []struct{ name, old, new, fault string }{
		{"an unknown field", "Held by", "Kept by", `a.py:4: unknown field "Kept by": known are Threats, Held by`},
		{"a value that its field refuses", "C3", "C4", `a.py:3: Threats is "C4": write C3`},
		{"a flag with another value", "the sandbox", "yes", `a.py:4: Held by is "yes": write the sandbox, or leave the line out`},
		{"no line of a required field", "Threats: C3\n", "", "a.py:1: the doc string lacks the line Threats"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := read(strings.Replace(whole, test.old, test.new, 1))
			require.ErrorContains(t, err, test.fault)
		})
	}
}

func TestAllFaultsAreNamed(t *testing.T) {
	_, _, err := read(strings.NewReplacer("Threats", "Threat", "the sandbox", "luck").Replace(whole))
	for _, fault := range []string{`a.py:3: unknown field "Threat"`, `a.py:4: Held by is "luck"`, "a.py:1: the doc string lacks the line Threats"} {
		require.ErrorContains(t, err, fault)
	}
	_, err = header.Parse("a.py", "\"\"\"\n\nx\ny\n\"\"\"")
	for _, fault := range []string{"a.py:1:", `a.py:3: "x"`, `a.py:4: "y"`} {
		require.ErrorContains(t, err, fault)
	}
}

// A line of a header that has changed is refused, whichever byte of its name it is.
func TestNoByteOfAFieldsNameChangesUnseen(t *testing.T) {
	begin := strings.Index(whole, "Threats")
	for index := begin; index < strings.Index(whole, ": C3"); index++ {
		for _, other := range []byte{0, ' ', '_', '"', 0xff, whole[index] ^ 0x20} {
			changed := []byte(whole)
			changed[index] = other
			_, _, err := read(string(changed))
			require.Error(t, err, "%q", changed)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{whole, `"""Tries."""`, "\"\"\"a\n\nA b: c\n\"\"\"\n\"\"\"", "\"\"\"\n\n\n\"\"\"x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := header.Parse("a.py", text)
		if err != nil {
			require.Zero(t, parsed)
			return
		}
		// What was read, written in the form, is what stands there.
		var said []string
		var fields []header.Field
		for line := range strings.SplitSeq(text, "\n") {
			name, _, _ := strings.Cut(line, ": ")
			fields = append(fields, header.Field{Name: name, Set: func(value string) error {
				said = append(said, name+": "+value)
				return nil
			}})
		}
		require.NoError(t, parsed.Read(fields...))
		doc := parsed.Title
		if len(said) > 0 {
			doc += "\n\n" + strings.Join(said, "\n") + "\n"
		}
		written := `"""` + doc + `"""`
		require.True(t, text == written+"\n"+parsed.Body || text == written && parsed.Body == "", "%q", text)
	})
}
