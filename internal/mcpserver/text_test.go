package mcpserver

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"hotcell/internal/strictjson"
)

func TestCleanShowsWhatATextIs(t *testing.T) {
	for text, want := range map[string]string{
		"plain\ttext\n":                           "plain\ttext\n",
		"\x1b[31mred\x1b[0m":                      "red",
		"\x1b[2J\x1b[1;1Htop":                     "top",
		"\x1b]8;;http://x\x07link":                "<U+001B>]8;;http://x<U+0007>link",
		"\x1b[" + strings.Repeat("1", 70) + "m":   "<U+001B>[" + strings.Repeat("1", 70) + "m",
		"\x1b[31":                                 "<U+001B>[31",
		"a\r\nb\rc":                               "a\nb\nc",
		"\x00\x07\x7f":                            "<U+0000><U+0007><U+007F>",
		"user\u202enimda":                         "user<U+202E>nimda",
		"a\u2066b\u2069":                          "a<U+2066>b<U+2069>",
		"in\u200bvisible\ufeff":                   "in<U+200B>visible<U+FEFF>",
		"tag\U000e0041\U000e007f":                 "tag<U+E0041><U+E007F>",
		"selector\ufe0f\U000e0100":                "selector<U+FE0F><U+E0100>",
		"blank\u2800 \u3164":                      "blank<U+2800> <U+3164>",
		"no\u00a0break\u3000":                     "no break ",
		"line\u2028end":                           "line<U+2028>end",
		"\xff\xfe":                                "\ufffd\ufffd",
		"Gr\u00fc\u00dfe \u65e5\u672c \U0001f600": "Gr\u00fc\u00dfe \u65e5\u672c \U0001f600",
	} {
		require.Equal(t, want, clean(text), "%q", text)
	}
}

func TestCutLeavesHeadAndTail(t *testing.T) {
	text := strings.Repeat("a", 5_000_000) + strings.Repeat("z", 5_000_000)
	shown, left := cut(text, 1000)
	require.LessOrEqual(t, costs(shown), 1000)
	require.Contains(t, shown, fmt.Sprintf("[... %d bytes left out ...]", left))
	require.True(t, strings.HasPrefix(shown, "aaaa"))
	require.True(t, strings.HasSuffix(shown, "zzzz"))
	whole, left := cut("short", 1000)
	require.Equal(t, "short", whole)
	require.Zero(t, left)
}

func TestFitGivesShortTextsTheirPlace(t *testing.T) {
	texts, said := fit([]part{{"output", strings.Repeat("o", 100_000)}, {"stderr", "short"}, {"error", strings.Repeat("\"", 100_000)}}, 8192)
	total := 0
	for _, p := range texts {
		total += costs(p.text)
	}
	require.LessOrEqual(t, total, 8192)
	require.Greater(t, total, 7900)
	require.Equal(t, part{"stderr", "short"}, texts[1])
	require.Equal(t, shown{"stderr", 5, 0}, said[1])
	require.Equal(t, 100_000, said[0].Bytes)
	require.Positive(t, said[0].LeftOut)
}

func TestAPieceOfAFileEndsBetweenCharacters(t *testing.T) {
	raw := []byte(strings.Repeat("\u00fc", 300))
	var whole strings.Builder
	for at := 0; at < len(raw); {
		text, used, err := shownPiece(raw[at:min(len(raw), at+256+utf8.UTFMax)], 256)
		require.NoError(t, err)
		require.Positive(t, used)
		whole.WriteString(text)
		at += used
	}
	require.Equal(t, string(raw), whole.String())
	for _, other := range []string{"\x89PNG\r\n\x1a\n\x00", "\xff\xfe\xfd\xfcabcdefgh", "a\x00b"} {
		_, _, err := shownPiece([]byte(other), 256)
		require.ErrorContains(t, err, "no text")
	}
}

// FuzzText holds what is shown of any text: it is clean and stays so, and within its bounds as JSON.
func FuzzText(f *testing.F) {
	for _, text := range []string{"plain", "\x1b[31mred", "a\r\nb", "\u202e\U000e0041", "\xff", "\x1b[\x1b[m", "\"\\\n"} {
		f.Add(text, 300)
	}
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = 256 + most&0xffff
		cleaned := clean(text)
		require.True(t, utf8.ValidString(cleaned))
		require.Equal(t, cleaned, clean(cleaned))
		require.True(t, isClean(cleaned))
		require.Equal(t, cleaned == text, isClean(text))
		for _, r := range cleaned {
			require.False(t, r != '\n' && r != '\t' && invisible(r), "%U", r)
		}
		shown, left := cut(cleaned, most)
		encoded, err := strictjson.Encode(shown)
		require.NoError(t, err)
		require.LessOrEqual(t, len(encoded)-2, most)
		require.Equal(t, left == 0, shown == cleaned)
		if piece, used, err := shownPiece([]byte(text), int64(most)); err == nil && len(text) > 0 {
			require.Positive(t, used)
			require.LessOrEqual(t, costs(piece), most)
			require.True(t, utf8.ValidString(piece))
		}
	})
}
