package anchor_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/transparency-dev/formats/log"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/note"

	"hotcell/internal/anchor"
	"hotcell/internal/digest"
	"hotcell/internal/signing"
)

var first = digest.Of([]byte("first")).Hex()

// grown is a tree of so many lines.
func grown(t *testing.T, many int) *anchor.Tree {
	t.Helper()
	tree := anchor.NewTree()
	for n := range many {
		require.NoError(t, tree.Add(fmt.Appendf(nil, "line %d", n)))
	}
	return tree
}

func made(t *testing.T, many int) (anchor.Checkpoint, signing.Key, []byte) {
	t.Helper()
	checkpoint, err := anchor.Of(grown(t, many), first)
	require.NoError(t, err)
	key, err := signing.Generate()
	require.NoError(t, err)
	signed, err := checkpoint.Sign(key)
	require.NoError(t, err)
	return checkpoint, key, signed
}

// TestOthersReadACheckpoint: the field's own code checks signature and root.
func TestOthersReadACheckpoint(t *testing.T) {
	checkpoint, key, signed := made(t, 5)
	text, err := key.Public().NoteKey(checkpoint.Origin)
	require.NoError(t, err)
	verifier, err := note.NewVerifier(text)
	require.NoError(t, err)
	read, rest, _, err := log.ParseCheckpoint(signed, checkpoint.Origin, verifier)
	require.NoError(t, err)
	require.Empty(t, rest)
	require.Equal(t, uint64(5), read.Size)
	for n := range 5 {
		hashes, err := grown(t, 5).Inclusion(int64(n))
		require.NoError(t, err)
		leaf := rfc6962.DefaultHasher.HashLeaf(fmt.Appendf(nil, "line %d", n))
		require.NoError(t, proof.VerifyInclusion(rfc6962.DefaultHasher, uint64(n), 5, leaf, hashes, read.Hash))
	}
	_, err = grown(t, 5).Inclusion(5)
	require.Error(t, err)
}

func TestACheckpointIsOpenedAsItWasSigned(t *testing.T) {
	checkpoint, key, signed := made(t, 5)
	opened, err := anchor.Open(signed, key.Public())
	require.NoError(t, err)
	require.Equal(t, checkpoint, opened)
	for i := range signed {
		damaged := append([]byte{}, signed...)
		damaged[i] ^= 1
		if opened, err := anchor.Open(damaged, key.Public()); err == nil {
			require.Equal(t, checkpoint, opened)
		}
	}
	other, err := signing.Generate()
	require.NoError(t, err)
	_, err = anchor.Open(signed, other.Public())
	require.ErrorContains(t, err, "this key has not signed it")
	for _, text := range []string{"", "x", "hotcell-audit/x\n5\nAAAA\n", strings.Repeat("x", 1<<20)} {
		_, err = anchor.Open([]byte(text), key.Public())
		require.ErrorContains(t, err, "it is no checkpoint of an audit chain")
	}
	_, err = anchor.Of(anchor.NewTree(), first)
	require.Error(t, err)
}

func TestAChainIsComparedWithItsAnchor(t *testing.T) {
	for name, test := range map[string]struct {
		lines int
		other int // the line that is another, or -1
		first digest.Hex
		want  anchor.Difference
	}{
		"as it was":            {5, -1, first, anchor.Same},
		"longer":               {9, -1, first, anchor.Same},
		"changed since":        {9, 7, first, anchor.Same}, // no anchor has seen that
		"cut":                  {4, -1, first, anchor.Shorter},
		"empty":                {0, -1, "", anchor.Shorter},
		"rewritten":            {5, 4, first, anchor.Rewritten},
		"rewritten and longer": {9, 1, first, anchor.Rewritten},
		"another":              {9, -1, digest.Of(nil).Hex(), anchor.OtherChain},
	} {
		t.Run(name, func(t *testing.T) {
			checkpoint, _, _ := made(t, 5)
			comparison := anchor.Compare(checkpoint)
			for n := range test.lines {
				line := fmt.Sprintf("line %d", n)
				if n == test.other {
					line = "another"
				}
				require.NoError(t, comparison.Add([]byte(line)))
			}
			require.Equal(t, test.want, comparison.Result(test.first))
		})
	}
}

func FuzzOpen(f *testing.F) {
	key, err := signing.Generate()
	require.NoError(f, err)
	f.Add([]byte(anchor.Origin(first) + "\n5\nAAAA\n\n— x y\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := anchor.Open(text, key.Public())
		require.Error(t, err)
	})
}
