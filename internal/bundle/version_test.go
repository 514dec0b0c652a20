package bundle_test

import (
	"context"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
)

func TestAVersionNeverChangesItsContent(t *testing.T) {
	store, dir := openStore(t)
	first := add(t, store, source(t))
	other := t.TempDir()
	write(t, other, "data/visits.csv", "id,age\n1,41\n")
	opts := options(other)
	opts.Deidentification.AttestedOn = "2026-02-01"
	_, err := bundle.Create(t.Context(), opts)
	require.NoError(t, err)
	_, err = store.Add(t.Context(), other)
	requireFault(t, err, "visits@1.0 is in the store with other content ("+first.Digest.Short()+
		"; it differs in deidentification.attested_on, 2 files removed, 1 file changed), and a version never changes: give this one another")
	require.Len(t, visible(t, dir), 1)
	require.NoError(t, os.Remove(other+"/bundle.json"))
	opts.Version = "1.1"
	_, err = bundle.Create(t.Context(), opts)
	require.NoError(t, err)
	require.Equal(t, "1.1", add(t, store, other).Manifest.BundleVersion)
}

// A bundle that is damaged is of no version: the intact one can take its place.
func TestADamagedBundleKeepsNoVersion(t *testing.T) {
	store, _ := openStore(t)
	src := source(t)
	first := add(t, store, src)
	overwrite(t, first.Path+"/bundle.json", "{}")
	require.Equal(t, first.Digest, add(t, store, src).Digest)
}

func TestRemoveTakesABundleOutOfTheStore(t *testing.T) {
	store, dir := openStore(t)
	src := source(t)
	added := add(t, store, src)
	release, err := store.Hold(t.Context(), added.Digest)
	require.NoError(t, err)
	again, err := store.Hold(t.Context(), added.Digest) // two runs at once
	require.NoError(t, err)
	elsewhere, err := bundle.OpenStore(dir)
	require.NoError(t, err)
	requireFault(t, elsewhere.Remove(t.Context(), added.Digest), "is in use by a run or a session")
	require.NoError(t, release())
	requireFault(t, elsewhere.Remove(t.Context(), added.Digest), "is in use by a run or a session")
	require.NoError(t, store.Verify(t.Context(), added.Digest))
	require.NoError(t, again())
	require.NoError(t, elsewhere.Remove(t.Context(), added.Digest))
	require.Empty(t, visible(t, dir))
	for _, err := range []error{
		store.Check(t.Context(), added.Digest), store.Remove(t.Context(), added.Digest),
		func() error { _, err := store.Hold(t.Context(), added.Digest); return err }(),
	} {
		requireFault(t, err, "there is no bundle")
	}
	require.Equal(t, added.Digest, add(t, store, src).Digest)
}

// Whoever waits for a bundle that is being removed does not get the name of one that is gone.
func TestAHoldIsOfWhatIsThere(t *testing.T) {
	store, dir := openStore(t)
	src := source(t)
	added := add(t, store, src)
	require.NoError(t, os.Rename(added.Path, dir+"/.adding-removed-x"))
	_, err := store.Hold(context.Background(), added.Digest)
	requireFault(t, err, "there is no bundle")
	add(t, store, src) // sweeps
	require.Len(t, visible(t, dir), 1)
}

func TestCompareNamesEveryMemberThatDiffers(t *testing.T) {
	one := bundle.Manifest{Name: "a", Files: []bundle.DataFile{{Path: "x.csv", Bytes: 1, Table: "x"}, {Path: "y.csv"}, {Path: "same.csv"}}}
	two := bundle.Manifest{Name: "a", Study: "S", Files: []bundle.DataFile{{Path: "x.csv", Bytes: 2, Table: "z"}, {Path: "new.csv"}, {Path: "same.csv"}}}
	found := bundle.Compare(one, two)
	require.Equal(t, bundle.Difference{
		Fields: []bundle.FieldDifference{{Field: "study", Second: "S"}}, Added: []string{"new.csv"}, Removed: []string{"y.csv"},
		Changed: []bundle.FileDifference{{Path: "x.csv", In: []string{"bytes", "table"}, First: one.Files[0], Second: two.Files[0], Columns: []bundle.ColumnDifference{}}},
	}, found)
	require.False(t, found.Same())
	require.True(t, bundle.Compare(one, one).Same())
	require.Equal(t, "study, 1 file added, 1 file removed, 1 file changed", found.Summary())
}

// Many runs hold one bundle at the same time.
func TestManyHoldsAtOnce(t *testing.T) {
	store, _ := openStore(t)
	added := add(t, store, source(t))
	var all sync.WaitGroup
	for range 8 {
		other := t.TempDir()
		all.Go(func() {
			for range 300 { // descriptors come and go
				root, err := os.OpenRoot(other)
				if err != nil {
					t.Error(err)
					return
				}
				_ = root.Close()
			}
		})
		all.Go(func() {
			for range 100 {
				release, err := store.Hold(t.Context(), added.Digest)
				if err != nil {
					t.Error(err)
					return
				}
				if err := release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}
