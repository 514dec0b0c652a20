package records_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/records"
)

var (
	imageDigest  = digest.Of([]byte("image"))
	bundleDigest = digest.Of([]byte("bundle"))
)

var started = time.Date(2026, 11, 21, 0, 40, 35, 123456789, time.UTC)

func open(t *testing.T, dir string) *records.Store {
	t.Helper()
	store, err := records.Open(dir)
	require.NoError(t, err)
	return store
}

func begin(t *testing.T, store *records.Store) (*records.Draft, job.ID) {
	t.Helper()
	id := job.NewID(time.Now())
	draft, err := store.Begin(t.Context(), id, records.Asked{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, draft.Discard(t.Context())) })
	return draft, id
}

func result(id job.ID, status job.Status) job.Result {
	return job.Result{
		RunID: id, Status: status, Stdout: "out\n", Value: json.RawMessage(`{"n":1}`),
		Charts: []job.Chart{}, Files: []job.File{}, Violations: []job.Violation{}, Warnings: []job.Violation{}, ToolCalls: []job.ToolCall{},
		Provenance: job.Provenance{
			Policy: "study-analysis", PolicySHA256: digest.Hex(strings.Repeat("a", 64)), Image: imageDigest, Bundle: bundleDigest,
			CPU: job.CPU{Features: []string{}}, Controls: []job.Control{{Name: "seccomp", Active: true}}, StartedAt: started,
		},
	}
}

// verify stages an output of one file in a draft.
func verify(t *testing.T, draft *records.Draft, content string) *output.Verified {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte(content), 0o644))
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	verified, found, err := output.Verify(t.Context(), output.Options{
		Dir: root, Staging: draft.Staging(),
		Manifest: []output.Declared{{Path: "a.txt", Bytes: int64(len(content)), SHA256: digest.Of([]byte(content)).Hex(), Role: output.RoleFile}},
		Rules:    output.Rules{MaxFiles: 10, MaxBytes: 1 << 20, MaxDepth: 2, MediaTypes: []string{"text/plain"}},
	})
	require.NoError(t, err)
	require.Empty(t, found)
	t.Cleanup(func() { require.NoError(t, verified.Close()) })
	return verified
}

// commit records one run that succeeded, and returns its id.
func commit(t *testing.T, store *records.Store) job.ID {
	t.Helper()
	draft, id := begin(t, store)
	verified := verify(t, draft, "x\n")
	entry := records.Entry{Result: result(id, job.Succeeded), Verified: verified}
	entry.Result.Files = verified.Files()
	_, err := draft.Commit(t.Context(), entry)
	require.NoError(t, err)
	return id
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	list := []string{}
	for _, entry := range entries {
		list = append(list, entry.Name())
	}
	return list
}

func TestCommitKeepsASuccessfulRun(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	draft, id := begin(t, store)
	verified := verify(t, draft, "x\n")
	entry := records.Entry{
		Result: result(id, job.Succeeded), Verified: verified,
		Code: []byte("from __future__ import annotations\nprint(1)\n"), KeepCode: true,
		ScriptName: "a\n# coding: latin-1 \u202e.py", Tables: []string{"visits", "patients"},
	}
	entry.Result.Files = verified.Files()
	path, err := draft.Commit(t.Context(), entry)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "runs", id.String()), path)
	require.NoError(t, draft.Discard(t.Context()))

	code := "run_20261121T004035Z_" + id.String() + ".py"
	require.ElementsMatch(t, []string{"record.json", code, "files"}, names(t, path))
	text, err := os.ReadFile(filepath.Join(path, code))
	require.NoError(t, err)
	require.Equal(t, `# -*- coding: utf-8 -*-
# Recorded by Hotcell. The code begins below the line of equals signs.
# run: `+id.String()+`
# started: 2026-11-21T00:40:35Z
# status: succeeded
# script: a\n# coding: latin-1 \u202e.py
# policy: study-analysis, sha256 `+strings.Repeat("a", 64)+`
# image: `+string(imageDigest)+`
# bundle: `+string(bundleDigest)+`
# DataFrames: visits, patients
# code: sha256 81b28f50f4d67ca3870627ae2338cce481ced2dfdece6f6951c70c39d6432b9f
# `+strings.Repeat("=", 76)+`
from __future__ import annotations
print(1)
`, string(text))
	released, err := os.ReadFile(filepath.Join(path, "files", "a.txt"))
	require.NoError(t, err)
	require.Equal(t, "x\n", string(released))

	record, err := store.Get(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, records.Record{Version: 3, Result: entry.Result, Code: code, CodeFileSHA256: digest.Of(text).Hex()}, record)
	list, err := store.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, []records.Summary{{
		RunID: id, Status: job.Succeeded, Policy: "study-analysis", Bundle: bundleDigest, Files: 1, StartedAt: started,
	}}, list)
	head, err := store.VerifyChain(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(1), head.Seq)
	// The files can still be given to the user.
	require.NoError(t, verified.Export(t.Context(), filepath.Join(t.TempDir(), "out")))
}

func TestCommitKeepsNothingButTheRecordOfARunThatFailed(t *testing.T) {
	store := open(t, t.TempDir())
	draft, id := begin(t, store)
	require.NoError(t, os.WriteFile(filepath.Join(draft.Staging(), "unverified"), nil, 0o600))
	entry := records.Entry{Result: result(id, job.Failed)}
	entry.Result.Stderr = "invalid \xff UTF-8 \x1b and more"
	entry.Result.Value = nil
	path, err := draft.Commit(t.Context(), entry)
	require.NoError(t, err)
	require.Equal(t, []string{"record.json"}, names(t, path))
	record, err := store.Get(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, "invalid \ufffd UTF-8 \x1b and more", record.Result.Stderr)
}

func TestCommitKeepsQuarantine(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	draft, id := begin(t, store)
	quarantine(t, draft)
	require.Empty(t, names(t, filepath.Join(dir, "quarantine")))
	_, err := draft.Commit(t.Context(), records.Entry{Result: result(id, job.OutputRejected)})
	require.NoError(t, err)
	require.Equal(t, []string{"0001.bin", "index.json"}, names(t, store.QuarantinePath(id)))
	require.Equal(t, []string{"record.json"}, names(t, store.Path(id)))
	record, err := store.Get(t.Context(), id)
	require.NoError(t, err)
	require.True(t, record.Quarantined)
}

func quarantine(t *testing.T, draft *records.Draft) {
	t.Helper()
	hostile := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(hostile, "x"), []byte("x"), 0o644))
	root, err := os.OpenRoot(hostile)
	require.NoError(t, err)
	defer root.Close()
	limits := output.QuarantineLimits{MaxEntries: 10, MaxBytes: 100, MaxDepth: 3}
	require.NoError(t, draft.Quarantine(t.Context(), root, []job.Violation{{Rule: output.RuleUndeclared}}, limits))
}

func TestDiscardLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	draft, _ := begin(t, open(t, dir))
	quarantine(t, draft)
	require.NoError(t, draft.Discard(t.Context()))
	require.NoError(t, draft.Discard(t.Context()))
	require.Empty(t, names(t, filepath.Join(dir, "runs")))
	require.Empty(t, names(t, filepath.Join(dir, "quarantine")))
	require.NoFileExists(t, filepath.Join(dir, "audit.jsonl"))
}

func TestCommitRefusesWhatContradictsItself(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, store *records.Store, entry *records.Entry){
		"another run": func(_ *testing.T, _ *records.Store, e *records.Entry) { e.Result.RunID = job.NewID(started) },
		"no status":   func(_ *testing.T, _ *records.Store, e *records.Entry) { e.Result.Status = "fine" },
		"no start": func(_ *testing.T, _ *records.Store, e *records.Entry) {
			e.Result.Provenance.StartedAt = time.Time{}
		},
		"no verified output": func(_ *testing.T, _ *records.Store, e *records.Entry) { e.Verified, e.Result.Files = nil, nil },
		"files that were not verified": func(_ *testing.T, _ *records.Store, e *records.Entry) {
			e.Result.Files = append(e.Result.Files, job.File{Path: "b.txt"})
		},
		"a failed run with files": func(_ *testing.T, _ *records.Store, e *records.Entry) {
			e.Result.Status, e.Verified = job.Failed, nil
		},
		"output of another draft": func(t *testing.T, store *records.Store, e *records.Entry) {
			other, _ := begin(t, store)
			e.Verified = verify(t, other, "x\n")
		},
		"a Verified from nowhere": func(_ *testing.T, _ *records.Store, e *records.Entry) {
			e.Verified, e.Result.Files = new(output.Verified), []job.File{}
		},
		"no code to keep": func(_ *testing.T, _ *records.Store, e *records.Entry) { e.KeepCode = true },
		"a result that is not JSON": func(_ *testing.T, _ *records.Store, e *records.Entry) {
			e.Result.Value = json.RawMessage(`{"a":`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store := open(t, dir)
			draft, id := begin(t, store)
			entry := records.Entry{Result: result(id, job.Succeeded), Verified: verify(t, draft, "x\n")}
			entry.Result.Files = entry.Verified.Files()
			change(t, store, &entry)
			_, err := draft.Commit(t.Context(), entry)
			require.Error(t, err)
			_, err = store.Get(t.Context(), id)
			require.ErrorIs(t, err, records.ErrNotFound)
			require.NoFileExists(t, filepath.Join(dir, "audit.jsonl"))
		})
	}
}

// TestACommitThatCannotBePutInPlaceIsTakenBack plants something in the record's
// place, after Begin has looked.
func TestACommitThatCannotBePutInPlaceIsTakenBack(t *testing.T) {
	for name, place := range map[string]func(*records.Store, job.ID) string{
		"the record":     (*records.Store).Path,
		"the quarantine": (*records.Store).QuarantinePath,
	} {
		t.Run(name, func(t *testing.T) {
			store := open(t, t.TempDir())
			commit(t, store)
			draft, id := begin(t, store)
			quarantine(t, draft)
			planted := place(store, id)
			require.NoError(t, os.MkdirAll(filepath.Join(planted, "x"), 0o700))
			_, err := draft.Commit(t.Context(), records.Entry{Result: result(id, job.OutputRejected)})
			require.Error(t, err)
			require.NoError(t, draft.Discard(t.Context()))
			require.NoError(t, os.RemoveAll(planted))
			require.NoDirExists(t, store.QuarantinePath(id))
			head, err := store.VerifyChain(t.Context())
			require.NoError(t, err)
			require.Equal(t, int64(1), head.Seq)
		})
	}
}

func TestOneRunIsRecordedOnce(t *testing.T) {
	store := open(t, t.TempDir())
	id := commit(t, store)
	_, err := store.Begin(t.Context(), id, records.Asked{})
	require.ErrorIs(t, err, records.ErrKnownID)
	draft, other := begin(t, store)
	_, err = store.Begin(t.Context(), other, records.Asked{})
	require.ErrorIs(t, err, records.ErrKnownID)
	_, err = draft.Commit(t.Context(), records.Entry{Result: result(other, job.Failed)})
	require.NoError(t, err)
	_, err = draft.Commit(t.Context(), records.Entry{Result: result(other, job.Failed)})
	require.Error(t, err)
	_, err = store.Begin(t.Context(), job.ID{}, records.Asked{})
	require.Error(t, err)
	_, err = store.VerifyChain(t.Context())
	require.NoError(t, err)
}

func TestManyRunsAtOnce(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 8 {
		store := open(t, dir) // as another process would
		all.Go(func() {
			for range 5 {
				id := job.NewID(time.Now())
				draft, err := store.Begin(t.Context(), id, records.Asked{})
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := store.Sweep(t.Context(), job.Actor{}); err != nil {
					t.Error(err)
				}
				if _, err := draft.Commit(t.Context(), records.Entry{Result: result(id, job.Failed)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	head, err := open(t, dir).VerifyChain(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(40), head.Seq)
}

func TestListTellsOfWhatCannotBeRead(t *testing.T) {
	store := open(t, t.TempDir())
	good, bad := commit(t, store), commit(t, store)
	require.NoError(t, os.Remove(filepath.Join(store.Path(bad), "record.json")))
	require.NoError(t, os.Mkdir(filepath.Join(filepath.Dir(store.Path(bad)), "strange"), 0o700))
	list, err := store.List(t.Context())
	require.ErrorContains(t, err, bad.String())
	require.ErrorContains(t, err, "strange does not belong there")
	require.Len(t, list, 1)
	require.Equal(t, good, list[0].RunID)
}

func TestGetRefusesADamagedRecord(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"cut":            func(text string) string { return text[:len(text)/2] },
		"empty":          func(string) string { return "" },
		"another run":    func(text string) string { return strings.Replace(text, `"run_id":"1`, `"run_id":"2`, 1) },
		"another format": func(text string) string { return strings.Replace(text, `"version":3`, `"version":4`, 1) },
		"a name twice":   func(text string) string { return strings.Replace(text, `"version":3`, `"version":3,"version":3`, 1) },
		"more after it":  func(text string) string { return text + text },
	} {
		t.Run(name, func(t *testing.T) {
			store := open(t, t.TempDir())
			id := commit(t, store)
			alter(t, filepath.Join(store.Path(id), "record.json"), change)
			_, err := store.Get(t.Context(), id)
			require.Error(t, err)
		})
	}
}

func alter(t *testing.T, path string, change func(string) string) {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	changed := change(string(data))
	require.NotEqual(t, string(data), changed)
	require.NoError(t, os.Chmod(path, 0o600))
	require.NoError(t, os.WriteFile(path, []byte(changed), 0o600))
}

// TestAFullDiskLeavesNothingHalfCommitted fills a small disk to every level at
// which a commit can meet its end, and wants all or nothing each time.
func TestAFullDiskLeavesNothingHalfCommitted(t *testing.T) {
	failed, done := 0, 0
	for left := 0; left <= 80; left += 4 { // KiB
		dir := tmpfs(t, "size=256k,mode=0700")
		store := open(t, dir)
		draft, id := begin(t, store)
		entry := records.Entry{Result: result(id, job.Succeeded), Verified: verify(t, draft, "x\n"), Code: []byte("pass\n"), KeepCode: true}
		entry.Result.Files = entry.Verified.Files()
		entry.Result.Stdout = strings.Repeat("x", 16<<10)
		quarantine(t, draft)
		fill(t, dir, left)
		_, err := draft.Commit(t.Context(), entry)
		require.NoError(t, draft.Discard(t.Context()))
		if err != nil {
			failed++
			require.ErrorIs(t, err, unix.ENOSPC)
			require.Empty(t, names(t, filepath.Join(dir, "runs")))
			require.Empty(t, names(t, filepath.Join(dir, "quarantine")))
		} else {
			done++
			_, err = store.Get(t.Context(), id)
			require.NoError(t, err)
		}
		require.NoError(t, os.Remove(filepath.Join(dir, "filler")))
		_, err = store.VerifyChain(t.Context())
		require.NoError(t, err)
		commit(t, store) // the store is as good as before
	}
	require.Greater(t, failed, 2)
	require.Greater(t, done, 2)
}

// fill leaves so many KiB on a disk.
func fill(t *testing.T, dir string, left int) {
	t.Helper()
	var stat unix.Statfs_t
	require.NoError(t, unix.Statfs(dir, &stat))
	free := int(stat.Bfree) * int(stat.Bsize)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "filler"), make([]byte, max(0, free-left<<10)), 0o600))
}

func TestBeginOnAFullDiskLeavesNothing(t *testing.T) {
	dir := tmpfs(t, "size=64k,nr_inodes=6,mode=0700") // root, runs, quarantine, lock, draft and no more
	store := open(t, dir)
	begin(t, store)
	_, err := store.Begin(t.Context(), job.NewID(started), records.Asked{})
	require.ErrorIs(t, err, unix.ENOSPC)
	require.Len(t, names(t, filepath.Join(dir, "runs")), 1)
}
