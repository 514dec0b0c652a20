package digest_test

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
)

// ofABC is an example of FIPS 180-2.
const ofABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

func TestDigestOfKnownBytes(t *testing.T) {
	want := digest.Digest("sha256:" + ofABC)
	require.Equal(t, want, digest.Of([]byte("abc")))
	require.Equal(t, digest.Hex(ofABC), want.Hex())
	require.Equal(t, want, want.Hex().Digest())
	require.Empty(t, digest.Hex("").Digest(), "nothing that is named")
	require.Equal(t, "sha256:ba7816bf8f01", want.Short())
	sum, size, err := digest.From(iotest.OneByteReader(strings.NewReader("abc")))
	require.NoError(t, err)
	require.Equal(t, want, sum)
	require.EqualValues(t, 3, size)
}

func TestParseAcceptsOneSpelling(t *testing.T) {
	got, err := digest.Parse("sha256:" + ofABC)
	require.NoError(t, err)
	require.Equal(t, digest.Of([]byte("abc")), got)
	got, err = digest.FromHex(ofABC)
	require.NoError(t, err)
	require.Equal(t, digest.Of([]byte("abc")), got)
	for name, text := range map[string]string{
		"nothing":            "",
		"no algorithm":       ofABC,
		"another algorithm":  "sha512:" + ofABC,
		"the prefix alone":   "sha256:",
		"the prefix twice":   "sha256:sha256:" + ofABC,
		"an upper-case name": "SHA256:" + ofABC,
		"upper-case digits":  "sha256:" + strings.ToUpper(ofABC),
		"a digit too few":    "sha256:" + ofABC[1:],
		"a digit too many":   "sha256:" + ofABC + "0",
		"no digit":           "sha256:" + ofABC[1:] + "g",
		"a line behind it":   "sha256:" + ofABC + "\n",
		"a path":             "sha256:../../" + ofABC[6:],
	} {
		t.Run(name, func(t *testing.T) {
			_, err := digest.Parse(text)
			require.ErrorIs(t, err, digest.ErrSyntax)
			require.ErrorIs(t, digest.Digest(text).Check(), digest.ErrSyntax)
			digits, _ := strings.CutPrefix(text, "sha256:")
			require.Equal(t, digits != ofABC, digest.Hex(digits).Check() != nil)
		})
	}
}

func TestJSONHasADigestAsItIsWritten(t *testing.T) {
	encoded, err := json.Marshal(map[string]digest.Digest{"image": digest.Of([]byte("abc")), "bundle": ""})
	require.NoError(t, err)
	require.JSONEq(t, `{"image":"sha256:`+ofABC+`","bundle":""}`, string(encoded))
}

// source tells whether it was closed.
type source struct {
	io.Reader
	closed bool
}

func (s *source) Close() error {
	s.closed = true
	return nil
}

func TestReaderYieldsWhatItsDigestNames(t *testing.T) {
	from := &source{Reader: iotest.HalfReader(strings.NewReader("abcdef"))}
	reader := digest.NewReader(from, digest.Of([]byte("abcdef")), 6)
	content, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.Equal(t, "abcdef", string(content))
	require.NoError(t, reader.Close())
	require.True(t, from.closed)
}

func TestReaderTellsOfOtherBytesAtTheirEnd(t *testing.T) {
	want := digest.Of([]byte("abcdef"))
	for name, test := range map[string]struct {
		content string
		size    bool
	}{
		"first byte": {"Abcdef", false}, "last byte": {"abcdeF", false},
		"cut": {"abcde", true}, "longer": {"abcdefg", true}, "without end": {strings.Repeat("abcdef", 1<<20), true}, "none": {"", true},
	} {
		t.Run(name, func(t *testing.T) {
			from := &source{Reader: strings.NewReader(test.content)}
			reader := digest.NewReader(from, want, 6)
			got, err := io.ReadAll(reader)
			require.ErrorIs(t, err, digest.ErrMismatch)
			require.Equal(t, test.size, errors.Is(err, digest.ErrSize))
			require.Equal(t, test.content[:min(6, len(test.content))], string(got), "no byte too many")
			_, err = reader.Read(make([]byte, 1))
			require.ErrorIs(t, err, digest.ErrMismatch, "it says so again")
			require.NoError(t, reader.Close(), "it was told")
			require.True(t, from.closed)
		})
	}
}

func TestCloseVerifiesWhatNobodyRead(t *testing.T) {
	for content, want := range map[string]error{"abcdef": nil, "abcdeX": digest.ErrMismatch} {
		from := &source{Reader: strings.NewReader(content)}
		reader := digest.NewReader(from, digest.Of([]byte("abcdef")), 6)
		_, err := io.ReadFull(reader, make([]byte, 2))
		require.NoError(t, err)
		require.ErrorIs(t, reader.Close(), want)
		require.True(t, from.closed)
	}
}

func TestReaderPassesOnWhatItsSourceSays(t *testing.T) {
	broken := errors.New("broken")
	reader := digest.NewReader(&source{Reader: iotest.ErrReader(broken)}, digest.Of(nil), 0)
	_, err := io.ReadAll(reader)
	require.ErrorIs(t, err, broken)
	require.NoError(t, reader.Close())
	require.ErrorIs(t, digest.NewReader(&source{Reader: iotest.ErrReader(broken)}, digest.Of(nil), 0).Close(), broken)
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"sha256:" + ofABC, "sha256:", ofABC, "sha256:" + strings.ToUpper(ofABC)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		sum, err := digest.Parse(text)
		if err != nil {
			return
		}
		require.Equal(t, text, sum.String())
		again, err := digest.FromHex(string(sum.Hex()))
		require.NoError(t, err)
		require.Equal(t, sum, again)
	})
}
