package disclosure_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/disclosure"
)

// people are named by words.
func people() disclosure.Table {
	columns := []disclosure.Column{{Name: "who", Kind: disclosure.Identifier}, {Name: "address", Kind: disclosure.Identifier}}
	return disclosure.Table{Columns: columns, Rows: func(_ context.Context, wanted []int, yield func([][]byte) error) error {
		for _, row := range [][]string{
			{"Anna Maria Schmidt", "12 Main Street, Springfield"}, {"Müller, José", "Łódzka 7/3"}, {"O'Brien-Smith Ada", "1 Straße"}, {"S-1000", "Q"},
		} {
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
}

func TestNamesOfSeveralWordsAreSeen(t *testing.T) {
	for _, text := range []string{
		"the outlier is Anna Maria Schmidt, of site 3", "ANNA MARIA SCHMIDT", "Schmidt, Anna Maria", "anna_maria_schmidt", "Anna\tMaria  Schmidt's visit", "(Maria-Anna Schmidt)",
		"JOSE MULLER", "José Mu\u0308ller", "seen: Ｊｏｓé Müller", "lives at 12 main street Springfield", "12 Main Street; Springfield", "lodzka 7 / 3", "Ada O’Brien Smith", "1 STRASSE",
		"s-1000 fell", "S 1000",
	} {
		for _, media := range []string{"text/plain", "text/markdown", "text/html"} {
			require.Equal(t, []string{disclosure.RuleIdentifierValues}, identified(lookAt(t, media, text, people())), "%s: %s", media, text)
		}
		require.Equal(t, []string{disclosure.RuleIdentifierValues}, identified(lookAt(t, "text/csv", "note,x\n\""+text+"\",1.5\n", people())), text)
		require.Equal(t, []string{disclosure.RuleIdentifierValues}, identified(lookAt(t, "application/json", `{"a":[{"note":"see `+strings.ReplaceAll(text, "\t", " ")+`"}]}`, people())), text)
	}
}

func TestOtherWordsNameNobody(t *testing.T) {
	for _, text := range []string{
		"Anna Schmidt", "Maria Schmidt and Anna", "Main Street 12 Springfield", "it took 1000 s", "1000 S", "Schmidt", "q", "7 3 lodzka", "1 street", "12 people of Main Street, Springfield",
	} {
		require.Empty(t, identified(lookAt(t, "text/plain", text, people())), text)
	}
}

// TestNamesAreSeenThroughEscapes: as JSON, ascii() and the bytes of a text are printed.
func TestNamesAreSeenThroughEscapes(t *testing.T) {
	for _, text := range []string{
		`{"k": "M\u00fcller, Jos\u00e9"}`, `'M\xfcller, Jos\xe9'`, `b'M\xc3\xbcller, Jos\xc3\xa9'`, `"Mu\u0308ller, Jos\U000000e9"`, `\u004d\u00fcller, Jos\u00e9`,
		`{"who": "O'Brien\u2011Smith Ada"}`, `\ud835\udc00nna Maria Schmidt`, `"S\u002d1000"`,
	} {
		for _, media := range []string{"text/plain", "text/html"} {
			require.Equal(t, []string{disclosure.RuleIdentifierValues}, identified(lookAt(t, media, text, people())), "%s: %s", media, text)
		}
		require.Equal(t, []string{disclosure.RuleIdentifierValues}, identified(lookAt(t, "text/csv", "note;x\n"+text+";1\n", people())), text)
	}
	for _, text := range []string{`C:\\u004duller\\x`, `\u00f`, `\x`, `\`, `\\`, `M\\u00fcller, Jos\\u00e9`} {
		require.Empty(t, identified(lookAt(t, "text/plain", text, people())), text)
	}
}

// TestIdentifiersAreSeenAsTheyArePrinted: numbers in groups, and signs that nobody sees.
func TestIdentifiersAreSeenAsTheyArePrinted(t *testing.T) {
	numbers := disclosure.Table{Columns: []disclosure.Column{{Name: "id", Kind: disclosure.Identifier}}, Rows: func(_ context.Context, _ []int, yield func([][]byte) error) error {
		return errors.Join(yield([][]byte{[]byte("10007938")}), yield([][]byte{[]byte("Sch\u00admidt")}))
	}}
	for _, text := range []string{"10,007,938", "the worst: 10,007,938.", "10_007_938", "(10,007,938)", "10007\u200b938", "Schmidt", "Schm\u200bidt", "n=10\u2060,007,938"} {
		require.Equal(t, []string{disclosure.RuleIdentifierValues}, identified(lookAt(t, "text/plain", text, numbers)), text)
	}
	for _, text := range []string{"110,007,938", "10,007,9381", "10,07,938", "10,007", "10, 007, 938"} {
		require.Empty(t, identified(lookAt(t, "text/plain", text, numbers)), text)
	}
	require.Equal(t, []string{disclosure.RuleIdentifierValues}, identified(lookAt(t, "text/plain", "Anna Ma\u00adria Sch\u200bmidt", people())))
}
