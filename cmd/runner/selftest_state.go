package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hotcell/internal/bundle"
	"hotcell/internal/container"
	"hotcell/internal/container/kubernetes"
	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/policy"
)

// selftestState is a state directory below the user's own, for the records and the
// bundle of one self-test. Images are the user's, and so are the sandboxes: what a
// self-test that is killed leaves there is swept by the next run of any kind.
type selftestState struct {
	app    *app
	bundle string // digest
	lock   *os.File
	lent   *bundle.Store // the user's own, where nodes of a cluster get the bundle from; else nil
}

// openSelftestState makes the directory anew. There is one self-test at a time.
func (a *app) openSelftestState(ctx context.Context, engine string, chosen policy.Policy) (place selftestState, err error) {
	if err := a.makeState(); err != nil {
		return selftestState{}, err
	}
	lock, err := lockSelftest(filepath.Join(a.state, "selftest.lock"))
	if err != nil {
		return selftestState{}, err
	}
	inner := *a
	inner.state, inner.sandboxState = filepath.Join(a.state, "selftest"), a.state
	inner.makesMany()
	place = selftestState{app: &inner, lock: lock}
	defer func() {
		if err != nil {
			err = errors.Join(err, place.remove(ctx))
		}
	}()
	if err := place.clear(); err != nil {
		return place, fmt.Errorf("remove what an earlier self-test left behind: %w", err)
	}
	if err := inner.shareImages(filepath.Join(a.state, "images")); err != nil {
		return place, fmt.Errorf("make state of the self-test: %w", err)
	}
	if engine == kubernetes.Name {
		if place.lent, err = a.bundles(); err != nil {
			return place, err
		}
		inner.bundleStore = place.lent
	}
	place.bundle, err = inner.addSelftestBundle(ctx, chosen.Guard.RequiredTables)
	return place, err
}

// shareImages makes a state directory with the images of another.
func (a *app) shareImages(images string) (err error) {
	if err := durable.MakeDir(a.state, 0o700); err != nil {
		return err
	}
	state, err := durable.OpenDir(a.state)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, state.Close()) }()
	return state.Symlink(images, "images")
}

func lockSelftest(path string) (*os.File, error) {
	state, err := durable.OpenDir(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("lock self-test: %w", err)
	}
	defer state.Close()
	file, err := state.OpenFile(filepath.Base(path), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock self-test: %w", err)
	}
	err = durable.TryLock(file)
	if errors.Is(err, durable.ErrBusy) {
		err = usageError{errors.New("another self-test is running with this state directory: wait for it, or name another with --state")}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// remove takes the directory away, with all records.
func (s selftestState) remove(ctx context.Context) error {
	ctx, cancel := container.ReleaseContext(ctx)
	defer cancel()
	return errors.Join(s.takeBack(ctx), s.clear(), s.lock.Close())
}

// takeBack removes the bundle from the user's own store.
func (s selftestState) takeBack(ctx context.Context) error {
	if s.lent == nil || s.bundle == "" {
		return nil
	}
	sum, err := digest.Parse(s.bundle)
	if err != nil {
		return err
	}
	return s.lent.Remove(ctx, sum)
}

func (s selftestState) clear() error {
	state, err := durable.OpenDir(filepath.Dir(s.app.state))
	if err != nil {
		return err
	}
	return errors.Join(durable.Remove(state, filepath.Base(s.app.state)), state.Close())
}

// addSelftestBundle makes a bundle with the tables that the policy wants and one
// file that is no table, for probes to try to change. No table is loaded where none
// is wanted: most probes need no pandas.
func (a *app) addSelftestBundle(ctx context.Context, tables []string) (reference string, err error) {
	dir := filepath.Join(a.state, "data")
	draft, err := durable.NewDraft(dir)
	if err != nil {
		return "", fmt.Errorf("make bundle of the self-test: %w", err)
	}
	defer func() { err = errors.Join(err, draft.Discard()) }()
	files := map[string]string{"note.txt": "This is data of no person.\n"}
	for _, table := range tables {
		files[table+".csv"] = "id,value\n1,2\n"
	}
	if err := writeFiles(draft.Root(), files); err != nil {
		return "", fmt.Errorf("make bundle of the self-test: %w", err)
	}
	if _, err := bundle.CreateIn(ctx, draft.Root(), bundle.CreateOptions{
		Dir: dir, Name: "selftest", Version: selftestVersion(files), Study: "self-test",
		Deidentification: bundle.Deidentification{
			Method: bundle.Synthetic, AttestedBy: "runner selftest", AttestedOn: time.Now().UTC().Format(time.DateOnly),
			Statement: "Made for a self-test; data of no person.",
		},
	}); err != nil {
		return "", fmt.Errorf("make bundle of the self-test: %w", err)
	}
	store, err := a.bundles()
	if err != nil {
		return "", err
	}
	added, err := store.Add(ctx, dir)
	return added.Digest.String(), err
}

// selftestVersion is another one where the content is: the attestation has the day in it.
func selftestVersion(files map[string]string) string {
	names := slices.Sorted(maps.Keys(files))
	sum := digest.Of([]byte(strings.Join(append(names, time.Now().UTC().Format(time.DateOnly)), "\n")))
	return string(sum.Hex())[:12]
}

func writeFiles(root *os.Root, files map[string]string) error {
	for name, content := range files {
		if err := durable.WriteFile(root, name, []byte(content)); err != nil {
			return err
		}
	}
	return nil
}
