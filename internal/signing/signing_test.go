package signing_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/signing"
)

// written is a key in files of its own.
func written(t *testing.T) (key signing.Key, private, public string) {
	t.Helper()
	key, err := signing.Generate()
	require.NoError(t, err)
	private = filepath.Join(t.TempDir(), "key")
	public = private + ".pub"
	text, err := key.PEM()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(private, text, 0o600))
	text, err = key.Public().PEM()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(public, text, 0o644))
	return key, private, public
}

func TestAKeyComesBackFromItsFiles(t *testing.T) {
	key, private, public := written(t)
	loaded, err := signing.Load(private)
	require.NoError(t, err)
	other, err := signing.LoadPublic(public)
	require.NoError(t, err)
	envelope, err := loaded.Envelope(t.Context(), []byte(`{"a":1}`))
	require.NoError(t, err)
	statement, err := other.Open(t.Context(), envelope)
	require.NoError(t, err)
	require.Equal(t, `{"a":1}`, string(statement))
	one, err := key.Public().Digest()
	require.NoError(t, err)
	two, err := other.Digest()
	require.NoError(t, err)
	require.Equal(t, one, two)
}

func TestAKeyFileThatCannotBeTrustedIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		change func(t *testing.T, private, public string)
		fault  string
	}{
		"missing":            {func(t *testing.T, private, _ string) { require.NoError(t, os.Remove(private)) }, "does not exist: `runner keygen` makes one"},
		"readable by others": {func(t *testing.T, private, _ string) { require.NoError(t, os.Chmod(private, 0o640)) }, "can be read by others"},
		"a link": {func(t *testing.T, private, _ string) {
			require.NoError(t, os.Rename(private, private+".real"))
			require.NoError(t, os.Symlink(private+".real", private))
		}, "is a link"},
		"a directory": {func(t *testing.T, private, _ string) {
			require.NoError(t, os.Remove(private))
			require.NoError(t, os.Mkdir(private, 0o700))
		}, "is no file"},
		"the other half": {func(t *testing.T, private, public string) {
			text, err := os.ReadFile(public)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(private, text, 0o600))
		}, "has a PUBLIC KEY, not a PRIVATE KEY"},
		"empty":      {func(t *testing.T, private, _ string) { require.NoError(t, os.WriteFile(private, nil, 0o600)) }, "is no key in PEM"},
		"cut in two": {func(t *testing.T, private, _ string) { require.NoError(t, os.Truncate(private, 60)) }, "is no key in PEM"},
		"with more behind it": {func(t *testing.T, private, _ string) {
			text, err := os.ReadFile(private)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(private, append(text, "more"...), 0o600))
		}, "is no key in PEM"},
		"of another kind": {func(t *testing.T, private, _ string) {
			require.NoError(t, os.WriteFile(private, []byte("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"), 0o600))
		}, "has no ed25519 key"},
		"endless": {func(t *testing.T, private, _ string) {
			require.NoError(t, os.WriteFile(private, []byte(strings.Repeat("x", 1<<20)), 0o600))
		}, "is no key in PEM"},
	} {
		t.Run(name, func(t *testing.T) {
			_, private, public := written(t)
			test.change(t, private, public)
			_, err := signing.Load(private)
			require.ErrorIs(t, err, signing.ErrKey)
			require.ErrorContains(t, err, test.fault)
		})
	}
	_, private, _ := written(t)
	_, err := signing.LoadPublic(private)
	require.ErrorContains(t, err, "not a PUBLIC KEY: give the file that ends in .pub")
}

func TestOnlyTheWholeEnvelopeOfTheKeyIsOpened(t *testing.T) {
	key, _, _ := written(t)
	envelope, err := key.Envelope(t.Context(), []byte("a statement"))
	require.NoError(t, err)
	opened := 0
	for i := range envelope[:len(envelope)-1] {
		damaged := append([]byte{}, envelope...)
		damaged[i] ^= 1
		if text, err := key.Public().Open(t.Context(), damaged); err == nil {
			require.Equal(t, "a statement", string(text)) // the key's id, which nothing signs
			opened++
		}
	}
	require.Less(t, opened, 8)
	other, err := signing.Generate()
	require.NoError(t, err)
	_, err = other.Public().Open(t.Context(), envelope)
	require.ErrorContains(t, err, "this key has not signed it")
	_, err = key.Public().Open(t.Context(), []byte(`{"payloadType":"application/vnd.in-toto+json","payload":"","signatures":[]}`))
	require.Error(t, err)
	_, err = (signing.Key{}).Envelope(t.Context(), nil)
	require.ErrorIs(t, err, signing.ErrKey)
	_, err = (signing.Public{}).Open(t.Context(), envelope)
	require.Error(t, err)
}

func TestANoteIsOpenedInItsName(t *testing.T) {
	key, _, _ := written(t)
	signed, err := key.Note([]byte("text\n"), "hotcell-audit/x")
	require.NoError(t, err)
	text, err := key.Public().OpenNote(signed, "hotcell-audit/x")
	require.NoError(t, err)
	require.Equal(t, "text\n", string(text))
	_, err = key.Public().OpenNote(signed, "hotcell-audit/y")
	require.Error(t, err)
	for i := range signed {
		damaged := append([]byte{}, signed...)
		damaged[i] ^= 1
		if text, err := key.Public().OpenNote(damaged, "hotcell-audit/x"); err == nil {
			require.Equal(t, "text\n", string(text))
		}
	}
}

func FuzzOpen(f *testing.F) {
	key, err := signing.Generate()
	require.NoError(f, err)
	envelope, err := key.Envelope(f.Context(), []byte("{}"))
	require.NoError(f, err)
	f.Add(envelope)
	f.Fuzz(func(t *testing.T, text []byte) {
		if statement, err := key.Public().Open(t.Context(), text); err == nil {
			require.Equal(t, "{}", string(statement))
		}
	})
}
