package bundle_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
	"hotcell/internal/digest"
	"hotcell/internal/signing"
)

func newKey(t *testing.T) (signing.Key, digest.Digest) {
	t.Helper()
	key, err := signing.Generate()
	require.NoError(t, err)
	sum, err := key.Public().Digest()
	require.NoError(t, err)
	return key, sum
}

// signedStore has a bundle that somebody has signed, and the paths of the signature.
func signedStore(t *testing.T) (store *bundle.Store, dir string, added bundle.Bundle, envelope, public string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "bundles")
	store, err := bundle.OpenStore(dir)
	require.NoError(t, err)
	added = addOf(t, store, "visits", "1.0")
	key, signer := newKey(t)
	got, err := store.Sign(t.Context(), added, key)
	require.NoError(t, err)
	require.Equal(t, signer, got)
	all, err := filepath.Glob(filepath.Join(dir, "signature-*"))
	require.NoError(t, err)
	require.Len(t, all, 2)
	return store, dir, added, all[0], all[1]
}

func addOf(t *testing.T, store *bundle.Store, name, version string) bundle.Bundle {
	t.Helper()
	src := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(src, "a.csv"), []byte("id\n1\n"), 0o600))
	_, err := bundle.Create(t.Context(), bundle.CreateOptions{
		Dir: src, Name: name, Version: version, Study: "S", Deidentification: bundle.Deidentification{
			Method: bundle.SafeHarbor, AttestedBy: "A", AttestedOn: "2026-01-02", Statement: "All.", Tool: "T 1", ValidUntil: "2999-01-01", Protocol: "P/7",
		},
	})
	require.NoError(t, err)
	added, err := store.Add(t.Context(), src)
	require.NoError(t, err)
	return added
}

func TestASignatureIsKeptBesideTheBundle(t *testing.T) {
	store, _, added, _, _ := signedStore(t)
	first, err := store.SignedBy(t.Context(), added)
	require.NoError(t, err)
	require.Len(t, first, 1)
	other, signer := newKey(t)
	for range 2 { // again is the same
		_, err = store.Sign(t.Context(), added, other)
		require.NoError(t, err)
	}
	both, err := store.SignedBy(t.Context(), added)
	require.NoError(t, err)
	require.ElementsMatch(t, []digest.Digest{first[0], signer}, both)
	require.NoError(t, store.Verify(t.Context(), added.Digest), "the bundle is as it was")
	all, err := store.List(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 1)
	unsigned := addOf(t, store, "visits", "1.1")
	none, err := store.SignedBy(t.Context(), unsigned)
	require.NoError(t, err)
	require.Empty(t, none, "a signature is one bundle's")
}

func TestRemoveTakesTheSignaturesAlong(t *testing.T) {
	store, dir, added, _, _ := signedStore(t)
	require.NoError(t, store.Remove(t.Context(), added.Digest))
	left, err := filepath.Glob(filepath.Join(dir, "signature-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestNoSignatureIsBelievedThatDoesNotHold: each is what somebody with the store's disk could
// try, short of having the key.
func TestNoSignatureIsBelievedThatDoesNotHold(t *testing.T) {
	for name, tamper := range map[string]func(t *testing.T, dir, envelope, public string, store *bundle.Store){
		"another envelope": func(t *testing.T, _, envelope, _ string, _ *bundle.Store) {
			data, err := os.ReadFile(envelope)
			require.NoError(t, err)
			rewrite(t, envelope, strings.Replace(string(data), `"sig":"`, `"sig":"AAAA`, 1))
		},
		"no envelope": func(t *testing.T, _, envelope, _ string, _ *bundle.Store) { rewrite(t, envelope, "") },
		"another key beside it": func(t *testing.T, _, _, public string, _ *bundle.Store) {
			key, _ := newKey(t)
			pem, err := key.Public().PEM()
			require.NoError(t, err)
			rewrite(t, public, string(pem))
		},
		"no key beside it": func(t *testing.T, _, _, public string, _ *bundle.Store) { require.NoError(t, os.Remove(public)) },
		"another key's signature under this one's name": func(t *testing.T, _, envelope, public string, store *bundle.Store) {
			all, err := store.List(t.Context())
			require.NoError(t, err)
			key, signer := newKey(t)
			_, err = store.Sign(t.Context(), all[0], key)
			require.NoError(t, err)
			for _, path := range []string{envelope, public} {
				name := filepath.Base(path)
				other := name[:len("signature-")+65] + string(signer.Hex()) + name[len("signature-")+65+64:]
				require.NoError(t, os.Rename(filepath.Join(filepath.Dir(path), other), path))
			}
		},
		"another bundle's signature": func(t *testing.T, dir, envelope, public string, store *bundle.Store) {
			other := addOf(t, store, "visits", "2.0")
			key, signer := newKey(t)
			_, err := store.Sign(t.Context(), other, key)
			require.NoError(t, err)
			of := strings.TrimPrefix(filepath.Base(envelope), "signature-")[:64]
			for _, end := range []string{".dsse.json", ".pub"} {
				from := filepath.Join(dir, "signature-"+string(other.Digest.Hex())+"-"+string(signer.Hex())+end)
				require.NoError(t, os.Rename(from, filepath.Join(dir, "signature-"+of+"-"+string(signer.Hex())+end)))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			store, dir, added, envelope, public := signedStore(t)
			tamper(t, dir, envelope, public, store)
			_, err := store.SignedBy(t.Context(), added)
			require.ErrorContains(t, err, "does not hold")
			require.ErrorAs(t, err, new(*bundle.FaultError))
		})
	}
}

func rewrite(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func TestAnAttestationEnds(t *testing.T) {
	said := bundle.Deidentification{ValidUntil: "2026-11-27"}
	require.False(t, said.Expired("2026-11-27"), "the last day is one of it")
	require.True(t, said.Expired("2026-11-28"))
	require.False(t, bundle.Deidentification{}.Expired("9999-01-01"))
	for until, want := range map[string]string{"2026": "must be a date", "2020-01-01": "before the day of the attestation", "2026-01-03": "it has expired"} {
		src := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(src, "a.csv"), []byte("id\n1\n"), 0o600))
		_, err := bundle.Create(t.Context(), bundle.CreateOptions{Dir: src, Name: "a", Version: "1", Study: "S", Deidentification: bundle.Deidentification{
			Method: bundle.Synthetic, AttestedBy: "A", AttestedOn: "2026-01-02", Statement: "All.", ValidUntil: until,
		}})
		require.ErrorContains(t, err, want)
	}
}
